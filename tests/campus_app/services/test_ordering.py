"""Placing orders: refusals and their messages, and idempotency."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from campus_app.adapters.sql.orders import SqlOrders
from campus_app.adapters.sql.tables import OrderRow
from campus_app.domain.campus import Campus
from campus_app.domain.errors import Conflict, Invalid, NotFound, OrderingError, PriceMismatch
from campus_app.domain.money import ZERO, rupees
from campus_app.domain.order import OrderLine, OrderState, OrderType
from campus_app.domain.payment import PaymentState
from campus_app.services.ordering import Ordering
from tests.helpers.builders import (
    CUSTOMER,
    QUANTITIES,
    at,
    order_request,
    reservation_request,
)
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import pay, press, sell, with_orders
from tests.helpers.tables import count, rows
from tests.helpers.waiting import meet

pytestmark = pytest.mark.anyio


@pytest.fixture
def ordering(services):
    return services.ordering


async def refusal(awaitable):
    with pytest.raises(OrderingError) as refused:
        await awaitable
    return refused.value


# Quotes


@sqlite_only
def test_quote_uses_current_menu_prices(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, {"104": "110", "112": "160.50"})
    quote = services.ordering.quote(1, Campus.NORTH, {"104": 2, "112": 1})
    assert (quote.bill.subtotal, quote.restaurant.id) == (rupees("380.50"), 1)
    sell(data_dir, 1, {"104": "111", "112": "160.50"})
    quote = services.ordering.quote(1, Campus.NORTH, {"104": 2, "112": 1})
    assert quote.bill.subtotal == rupees("382.50")
    assert quote.missing == ()


@sqlite_only
def test_quote_lists_missing_dish_without_charging_it(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, {"104": "110"})
    quote = services.ordering.quote(1, Campus.NORTH, {"104": 2, "999": 3})
    assert (quote.bill.subtotal, quote.missing) == (rupees(220), ("999",))


@sqlite_only
def test_quote_raises_not_found_for_unknown_restaurant(ordering):
    with pytest.raises(NotFound) as refused:
        ordering.quote(99, Campus.NORTH, QUANTITIES)
    assert refused.value.code == "unknown_restaurant"


# Preparing


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
    assert (order.restaurant_id, order.campus, order.note) == (1, Campus.NORTH, "No onions")
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


async def test_prepare_stores_reservation(ordering):
    stored = await ordering.prepare(reservation_request())
    table, bill = stored.order.reservation, stored.order.bill
    assert (table.restaurant_id, f"{table.slot:%H:%M}", table.party_size) == (2, "17:30", 4)
    assert table.date == ordering.clock.now().date()
    assert stored.order.type is OrderType.PRE_RESERVE
    assert bill.discount == bill.subtotal / 10
    assert (bill.delivery_fee, bill.online, bill.minimum) == (ZERO, rupees(20), rupees(400))


@sqlite_only
async def test_prepare_applies_wednesday_offer(ordering):
    # Source: specification M7.
    request = order_request(restaurant_id=5, quantities={"501": 3})
    bill = (await ordering.prepare(request)).order.bill
    assert bill.discount == bill.subtotal / 3
    assert bill.discount_name.startswith("Wednesday")


@sqlite_only
async def test_prepare_omits_dishes_with_zero_quantity(ordering):
    stored = await ordering.prepare(order_request(quantities={**QUANTITIES, "105": 0, "999": 0}))
    assert [line.item_id for line in stored.order.lines] == list(QUANTITIES)


def with_customer(**changes):
    return order_request(customer=CUSTOMER | changes)


@sqlite_only
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
            order_request(displayed_amounts={"grand_total": rupees(1)}),
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
    refused = await refusal(services.ordering.prepare(request_))
    assert (type(refused), refused.code) == (kind, code)
    assert refused.message
    assert await count(services.database, OrderRow) == 0


@sqlite_only
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
    refused = await refusal(services.ordering.prepare(request_))
    assert isinstance(refused, Invalid)
    assert refused.code == "validation_error"
    assert refused.fields[field] == message
    assert refused.message == message
    assert await count(services.database, OrderRow) == 0


@sqlite_only
async def test_prepare_reports_all_errors_at_once(ordering):
    wrong = order_request(customer={}, campus="", donation=rupees(1), requested_number="?")
    refused = await refusal(ordering.prepare(wrong))
    assert set(refused.fields) == {
        "fullName",
        "email",
        "phoneNumber",
        "address",
        "selectedCampus",
        "dogDonation",
        "orderId",
    }


@sqlite_only
async def test_prepare_refuses_campus_that_is_not_served(new_services, data_dir):
    # Source: specification R5.
    file = data_dir / "restaurants.csv"
    text = file.read_text().replace("north|south,false", "south,false", 1)
    file.write_text(text)
    refused = await refusal(new_services(data_dir=data_dir).ordering.prepare(order_request()))
    assert (refused.code, refused.message) == (
        "not_served",
        "Pehla Food Point does not deliver to this campus.",
    )


# Closed. Source: specification M12, R2.


@sqlite_only
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
        refused = await refusal(ordering.prepare(order_request()))
        assert refused.code == "restaurant_closed"
        assert refused.message == "Pehla Food Point is closed right now."


@sqlite_only
async def test_prepare_refuses_when_restaurant_is_forced_closed(services):
    await services.board.set_override(1, is_open=False, message="No gas")
    refused = await refusal(services.ordering.prepare(order_request()))
    assert refused.code == "restaurant_closed"
    assert refused.message == "Pehla Food Point is not delivering right now."
    await services.board.set_override(1, is_open=True, message="")
    assert await services.ordering.prepare(order_request())


@sqlite_only
async def test_prepare_refuses_when_menu_is_unreadable(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    (data_dir / "menu_1.csv").write_text("")
    refused = await refusal(services.ordering.prepare(order_request()))
    assert (type(refused), refused.code) == (Conflict, "restaurant_closed")
    assert refused.message == "Menu data is empty"


@sqlite_only
def test_require_open_id_raises_when_closed_or_unknown(ordering, clock):
    ordering.require_open_id(1)
    with pytest.raises(NotFound):
        ordering.require_open_id(99)
    clock.set(at(21))
    with pytest.raises(Conflict):
        ordering.require_open_id(1)


# Tables. Source: specification 5.12 to 5.14, 9.13, R7.


@sqlite_only
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
        assert (await refusal(ordering.prepare(request))).code == "slot_unavailable"


@sqlite_only
@pytest.mark.parametrize(("guests", "is_taken"), [(1, True), (8, True), (True, False)])
async def test_reservation_requires_valid_party_size(ordering, guests, is_taken):
    request = reservation_request(party_size=guests)
    if is_taken:
        assert (await ordering.prepare(request)).order.reservation.party_size == guests
    else:
        assert "partySize" in (await refusal(ordering.prepare(request))).fields


# The minimum. Source: specification M8.


@sqlite_only
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
        refused = await refusal(services.ordering.prepare(request))
        assert refused.message == f"Add {missing} more to reach the ₹200 minimum."


@sqlite_only
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
        refused = await refusal(services.ordering.prepare(request))
        assert refused.message == f"Add {missing} more to reach the ₹400 minimum."


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


@sqlite_only
@pytest.mark.parametrize("figure", [*FIGURES, "amount"])
@pytest.mark.parametrize("off_by", ["0.01", "-0.01", "-100"])
async def test_prepare_raises_price_mismatch_when_displayed_amount_differs(
    services, figure, off_by
):
    bill = services.ordering.quote(1, Campus.NORTH, QUANTITIES).bill
    shown = bill.remaining if figure == "amount" else getattr(bill, figure)
    request = order_request(displayed_amounts={figure: shown + rupees(off_by)})
    refused = await refusal(services.ordering.prepare(request))
    assert isinstance(refused, PriceMismatch)
    assert (refused.code, refused.bill) == ("price_mismatch", bill)
    assert await count(services.database, OrderRow) == 0


@sqlite_only
async def test_control_browser_sets_price_when_displayed_amounts_are_trusted(services):
    class Believing(Ordering):
        def quote(self, *wanted, **terms):
            quote = super().quote(*wanted, **terms)
            return replace(quote, bill=replace(quote.bill, **displayed_amounts))

    displayed_amounts = {"online": rupees(1), "remaining": ZERO, "grand_total": rupees(1)}
    whole = services.ordering
    believing = Believing(whole.catalogue, whole.board, whole.orders, whole.clock, whole.provider)
    stored = await believing.prepare(order_request(displayed_amounts=displayed_amounts))
    assert stored.payment.amount == rupees(1)
    assert isinstance(
        await refusal(whole.prepare(order_request(displayed_amounts=displayed_amounts))),
        PriceMismatch,
    )


@sqlite_only
async def test_prepare_accepts_correct_displayed_amounts(ordering):
    quote = ordering.quote(1, Campus.NORTH, QUANTITIES)
    displayed_amounts = {figure: getattr(quote.bill, figure) for figure in FIGURES}
    prices = {line.item.id: line.item.price for line in quote.lines}
    for amount in (quote.bill.remaining, quote.bill.online):
        request = order_request(
            displayed_amounts=displayed_amounts | {"amount": amount}, displayed_prices=prices
        )
        assert (await ordering.prepare(request)).order.bill == quote.bill


@sqlite_only
async def test_prepare_raises_price_mismatch_when_dish_price_differs(ordering):
    request = order_request(displayed_prices={"104": rupees(1)})
    assert isinstance(await refusal(ordering.prepare(request)), PriceMismatch)


@sqlite_only
async def test_price_mismatch_has_new_bill_when_price_changes(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, {"104": "110"})
    request = order_request(
        quantities={"104": 2},
        displayed_amounts={
            "grand_total": services.ordering.quote(1, Campus.NORTH, {"104": 2}).bill.grand_total
        },
    )
    sell(data_dir, 1, {"104": "120"})
    refused = await refusal(services.ordering.prepare(request))
    assert refused.bill.subtotal == rupees(240)
    assert refused.message.startswith("A price has changed.")


async def offered(services):
    """Return an order with the Wednesday offer; the clock is on Thursday now."""
    bill = services.ordering.quote(5, Campus.NORTH, {"501": 3}).bill
    assert bill.discount > 0
    services.clock.advance(days=1)
    return order_request(
        restaurant_id=5, quantities={"501": 3}, displayed_amounts={"grand_total": bill.grand_total}
    )


async def test_price_mismatch_has_current_bill_when_offer_has_ended(services):
    # Source: docs/invariants.md I10.
    refused = await refusal(services.ordering.prepare(await offered(services)))
    assert (refused.code, refused.bill.discount) == ("price_mismatch", 0)
    assert await count(services.database, OrderRow) == 0


async def test_control_dearer_order_is_accepted_without_displayed_amounts(services):
    unseen = replace(await offered(services), displayed_amounts={})
    assert (await services.ordering.prepare(unseen)).order.bill.discount == 0


# The same order twice


async def test_prepare_returns_same_order_for_same_idempotency_key(services):
    # Source: specification C3.7.
    first = await services.ordering.prepare(order_request(), "key")
    assert await services.ordering.prepare(order_request(), "key") == first
    assert await count(services.database, OrderRow) == 1


async def test_prepare_repeats_first_answer_when_restaurant_has_closed(
    new_services, data_dir, clock
):
    services = new_services(data_dir=data_dir)
    first = await services.ordering.prepare(order_request(), "key")
    sell(data_dir, 1, {"104": "999"})
    clock.set(at(23))
    assert await services.ordering.prepare(order_request(), "key") == first


async def test_prepare_refuses_key_of_another_order(services):
    await services.ordering.prepare(order_request(), "key")
    refused = await refusal(services.ordering.prepare(order_request(campus="south"), "key"))
    assert refused.code == "idempotency_conflict"
    assert await count(services.database, OrderRow) == 1


@sqlite_only
@pytest.mark.parametrize(
    "change",
    [
        {"restaurant_id": 5},
        {"campus": "south"},
        {"customer": CUSTOMER | {"address": "Hostel 5"}},
        {"quantities": {"104": 3, "112": 1}},
        {"donation": rupees(5)},
        {"note": "No onions"},
    ],
    ids=lambda change: next(iter(change)),
)
async def test_fingerprint_differs_when_any_field_differs(ordering, change):
    await ordering.prepare(order_request(), "key")
    refused = await refusal(ordering.prepare(order_request(**change), "key"))
    assert refused.code == "idempotency_conflict"


@sqlite_only
@pytest.mark.parametrize("change", [{"slot": "17:00"}, {"party_size": 5}], ids=str)
async def test_fingerprint_differs_when_reservation_differs(ordering, change):
    await ordering.prepare(reservation_request(), "key")
    refused = await refusal(ordering.prepare(reservation_request(**change), "key"))
    assert refused.code == "idempotency_conflict"


@sqlite_only
async def test_fingerprint_ignores_order_of_dishes(ordering):
    first = await ordering.prepare(order_request(quantities={"104": 2, "112": 1}), "key")
    again = order_request(quantities={"112": 1, "105": 0, "104": 2})
    assert await ordering.prepare(again, "key") == first


async def test_prepare_without_key_creates_two_orders(services):
    first = await services.ordering.prepare(order_request())
    second = await services.ordering.prepare(order_request())
    assert first.order.number != second.order.number
    assert await count(services.database, OrderRow) == 2


async def test_prepare_returns_same_order_for_same_requested_number(services):
    # Source: specification C3.7.
    wanted = order_request(requested_number="AS_482")
    first = await services.ordering.prepare(wanted)
    assert first.order.number == "AS_482"
    assert await services.ordering.prepare(wanted) == first
    assert await count(services.database, OrderRow) == 1


async def test_prepare_refuses_requested_number_with_other_content(services):
    await services.ordering.prepare(order_request(requested_number="AS_482"))
    other = order_request(requested_number="AS_482", campus="south")
    assert (await refusal(services.ordering.prepare(other))).code == "order_id_taken"
    assert await count(services.database, OrderRow) == 1


async def test_prepare_creates_new_order_when_requested_number_is_free_again(services, clock):
    wanted = order_request(requested_number="AS_482")
    first = await services.ordering.prepare(wanted)
    clock.advance(hours=24)
    second = await services.ordering.prepare(wanted)
    assert second.order.number == "AS_482"
    assert second.order.id != first.order.id


class MeetingOrders(SqlOrders):
    """Lets several requests see that nothing is stored before any of them stores."""

    meeting: asyncio.Barrier

    async def by_key(self, idempotency_key):
        return await self._met(await super().by_key(idempotency_key))

    async def by_number(self, number):
        return await self._met(await super().by_number(number))

    async def _met(self, found):
        if found is None:
            await meet(self.meeting)
        return found


def meeting(services, parties):
    orders = MeetingOrders(services.database, services.outbox.wake.set)
    orders.meeting = asyncio.Barrier(parties)
    return replace(services.ordering, orders=orders)


async def test_concurrent_requests_with_same_key_create_one_order(services):
    ordering = meeting(services, 10)
    stored = await asyncio.gather(*(ordering.prepare(order_request(), "key") for _ in range(10)))
    assert len({each.order.id for each in stored}) == 1
    assert await count(services.database, OrderRow) == 1


async def test_concurrent_requests_with_same_key_and_other_content_conflict(services):
    ordering = meeting(services, 2)
    outcomes = await asyncio.gather(
        ordering.prepare(order_request(), "key"),
        ordering.prepare(order_request(campus="south"), "key"),
        return_exceptions=True,
    )
    refused = [each for each in outcomes if isinstance(each, Conflict)]
    assert [each.code for each in refused] == ["idempotency_conflict"]
    assert await count(services.database, OrderRow) == 1


@pytest.mark.parametrize("key", ["", "key"], ids=["without a key", "with a key"])
async def test_concurrent_requests_with_same_number_create_one_order(services, key):
    ordering = meeting(services, 5)
    wanted = order_request(requested_number="AS_482")
    stored = await asyncio.gather(*(ordering.prepare(wanted, key) for _ in range(5)))
    assert len({each.order.id for each in stored}) == 1
    assert await count(services.database, OrderRow) == 1


# Carts. Source: specification M15.


async def test_prepare_cart_returns_same_order_when_unchanged(services):
    first = await services.ordering.prepare_cart(order_request(), "cart")
    assert await services.ordering.prepare_cart(order_request(), "cart") == first
    assert await count(services.database, OrderRow) == 1


async def test_prepare_cart_creates_one_order_per_cart(services):
    first = await services.ordering.prepare_cart(order_request(), "cart")
    second = await services.ordering.prepare_cart(order_request(), "another cart")
    assert first.order.id != second.order.id


async def test_prepare_cart_replaces_unpaid_order_when_cart_changed(services):
    ordering = services.ordering
    first = await ordering.prepare_cart(order_request(), "cart")
    second = await ordering.prepare_cart(order_request(quantities={"104": 3}), "cart")
    assert second.order.id != first.order.id
    assert (await ordering.orders.by_id(first.order.id)).order.state is OrderState.REPLACED
    assert await ordering.orders.latest_of_cart("cart") == second
    assert await ordering.prepare_cart(order_request(quantities={"104": 3}), "cart") == second


async def test_prepare_cart_creates_new_order_when_cart_is_changed_back(services):
    ordering = services.ordering
    first = await ordering.prepare_cart(order_request(), "cart")
    await ordering.prepare_cart(order_request(quantities={"104": 3}), "cart")
    third = await ordering.prepare_cart(order_request(), "cart")
    assert third.order.id != first.order.id
    states = [row.state for row in await rows(services.database, OrderRow)]
    assert sorted(states) == ["pending", "replaced", "replaced"]


async def test_prepare_cart_replaces_unpaid_order_when_prices_changed(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    first = await services.ordering.prepare_cart(order_request(), "cart")
    sell(data_dir, 1, {"104": "200", "112": "100"})
    second = await services.ordering.prepare_cart(order_request(), "cart")
    assert second.order.bill.subtotal == rupees(500)
    replaced = await services.ordering.orders.by_id(first.order.id)
    assert replaced.order.state is OrderState.REPLACED


@sqlite_only
@pytest.mark.parametrize(
    ("overtaking", "price"),
    [
        pytest.param({"note": "No onions"}, "110", id="another note, and the same bill"),
        pytest.param({}, "120", id="the same request, at another price"),
        pytest.param({"quantities": {"104": 4}}, "110", id="another dish"),
    ],
)
async def test_prepare_cart_keeps_displayed_content_after_lost_race(
    new_services, data_dir, overtaking, price
):
    """Two tabs order one cart concurrently: each gets its own order or the same one."""
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, {"104": price})
    wanted = {"quantities": {"104": 3}}

    class Overtaken(SqlOrders):
        has_been = False

        async def create(self, draft, now, provider):
            if not self.has_been:
                self.has_been = True
                sell(data_dir, 1, {"104": price})
                other = order_request(**wanted | overtaking)
                self.other = await services.ordering.prepare_cart(other, "cart")
            return await super().create(draft, now, provider)

    sell(data_dir, 1, {"104": "110"})
    overtaken = with_orders(services, Overtaken).ordering
    placed = await overtaken.prepare_cart(order_request(**wanted), "cart")
    assert (placed.order.note, placed.order.bill.subtotal) == ("", rupees(price) * 3)
    assert await services.ordering.orders.latest_of_cart("cart") == placed


async def test_prepare_cart_returns_paid_order(services):
    first = await services.ordering.prepare_cart(order_request(), "cart")
    paid = await pay(services, first)
    again = await services.ordering.prepare_cart(order_request(quantities={"104": 3}), "cart")
    assert again == paid
    assert await count(services.database, OrderRow) == 1


async def test_prepare_cart_returns_order_that_is_refunded(services):
    first = await services.ordering.prepare_cart(order_request(), "cart")
    await services.payments.open_checkout(first)
    await services.board.set_override(1, is_open=False, message="")
    await press(services, first)
    returned = await services.payments.reconcile(first.payment)
    assert returned.order.state is OrderState.REFUND_DUE
    assert await services.ordering.prepare_cart(order_request(), "cart") == returned


@pytest.mark.parametrize("is_known", [True, False], ids=["and we know", "and nobody has looked"])
async def test_prepare_cart_creates_new_order_when_lapsed(services, clock, is_known):
    first = await services.ordering.prepare_cart(order_request(), "cart")
    await services.payments.open_checkout(first)
    clock.set(first.payment.expires_at)
    if is_known:
        lapsed = await services.payments.reconcile(first.payment)
        assert lapsed.order.state is OrderState.LAPSED
    second = await services.ordering.prepare_cart(order_request(), "cart")
    assert second.order.id != first.order.id
    assert second.payment.expires_at == clock.now() + timedelta(minutes=20)
    assert await services.payments.open_checkout(second)


async def test_prepare_cart_returns_same_order_after_declined_payment(services):
    first = await services.ordering.prepare_cart(order_request(), "cart")
    await services.payments.orders.transition(first.payment, PaymentState.FAILED, "declined")
    again = await services.ordering.prepare_cart(order_request(), "cart")
    assert again.order.id == first.order.id


@pytest.mark.parametrize(
    "request_",
    [order_request(quantities={}), order_request(restaurant_id=4), order_request(campus="")],
    ids=["no dish", "closed", "no campus"],
)
async def test_prepare_cart_replaces_nothing_when_refused(services, request_):
    first = await services.ordering.prepare_cart(order_request(), "cart")
    await refusal(services.ordering.prepare_cart(request_, "cart"))
    assert await services.ordering.orders.by_id(first.order.id) == first


async def test_two_tabs_with_one_cart_leave_one_payable_order(services):
    class Meeting(SqlOrders):
        async def latest_of_cart(self, cart_key):
            newest = await super().latest_of_cart(cart_key)
            if newest is None:
                await meet(both_have_looked)
            return newest

    both_have_looked = asyncio.Barrier(2)
    orders = Meeting(services.database, services.outbox.wake.set)
    ordering = replace(services.ordering, orders=orders)
    first, second = await asyncio.gather(
        ordering.prepare_cart(order_request(), "cart"),
        ordering.prepare_cart(order_request(quantities={"104": 3}), "cart"),
    )
    assert first.order.id != second.order.id
    states = [row.state for row in await rows(services.database, OrderRow)]
    assert sorted(states) == ["pending", "replaced"]


async def test_prepare_cart_creates_no_order_when_paid_meanwhile(services):
    class PaidMeanwhile(SqlOrders):
        async def latest_of_cart(self, cart_key):
            newest = await super().latest_of_cart(cart_key)
            await pay(services, newest)
            return newest

    await services.ordering.prepare_cart(order_request(), "cart")
    orders = PaidMeanwhile(services.database, services.outbox.wake.set)
    ordering = replace(services.ordering, orders=orders)
    changed = order_request(quantities={"104": 3})
    assert (await refusal(ordering.prepare_cart(changed, "cart"))).code == "already_paid"
    assert await count(services.database, OrderRow) == 1


async def test_prepare_cart_works_after_clock_is_set_back(services, clock):
    """Each change replaces the previous order, whatever the clock says."""
    clock.advance(minutes=5)
    await services.ordering.prepare_cart(order_request(quantities={"104": 3}), "cart")
    clock.advance(minutes=-5)
    async with asyncio.timeout(5):
        for dishes in (4, 5, 6):
            request = order_request(quantities={"104": dishes})
            stored = await services.ordering.prepare_cart(request, "cart")
            assert stored.order.dishes == dishes
    states = [row.state for row in await rows(services.database, OrderRow)]
    assert sorted(states) == ["pending", "replaced", "replaced", "replaced"]
