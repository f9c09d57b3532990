"""The hierarchy and the data of the exceptions of ordering and payment."""

from datetime import datetime

import pytest

from campus_app.ordering.rules import errors
from campus_app.ordering.rules.bill import BillTerms, bill_for
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.errors import Conflict, OrderingError


def test_price_mismatch_has_current_bill():
    noon = datetime.fromisoformat("2026-08-24T12:00:00+05:30")
    bill = bill_for((), BillTerms(1, Campus.NORTH, noon))
    error = errors.PriceMismatch("A price has changed.", bill)
    assert isinstance(error, Conflict)
    assert error.code == "price_mismatch"
    assert error.bill is bill


def test_provider_unavailable_has_reason_and_retry_delay():
    away = errors.ProviderUnavailable("too many requests")
    assert (str(away), away.retry_after_seconds) == ("too many requests", 0)
    assert errors.ProviderUnavailable("", retry_after_seconds=90).retry_after_seconds == 90


@pytest.mark.parametrize(
    "kind",
    [
        errors.ProviderRejected,
        errors.ProviderUnavailable,
        errors.BadSignature,
        errors.StaleWebhook,
    ],
)
def test_provider_errors_are_payment_errors(kind):
    assert issubclass(kind, errors.PaymentError)
    assert not issubclass(kind, OrderingError)
