"""Placing orders: prices, errors and their messages."""

from dataclasses import replace

import pytest

from campus_app.ordering.rules.errors import PriceMismatch
from campus_app.ordering.rules.instructions import Instructions
from campus_app.ordering.rules.order import OrderLine, OrderState, OrderType
from campus_app.ordering.services.ordering import Ordering
from campus_app.ordering.sql.tables import OrderRow
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.errors import Conflict, Invalid, NotFound
from campus_app.shared.rules.money import ZERO, rupees
from tests.helpers.builders import (
    CUSTOMER,
    QUANTITIES,
    at,
    order_request,
    reservation_request,
)
from tests.helpers.databases import both_databases
from tests.helpers.errors import ordering_error
from tests.helpers.flows import sell
from tests.helpers.tables import count

pytestmark = pytest.mark.anyio


# Quotes


def test_quote_uses_current_menu_prices(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, {"104": "110", "112": "160.50"})
    quote = services.ordering.quote(1, Campus.NORTH, {"104": 2, "112": 1})
    assert (quote.bill.subtotal, quote.restaurant.id) == (rupees("380.50"), 1)
    sell(data_dir, 1, {"104": "111", "112": "160.50"})
    quote = services.ordering.quote(1, Campus.NORTH, {"104": 2, "112": 1})
    assert quote.bill.subtotal == rupees("382.50")
    assert quote.missing == ()


def test_quote_lists_missing_dish_without_charging_it(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, {"104": "110"})
    quote = services.ordering.quote(1, Campus.NORTH, {"104": 2, "999": 3})
    assert (quote.bill.subtotal, quote.missing) == (rupees(220), ("999",))


def test_quote_raises_not_found_for_unknown_restaurant(ordering):
    with pytest.raises(NotFound) as raised:
        ordering.quote(99, Campus.NORTH, QUANTITIES)
    assert raised.value.code == "unknown_restaurant"


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


async def test_dish_of_a_price_that_overflows_is_not_sold(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, {"104": "429497", "112": "160.50"})
    error = await ordering_error(services.ordering.prepare(order_request(quantities={"104": 50})))
    assert error.code == "unknown_item"


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
    assert (bill.grand_total, bill.online, bill.remaining) == (
        rupees(405),
        rupees(70),
        rupees(335),
    )
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


async def test_prepare_applies_wednesday_offer(ordering):
    # Source: specification M7.
    request = order_request(restaurant_id=5, quantities={"501": 3})
    bill = (await ordering.prepare(request)).order.bill
    assert bill.discount == bill.subtotal / 3
    assert bill.discount_name.startswith("Wednesday")


async def test_prepare_omits_dishes_with_zero_quantity(ordering):
    stored = await ordering.prepare(order_request(quantities={**QUANTITIES, "105": 0, "999": 0}))
    assert [line.dish_id for line in stored.order.lines] == list(QUANTITIES)


def with_customer(**changes):
    return order_request(customer=CUSTOMER | changes)


@pytest.mark.parametrize(
    ("request_", "kind", "code"),
    [
        pytest.param(
            order_request(restaurant_id=99), NotFound, "unknown_restaurant", id="404 restaurant"
        ),
        pytest.param(
            order_request(quantities={**QUANTITIES, "999": 1}),
            NotFound,
            "unknown_item",
            id="404 dish",
        ),
        pytest.param(
            order_request(quantities={"201": 50}), NotFound, "unknown_item", id="404 another's dish"
        ),
        pytest.param(
            order_request(restaurant_id=4, quantities={"401": 5}),
            Conflict,
            "restaurant_closed",
            id="409 closed by its hours",
        ),
        pytest.param(
            order_request(displayed_amounts=[("grand_total", rupees(1))]),
            PriceMismatch,
            "price_mismatch",
            id="409 another total",
        ),
        pytest.param(
            reservation_request(slot="12:30"), Conflict, "slot_unavailable", id="409 a past slot"
        ),
        pytest.param(
            order_request(quantities={"103": 2}), Invalid, "below_minimum", id="422 below 200"
        ),
        pytest.param(
            replace(reservation_request(), quantities={"202": 3}),
            Invalid,
            "below_minimum",
            id="422 below 400 with a table",
        ),
        pytest.param(order_request(quantities={}), Invalid, "validation_error", id="422 no dish"),
        pytest.param(
            order_request(quantities={"104": 0}), Invalid, "validation_error", id="422 none of it"
        ),
    ],
)
async def test_prepare_raises_error_for_invalid_order(services, request_, kind, code):
    # Source: specification C3.6.
    error = await ordering_error(services.ordering.prepare(request_))
    assert (type(error), error.code) == (kind, code)
    assert error.message
    assert await count(services.database, OrderRow) == 0


@pytest.mark.parametrize(
    ("request_", "field", "message"),
    [
        pytest.param(with_customer(fullName=" "), "fullName", "Name is required", id="no name"),
        pytest.param(with_customer(email=""), "email", "Email is required", id="no email"),
        pytest.param(
            with_customer(email="aarav"), "email", "Please enter a valid email address", id="email"
        ),
        pytest.param(
            with_customer(phoneNumber="+91"), "phoneNumber", "Phone number is required", id="phone"
        ),
        pytest.param(
            with_customer(phoneNumber="12345"),
            "phoneNumber",
            "Please enter a valid Indian phone number",
            id="wrong phone",
        ),
        pytest.param(with_customer(address=""), "address", "Address is required", id="no address"),
        pytest.param(
            order_request(customer={}), "fullName", "Name is required", id="no customer at all"
        ),
        pytest.param(
            order_request(campus="west"),
            "selectedCampus",
            "The campus is north or south.",
            id="campus",
        ),
        pytest.param(
            order_request(donation=rupees(3)),
            "dogDonation",
            "A donation is 0, 5, 10, 20 or 50 rupees.",
            id="M6: donation 3",
        ),
        pytest.param(
            order_request(donation=rupees(-5)),
            "dogDonation",
            "A donation is 0, 5, 10, 20 or 50 rupees.",
            id="M6: a negative donation",
        ),
        pytest.param(
            order_request(quantities={"104": 51}),
            "items",
            "A quantity is a whole number from 0 to 50.",
            id="M14: 51",
        ),
        pytest.param(
            order_request(quantities={"104": -1}),
            "items",
            "A quantity is a whole number from 0 to 50.",
            id="M14: -1",
        ),
        pytest.param(
            order_request(note="x" * 301),
            "specialInstructions",
            "Please shorten the note to 300 characters",
            id="a long note",
        ),
        pytest.param(
            order_request(instructions=Instructions(door_note="x" * 301)),
            "deliveryInstructions",
            "Please shorten the note to 300 characters",
            id="a long note for the door",
        ),
        pytest.param(
            order_request(requested_number="AS_1"),
            "orderId",
            "An order number looks like AS_482.",
            id="a number of one digit",
        ),
        pytest.param(
            reservation_request(party_size=0),
            "partySize",
            "A table is for 1 to 8 guests.",
            id="spec 5: no guests",
        ),
        pytest.param(
            reservation_request(party_size=9),
            "partySize",
            "A table is for 1 to 8 guests.",
            id="5.14: nine",
        ),
        pytest.param(
            reservation_request(restaurant_id=1),
            "preReservation",
            "Kulhad Café does not take reservations.",
            id="a table elsewhere",
        ),
        pytest.param(
            order_request(reservation=reservation_request().reservation),
            "preReservation",
            "Pehla Food Point does not take reservations.",
            id="R7: only restaurant 2",
        ),
    ],
)
async def test_prepare_reports_errors_by_field(services, request_, field, message):
    error = await ordering_error(services.ordering.prepare(request_))
    assert isinstance(error, Invalid)
    assert error.code == "validation_error"
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
        pytest.param(at(10, 29, 59), False, id="just before it opens"),
        pytest.param(at(10, 30), True, id="when it opens"),
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
        pytest.param(at(11), "12:00", 18, True, id="the first slot"),
        pytest.param(at(11), "17:30", 18, True, id="the last slot"),
        pytest.param(at(11), "18:00", 18, False, id="after the last slot"),
        pytest.param(at(11), "12:15", 18, False, id="between two slots"),
        pytest.param(at(11), "noon", 18, False, id="no slot at all"),
        pytest.param(at(11), "", 18, False, id="without a slot"),
        pytest.param(at(12, 30), "12:30", 18, False, id="a slot that begins now"),
        pytest.param(at(12, 29, 59), "12:30", 18, True, id="a slot that begins soon"),
        pytest.param(at(11), "12:00", 17, False, id="yesterday"),
        pytest.param(at(11), "12:00", 19, False, id="tomorrow, while today has slots"),
        pytest.param(at(17, 30), "12:00", 19, True, id="tomorrow, once today's are over"),
        pytest.param(at(17, 30), "12:00", 20, False, id="the day after"),
    ],
)
async def test_reservation_requires_bookable_slot(ordering, clock, moment, slot, day, is_taken):
    clock.set(moment)
    request = reservation_request(slot=slot, date=at(0, day=day).date())
    if is_taken:
        assert (await ordering.prepare(request)).order.reservation.date.day == day
    else:
        assert (await ordering_error(ordering.prepare(request))).code == "slot_unavailable"


@pytest.mark.parametrize(("guests", "is_taken"), [(1, True), (8, True), (True, False)])
async def test_reservation_requires_valid_party_size(ordering, guests, is_taken):
    request = reservation_request(party_size=guests)
    if is_taken:
        assert (await ordering.prepare(request)).order.reservation.party_size == guests
    else:
        assert "partySize" in (await ordering_error(ordering.prepare(request))).fields


# The minimum. Source: specification M8.


@pytest.mark.parametrize(
    ("price", "missing"),
    [
        pytest.param("200", None, id="M8: at least 200"),
        pytest.param("199.99", "₹0.01", id="a paisa less"),
        pytest.param("1", "₹199", id="far less"),
    ],
)
async def test_prepare_refuses_order_below_minimum(new_services, data_dir, price, missing):
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, {"104": price})
    request = order_request(quantities={"104": 1})
    if missing is None:
        assert await services.ordering.prepare(request)
    else:
        error = await ordering_error(services.ordering.prepare(request))
        assert error.message == f"Add {missing} more to reach the ₹200 minimum."


@pytest.mark.parametrize(
    ("price", "missing"),
    [
        pytest.param("444.44", None, id="400.00 after the discount of 44.44"),
        pytest.param("444.43", "₹0.01", id="399.99 after the discount of 44.44"),
    ],
)
async def test_prepare_applies_minimum_of_pre_reservation_after_discount(
    new_services, data_dir, price, missing
):
    services = new_services(data_dir=data_dir)
    sell(data_dir, 2, {"202": price})
    request = replace(reservation_request(), quantities={"202": 1})
    if missing is None:
        assert (await services.ordering.prepare(request)).order.bill.total == rupees(400)
    else:
        error = await ordering_error(services.ordering.prepare(request))
        assert error.message == f"Add {missing} more to reach the ₹400 minimum."


# Displayed amounts. Source: specification M1.


FIGURES = (
    "subtotal",
    "discount",
    "delivery_fee",
    "convenience_fee",
    "donation",
    "grand_total",
    "online",
    "remaining",
)


@pytest.mark.parametrize("figure", [*FIGURES, "amount"])
@pytest.mark.parametrize("off_by", ["0.01", "-0.01", "-100"])
async def test_prepare_raises_price_mismatch_when_displayed_amount_differs(
    services, figure, off_by
):
    bill = services.ordering.quote(1, Campus.NORTH, QUANTITIES).bill
    shown = bill.remaining if figure == "amount" else getattr(bill, figure)
    request = order_request(displayed_amounts=[(figure, shown + rupees(off_by))])
    error = await ordering_error(services.ordering.prepare(request))
    assert isinstance(error, PriceMismatch)
    assert (error.code, error.bill) == ("price_mismatch", bill)
    assert await count(services.database, OrderRow) == 0


async def test_control_browser_sets_price_when_displayed_amounts_are_trusted(services):
    class Believing(Ordering):
        def quote(self, *wanted, **terms):
            quote = super().quote(*wanted, **terms)
            return replace(quote, bill=replace(quote.bill, **dict(displayed_amounts)))

    displayed_amounts = [("online", rupees(1)), ("remaining", ZERO), ("grand_total", rupees(1))]
    whole = services.ordering
    believing = Believing(
        whole.catalogue, whole.statuses, whole.orders, whole.clock, whole.provider
    )
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


async def test_prepare_raises_price_mismatch_when_dish_price_differs(ordering):
    request = order_request(displayed_prices={"104": rupees(1)})
    assert isinstance(await ordering_error(ordering.prepare(request)), PriceMismatch)


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
