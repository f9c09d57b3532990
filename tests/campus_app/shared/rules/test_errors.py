"""The exception hierarchy and the data of each exception."""

import pytest

from campus_app.shared.rules import errors


@pytest.mark.parametrize("kind", [errors.OrderingError, errors.NotFound, errors.Conflict])
def test_ordering_error_has_code_and_message(kind):
    error = kind("restaurant_closed", "Closed right now.")
    assert isinstance(error, errors.OrderingError)
    assert (error.code, error.message) == ("restaurant_closed", "Closed right now.")
    assert str(error) == "Closed right now."


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
