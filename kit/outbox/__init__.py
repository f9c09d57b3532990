"""Background jobs that are stored in the database together with the change that causes them."""
