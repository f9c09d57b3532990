"""The exception hierarchy and the data of each exception."""

from datetime import datetime

import pytest

from campus_app.ordering.rules.bill import BillTerms, bill_for
from campus_app.shared.rules import errors
from campus_app.shared.rules.campus import Campus


@pytest.mark.parametrize("kind", [errors.OrderingError, errors.NotFound, errors.Conflict])
def test_ordering_error_has_code_and_message(kind):
    error = kind("restaurant_closed", "Closed right now.")
    assert isinstance(error, errors.OrderingError)
    assert (error.code, error.message) == ("restaurant_closed", "Closed right now.")
    assert str(error) == "Closed right now."


def test_price_mismatch_has_current_bill():
    noon = datetime.fromisoformat("2026-08-24T12:00:00+05:30")
    bill = bill_for((), BillTerms(1, Campus.NORTH, noon))
    error = errors.PriceMismatch("A price has changed.", bill)
    assert isinstance(error, errors.Conflict)
    assert error.code == "price_mismatch"
    assert error.bill is bill


def test_invalid_has_fields():
    named = {"email": "Email is required"}
    error = errors.Invalid("Please fill in all the details.", named)
    assert error.code == "validation_error"
    assert error.fields == {"email": "Email is required"}
    assert error.fields is not named


def test_invalid_accepts_other_code_without_fields():
    error = errors.Invalid("Add ₹1 more.", code="below_minimum")
    assert error.code == "below_minimum"
    assert error.fields == {}


def test_menu_unavailable_has_http_status():
    error = errors.MenuUnavailable("Restaurant not found", 404)
    assert (str(error), error.message, error.status) == (
        "Restaurant not found",
        "Restaurant not found",
        404,
    )


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
    assert not issubclass(kind, errors.OrderingError)
