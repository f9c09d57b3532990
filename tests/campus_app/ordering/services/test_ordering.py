"""Placing orders: prices, errors and their messages."""

from dataclasses import replace
from itertools import product

import pytest

from campus_app.ordering.rules.errors import PriceMismatch
from campus_app.ordering.rules.instructions import Instructions
from campus_app.ordering.rules.order import OrderLine, OrderState, OrderType
from campus_app.ordering.services.ordering import Ordering
from campus_app.ordering.sql.tables import OrderRow
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.errors import Conflict, Invalid, NotFound
from campus_app.shared.rules.money import ZERO, rupees
from tests.helpers.builders import CUSTOMER, QUANTITIES, at, order_request, reservation_request
from tests.helpers.databases import both_databases
from tests.helpers.errors import ordering_error
from tests.helpers.flows import sell
from tests.helpers.tables import count

pytestmark = pytest.mark.anyio

TABLE = reservation_request().reservation
WRONG_TOTAL = [("grand_total", rupees(1))]


# Quotes


def test_quote_lists_missing_dish_without_charging_it(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, {"104": "110"})
    quote = services.ordering.quote(1, Campus.NORTH, {"104": 2, "999": 3})
    assert (quote.bill.subtotal, quote.missing) == (rupees(220), ("999",))


# Preparing

TOO_LARGE = "An order can be at most ₹1,00,00,000. Please divide it into several orders."


async def test_prepare_refuses_an_order_above_ten_million(new_services, data_dir):
    # Source: specification 10.53.
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, dict.fromkeys(("101", "102", "103"), "100000"))
    request = order_request(quantities={"101": 50, "102": 50, "103": 1})
    with pytest.raises(Invalid) as raised:
        await services.ordering.prepare(request)
    assert (raised.value.message, raised.value.fields) == (TOO_LARGE, {"items": TOO_LARGE})


@both_databases
async def test_prepare_stores_an_order_of_almost_ten_million(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, {"a" * 64: "100000", "3f2b8a52-0c1f-4a7e-9d3b-5f6f0c9a1b2c": "99999"})
    quantities = {"a" * 64: 50, "3f2b8a52-0c1f-4a7e-9d3b-5f6f0c9a1b2c": 49}
    stored = await services.ordering.prepare(order_request(quantities=quantities))
    found = await services.operations.find_order(stored.order.number)
    assert found.order.bill.subtotal == rupees(9_899_951)
    assert [line.dish_id for line in found.order.lines] == list(quantities)


async def test_prepare_stores_order_at_server_prices(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, {"104": "110", "112": "160"})
    stored = await services.ordering.prepare(
        order_request(donation=rupees(10), note=" No\nonions ")
    )
    order = stored.order
    assert order.lines == (
        OrderLine("104", "Dish 104", rupees(110), 2),
        OrderLine("112", "Dish 112", rupees(160), 1),
    )
    assert (order.restaurant_id, order.campus, order.instructions.note) == (
        1,
        Campus.NORTH,
        "No onions",
    )
    assert order.customer.phone == "+919800000001"
    assert (order.state, order.type, order.dishes) == (OrderState.PENDING, OrderType.NORMAL, 3)
    assert order.created_at == services.clock.now()
    bill = order.bill
    assert (bill.subtotal, bill.delivery_fee) == (rupees(380), rupees(15))
    assert (bill.convenience_fee, bill.donation) == (ZERO, rupees(10))
    assert (bill.grand_total, bill.online, bill.remaining) == (rupees(405), rupees(70), rupees(335))
    assert stored.payment.amount == bill.online
    assert await services.ordering.orders.by_id(order.id) == stored


@both_databases
async def test_prepare_stores_reservation(ordering):
    stored = await ordering.prepare(reservation_request())
    table, bill = stored.order.reservation, stored.order.bill
    assert (table.restaurant_id, f"{table.slot:%H:%M}", table.party_size) == (2, "17:30", 4)
    assert table.date == ordering.clock.now().date()
    assert stored.order.type is OrderType.PRE_RESERVE
    assert bill.discount == bill.subtotal / 10
    assert (bill.delivery_fee, bill.online, bill.minimum) == (ZERO, rupees(20), rupees(400))


async def test_prepare_omits_dishes_with_zero_quantity(ordering):
    stored = await ordering.prepare(order_request(quantities={**QUANTITIES, "105": 0, "999": 0}))
    assert [line.dish_id for line in stored.order.lines] == list(QUANTITIES)


@pytest.mark.parametrize(
    ("request_", "kind", "code"),
    [
        (order_request(restaurant_id=99), NotFound, "unknown_restaurant"),
        (order_request(quantities={**QUANTITIES, "999": 1}), NotFound, "unknown_item"),
        (order_request(quantities={"201": 50}), NotFound, "unknown_item"),  # another's dish
        (order_request(restaurant_id=4, quantities={"401": 5}), Conflict, "restaurant_closed"),
        (order_request(displayed_amounts=WRONG_TOTAL), PriceMismatch, "price_mismatch"),
        (reservation_request(slot="12:30"), Conflict, "slot_unavailable"),
        (order_request(quantities={"103": 2}), Invalid, "below_minimum"),
        (replace(reservation_request(), quantities={"202": 3}), Invalid, "below_minimum"),
        (order_request(quantities={}), Invalid, "validation_error"),
        (order_request(quantities={"104": 0}), Invalid, "validation_error"),
    ],
)
async def test_prepare_raises_error_for_invalid_order(services, request_, kind, code):
    # Source: specification C3.6.
    error = await ordering_error(services.ordering.prepare(request_))
    assert (type(error), error.code) == (kind, code)
    assert error.message
    assert await count(services.database, OrderRow) == 0


QUANTITY = "A quantity is a whole number from 0 to 50."
DONATION = "A donation is 0, 5, 10, 20 or 50 rupees."
PHONE = "Please enter a valid Indian phone number"
NOTE = "Please shorten the note to 300 characters"
LONG_DOOR_NOTE = Instructions(door_note="x" * 301)
NO_TABLES = "Pehla Food Point does not take reservations."
NO_TABLES_ELSEWHERE = "Kulhad Café does not take reservations."


@pytest.mark.parametrize(
    ("request_", "field", "message"),
    [  # All contact details: tests of `customer_errors`.
        (order_request(customer={}), "fullName", "Name is required"),
        (order_request(customer=CUSTOMER | {"phoneNumber": "12345"}), "phoneNumber", PHONE),
        (order_request(campus="west"), "selectedCampus", "The campus is north or south."),
        (order_request(donation=rupees(3)), "dogDonation", DONATION),
        (order_request(quantities={"104": 51}), "items", QUANTITY),
        (order_request(quantities={"104": -1}), "items", QUANTITY),
        (order_request(note="x" * 301), "specialInstructions", NOTE),
        (order_request(instructions=LONG_DOOR_NOTE), "deliveryInstructions", NOTE),
        (order_request(requested_number="AS_1"), "orderId", "An order number looks like AS_482."),
        (reservation_request(party_size=0), "partySize", "A table is for 1 to 8 guests."),
        (reservation_request(party_size=9), "partySize", "A table is for 1 to 8 guests."),
        (reservation_request(restaurant_id=1), "preReservation", NO_TABLES_ELSEWHERE),
        (order_request(reservation=TABLE), "preReservation", NO_TABLES),
    ],
)
async def test_prepare_reports_errors_by_field(services, request_, field, message):
    error = await ordering_error(services.ordering.prepare(request_))
    assert (type(error), error.code) == (Invalid, "validation_error")
    assert error.fields[field] == message
    assert error.message == message
    assert await count(services.database, OrderRow) == 0


async def test_prepare_reports_all_errors_at_once(ordering):
    wrong = order_request(customer={}, campus="", donation=rupees(1), requested_number="?")
    error = await ordering_error(ordering.prepare(wrong))
    assert set(error.fields) == {
        "fullName",
        "email",
        "phoneNumber",
        "address",
        "selectedCampus",
        "dogDonation",
        "orderId",
    }


async def test_prepare_refuses_campus_that_is_not_served(new_services, data_dir):
    # Source: specification R5.
    file = data_dir / "restaurants.csv"
    text = file.read_text().replace("north|south,false", "south,false", 1)
    file.write_text(text)
    error = await ordering_error(new_services(data_dir=data_dir).ordering.prepare(order_request()))
    assert (error.code, error.message) == (
        "not_served",
        "Pehla Food Point does not deliver to this campus.",
    )


# Closed. Source: specification M12, R2.


@pytest.mark.parametrize(
    ("moment", "is_taken"),
    [
        # All moments: `test_restaurant.py` of the catalogue.
        pytest.param(at(20, 29, 59), True, id="just before it closes"),
        pytest.param(at(20, 30), False, id="when it closes"),
    ],
)
async def test_prepare_accepts_orders_within_hours_only(ordering, clock, moment, is_taken):
    clock.set(moment)
    if is_taken:
        assert await ordering.prepare(order_request())
    else:
        error = await ordering_error(ordering.prepare(order_request()))
        assert error.code == "restaurant_closed"
        assert error.message == "Pehla Food Point is closed right now."


async def test_prepare_refuses_when_restaurant_is_forced_closed(services):
    await services.statuses.set_override(1, is_open=False, message="No gas")
    error = await ordering_error(services.ordering.prepare(order_request()))
    assert error.code == "restaurant_closed"
    assert error.message == "Pehla Food Point is not delivering right now."
    await services.statuses.set_override(1, is_open=True, message="")
    assert await services.ordering.prepare(order_request())


async def test_prepare_refuses_when_menu_is_unreadable(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    (data_dir / "menu_1.csv").write_text("")
    error = await ordering_error(services.ordering.prepare(order_request()))
    assert (type(error), error.code) == (Conflict, "restaurant_closed")
    assert error.message == "Menu data is empty"


def test_require_open_id_raises_when_closed_or_unknown(ordering, clock):
    ordering.require_open_id(1)
    with pytest.raises(NotFound):
        ordering.require_open_id(99)
    clock.set(at(21))
    with pytest.raises(Conflict):
        ordering.require_open_id(1)


# Tables. Source: specification 5.12 to 5.14, 9.13, R7.


@pytest.mark.parametrize(
    ("moment", "slot", "day", "is_taken"),
    [
        # All slots: `test_slot_is_open_until_its_start`.
        pytest.param(at(11), "17:30", 18, True, id="the last slot"),
        pytest.param(at(11), "12:15", 18, False, id="between two slots"),
        pytest.param(at(11), "", 18, False, id="without a slot"),
        pytest.param(at(12, 30), "12:30", 18, False, id="a slot that begins now"),
        pytest.param(at(11), "12:00", 19, False, id="tomorrow, while today has slots"),
        pytest.param(at(17, 30), "12:00", 19, True, id="tomorrow, once today's are over"),
    ],
)
async def test_reservation_requires_bookable_slot(ordering, clock, moment, slot, day, is_taken):
    clock.set(moment)
    request = reservation_request(slot=slot, date=at(0, day=day).date())
    if is_taken:
        assert (await ordering.prepare(request)).order.reservation.date.day == day
    else:
        assert (await ordering_error(ordering.prepare(request))).code == "slot_unavailable"


# The minimum. Source: specification M8.


@pytest.mark.parametrize(("price", "missing"), [("200", None), ("199.99", "₹0.01")])
async def test_prepare_refuses_order_below_minimum(new_services, data_dir, price, missing):
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, {"104": price})
    request = order_request(quantities={"104": 1})
    if missing is None:
        assert await services.ordering.prepare(request)
    else:
        error = await ordering_error(services.ordering.prepare(request))
        assert error.message == f"Add {missing} more to reach the ₹200 minimum."


async def test_prepare_applies_minimum_of_pre_reservation_after_discount(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    request = replace(reservation_request(), quantities={"202": 1})
    sell(data_dir, 2, {"202": "444.43"})
    error = await ordering_error(services.ordering.prepare(request))
    assert error.message == "Add ₹0.01 more to reach the ₹400 minimum."
    sell(data_dir, 2, {"202": "444.44"})
    assert (await services.ordering.prepare(request)).order.bill.total == rupees(400)


# Displayed amounts. Source: specification M1.


FIGURES = (
    *("subtotal", "discount", "delivery_fee", "convenience_fee", "donation"),
    *("grand_total", "online", "remaining"),
)


async def test_prepare_raises_price_mismatch_when_displayed_amount_differs(services):
    bill = services.ordering.quote(1, Campus.NORTH, QUANTITIES).bill
    for figure, off_by in product((*FIGURES, "amount"), ("0.01", "-100")):
        shown = bill.remaining if figure == "amount" else getattr(bill, figure)
        request = order_request(displayed_amounts=[(figure, shown + rupees(off_by))])
        error = await ordering_error(services.ordering.prepare(request))
        assert isinstance(error, PriceMismatch), figure
        assert (error.code, error.bill) == ("price_mismatch", bill)
    dear = order_request(displayed_prices={"104": rupees(1)})
    assert isinstance(await ordering_error(services.ordering.prepare(dear)), PriceMismatch)
    assert await count(services.database, OrderRow) == 0


async def test_control_browser_sets_price_when_displayed_amounts_are_trusted(services):
    class Believing(Ordering):
        def quote(self, *wanted, **terms):
            quote = super().quote(*wanted, **terms)
            return replace(quote, bill=replace(quote.bill, **dict(displayed_amounts)))

    displayed_amounts = [("online", rupees(1)), ("remaining", ZERO), ("grand_total", rupees(1))]
    whole = services.ordering
    believing = Believing(**vars(whole))
    stored = await believing.prepare(order_request(displayed_amounts=displayed_amounts))
    assert stored.payment.amount == rupees(1)
    assert isinstance(
        await ordering_error(whole.prepare(order_request(displayed_amounts=displayed_amounts))),
        PriceMismatch,
    )


async def test_prepare_accepts_correct_displayed_amounts(ordering):
    quote = ordering.quote(1, Campus.NORTH, QUANTITIES)
    displayed_amounts = [(figure, getattr(quote.bill, figure)) for figure in FIGURES]
    prices = {line.dish.id: line.dish.price for line in quote.lines}
    for amount in (quote.bill.remaining, quote.bill.online):
        request = order_request(
            displayed_amounts=[*displayed_amounts, ("amount", amount)], displayed_prices=prices
        )
        assert (await ordering.prepare(request)).order.bill == quote.bill


async def test_price_mismatch_has_new_bill_when_price_changes(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, {"104": "110"})
    request = order_request(
        quantities={"104": 2},
        displayed_amounts=[
            ("grand_total", services.ordering.quote(1, Campus.NORTH, {"104": 2}).bill.grand_total)
        ],
    )
    sell(data_dir, 1, {"104": "120"})
    error = await ordering_error(services.ordering.prepare(request))
    assert error.bill.subtotal == rupees(240)
    assert error.message.startswith("A price has changed.")


async def offered(services):
    """Return an order with the Wednesday offer; the clock is on Thursday now."""
    bill = services.ordering.quote(5, Campus.NORTH, {"501": 3}).bill
    assert bill.discount > 0
    services.clock.advance(days=1)
    return order_request(
        restaurant_id=5,
        quantities={"501": 3},
        displayed_amounts=[("grand_total", bill.grand_total)],
    )


async def test_price_mismatch_has_current_bill_when_offer_has_ended(services):
    # Source: docs/invariants.md I10.
    error = await ordering_error(services.ordering.prepare(await offered(services)))
    assert (error.code, error.bill.discount) == ("price_mismatch", 0)
    assert await count(services.database, OrderRow) == 0


async def test_control_dearer_order_is_accepted_without_displayed_amounts(services):
    unseen = replace(await offered(services), displayed_amounts=())
    assert (await services.ordering.prepare(unseen)).order.bill.discount == 0
