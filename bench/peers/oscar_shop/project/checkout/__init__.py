"""Oscar's checkout, forked as its documentation says, so that orders are paid."""
