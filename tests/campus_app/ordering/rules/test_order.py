"""Orders: type, units, response token."""

from datetime import date, time
from decimal import Decimal

from campus_app.ordering.rules.order import OrderLine, is_response_token
from campus_app.ordering.rules.reservation import PreReservation
from tests.helpers import builders

TABLE = PreReservation(2, time(13, 30), 4, date(2026, 8, 24))


def order(*lines, reservation=None):
    return builders.order(lines=lines, reservation=reservation)


def test_order_type_is_pre_reserve_with_reservation():
    assert order(reservation=TABLE).type.value == "pre-reserve"
    assert order().type.value == "normal"


def test_order_dishes_counts_units():
    chai, toast = (
        OrderLine("1", "Chai", Decimal("20.00"), 3),
        OrderLine("2", "Toast", Decimal(60), 1),
    )
    assert order(chai, toast).dishes == 4
    assert order().dishes == 0


def test_order_line_total_is_price_times_quantity():
    assert str(OrderLine("1", "Chai", Decimal("99.99"), 3).total) == "299.97"


def test_is_response_token_accepts_20_to_64_url_characters():
    assert all(map(is_response_token, ("Az09_-" * 4, "a" * 20, "a" * 64)))
    others = ("a" * 19, "a" * 65, "a" * 20 + "/", "é" * 20, "", None, 12345678901234567890)
    assert not any(map(is_response_token, others))
