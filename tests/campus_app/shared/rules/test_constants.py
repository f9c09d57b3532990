"""Timings and limits that only screens and services read."""

import pytest

from campus_app.shared.rules import constants


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("WAITING_ROOM_SECONDS", 150, id="9.16: waiting room countdown, 150 s"),
        pytest.param("PAYMENT_POLL_ATTEMPTS", 30, id="9.23: payment polling, 30 attempts"),
        pytest.param("PAYMENT_POLL_SECONDS", 1, id="9.23: payment polling, 1 s normal"),
        pytest.param("PAYMENT_RETRY_SECONDS", 2, id="9.23: payment polling, 2 s after an error"),
        pytest.param("PROBLEM_REDIRECT_SECONDS", 3, id="9.24: redirect after a problem, 3 s"),
        pytest.param("CONFIRMATION_OVERLAY_SECONDS", 2, id="9.25: confirmation overlay, 2000 ms"),
        pytest.param("CONFIRMATION_REDIRECT_SECONDS", 45, id="9.26: redirect countdown, 45 s"),
        pytest.param("NOTIFICATION_POLL_SECONDS", 2, id="9.27: notification poll, 2 s"),
        pytest.param("DEFAULT_DELIVERY_MINUTES", "30-40", id="9.29: default delivery, '30-40'"),
        pytest.param("RESERVING_SECONDS", 2, id="9.15: 2 s after reserving"),
        pytest.param("SEAT_HOLD_MINUTES", 30, id="P3.4: 30 minutes unpaid"),
        pytest.param("SEAT_HOLD_MINUTES_WITHOUT_DETAILS", 10, id="P3.4: 10 minutes to order"),
        pytest.param("NOTIFIED_PARTIES", 2, id="9.30: notification count, out of 2"),
        pytest.param("ORDER_NUMBER_HELD_HOURS", 24, id="M9: the last 24 hours"),
        pytest.param("LAPSED_NUMBER_HELD_MINUTES", 60, id="M16: an hour beyond the time to pay"),
        pytest.param("MAXIMUM_LINE_QUANTITY", 50, id="M14: 0 to 50 a line"),
        pytest.param("CURRENCY", "INR", id="1.9: prices are in rupees"),
    ],
)
def test_constant_equals_specification(name, value):
    assert getattr(constants, name) == value


def test_campus_time_zone_is_kolkata():
    assert constants.CAMPUS_TIME_ZONE.key == "Asia/Kolkata"
