"""Reservations and orders for a table.

Source: specification 2.32, 3.6, 4.8 to 4.10, 5.12 to 5.14, 9.13 to 9.15, R7.
"""

import json

import pytest
from reflex.state import UpdateVarsInternalState

from campus_app.ordering.rules.reservation import SLOTS
from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.checkout_state import CheckoutState
from campus_app.ordering.screens.confirmation_state import ConfirmationState
from campus_app.ordering.screens.customer_state import CustomerState
from campus_app.ordering.screens.reservation_state import ReservationState
from campus_app.ordering.screens.waiting_room_state import WaitingRoomState
from campus_app.ordering.services.order_requests import ReservationRequest
from campus_app.ordering.sql.tables import OrderRow, SeatHoldRow
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.errors import Conflict
from campus_app.shared.rules.messages import OrderMessage, ReservationMessage
from campus_app.shared.rules.money import format_rupees
from tests.helpers.builders import CUSTOMER, RESERVED_QUANTITIES, at
from tests.helpers.flows import press
from tests.helpers.sessions import Redirect
from tests.helpers.steps import banner, cart_totals, stored_cart, total_with_fees
from tests.helpers.tables import count, rows

pytestmark = pytest.mark.anyio

MENU = Redirect("/menu/2?preReserved=true")
WITHOUT_ADDRESS = {name: value for name, value in CUSTOMER.items() if name != "address"}
TABLE = "table for 4 at 17:30, Wed 18 Nov"


def kept(tab):
    """Return the stored reservation, or None."""
    text = tab.local.get("preReservation", "")
    return json.loads(text) if text else None


async def choose(tab, slot="17:30"):
    """Choose a table for four."""
    await tab.visit("/pre-reserve")
    await tab.call(ReservationState.choose, slot)
    for _ in range(2):
        await tab.call(ReservationState.more_guests)


async def reserve(tab, slot="17:30"):
    """Reserve a table for four and open its menu."""
    await choose(tab, slot)
    await tab.call(ReservationState.reserve)
    await tab.call(ReservationState.go_to_menu)
    await tab.follow_redirect()


async def order(tab):
    """Reserve a table with a filled cart."""
    tab.local["cart"] = stored_cart(RESERVED_QUANTITIES, 2)
    await reserve(tab)


async def to_summary(tab):
    await order(tab)
    await tab.call(CartState.proceed)
    await tab.follow_redirect()
    assert tab.get(CheckoutState.restaurant)


async def to_table_details(tab):
    await to_summary(tab)
    await tab.call(CheckoutState.next)
    await tab.follow_redirect()


async def to_waiting_room(tab):
    await to_table_details(tab)
    await tab.call(CustomerState.next, WITHOUT_ADDRESS)
    await tab.call(CustomerState.next, WITHOUT_ADDRESS)
    await tab.follow_redirect()
    assert tab.get(WaitingRoomState.seconds) > 0


async def to_payment(tab, services):
    """Press PAY for an order with a table; return the stored order."""
    await to_waiting_room(tab)
    await tab.call(WaitingRoomState.pay)
    return await services.payments.orders.by_number(tab.session["currentOrderId"])


async def taken_seats(services):
    now = services.clock.now()
    taken = await services.reservations.holds.seats_taken(2, now.date(), now)
    return {f"{slot:%H:%M}": seats for slot, seats in taken.items()}


async def fill_slot(services):
    left = 24 - (await taken_seats(services)).get("17:30", 0)
    while left:
        party = min(left, 8)
        await services.reservations.hold(
            ReservationRequest(2, "17:30", party, services.clock.now().date())
        )
        left -= party


# Choosing


async def test_slots_of_tomorrow_are_shown_when_none_of_today_is_left(tab, clock):
    # Source: specification R7.
    await tab.visit("/pre-reserve")
    seats = tab.get(ReservationState.seats)
    assert len(SLOTS) == 12
    past = [f"{slot:%H:%M}" for slot in SLOTS if f"{slot:%H:%M}" not in seats]
    assert (past, set(seats.values())) == (["12:00", "12:30", "13:00"], {24})
    assert tab.get(ReservationState.day) == "Wednesday 18 November"
    assert tab.get(ReservationState.is_today) is True
    clock.set(at(17, 30))
    await tab.visit("/pre-reserve")
    assert set(tab.get(ReservationState.seats).values()) == {24}
    assert tab.get(ReservationState.day) == "Thursday 19 November"
    assert tab.get(ReservationState.is_today) is False


async def test_slot_is_deselected_when_it_starts(tab, clock):
    await choose(tab, "13:30")
    assert tab.get(ReservationState.refresh_ms) == 30 * 60 * 1000 + 50
    clock.set(at(13, 30))
    await tab.call(ReservationState.refresh)
    assert "13:30" not in tab.get(ReservationState.seats)
    assert tab.get(ReservationState.slot) == ""
    assert tab.get(ReservationState.alert) == OrderMessage.SLOT_UNAVAILABLE


async def test_party_size_is_limited_to_one_to_eight(tab):
    await tab.visit("/pre-reserve")
    assert tab.get(ReservationState.party_size) == 2
    for _ in range(9):
        await tab.call(ReservationState.more_guests)
    assert tab.get(ReservationState.party_size) == 8
    for _ in range(9):
        await tab.call(ReservationState.fewer_guests)
    assert tab.get(ReservationState.party_size) == 1


async def test_choose_ignores_invalid_slot(tab, services):
    await tab.visit("/pre-reserve")
    for slot in ("", "12:15", "18:00", None, 5, [], {"a": 1}, "17:30\n"):
        await tab.call(ReservationState.choose, slot)
        await tab.call(ReservationState.reserve)
        assert tab.get(ReservationState.alert) == ReservationMessage.SLOT_REQUIRED
        assert await count(services.database, SeatHoldRow) == 0
        assert kept(tab) is None


async def test_reserve_does_nothing_when_slots_were_not_loaded(tab, services):
    await tab.call(ReservationState.choose, "17:30")
    await tab.call(ReservationState.reserve)
    await tab.call(ReservationState.go_to_menu)
    assert await count(services.database, SeatHoldRow) == 0
    assert tab.redirects == []


# Reserving


async def test_reserve_holds_table_and_redirects_to_menu(tab, services):
    await choose(tab)
    for _ in range(2):  # a second click holds no second table
        await tab.call(ReservationState.reserve)
        assert tab.get(ReservationState.is_reserving) is True
        assert tab.redirects == []
    (row,) = await rows(services.database, SeatHoldRow)
    assert kept(tab) == {
        "restaurant": "Kulhad Café",
        "restaurantId": 2,
        "timeSlot": "17:30",
        "partySize": 4,
        "date": "2026-11-18",
        "discount": 10,
        "reservationId": row.id,
        "timestamp": "2026-11-18T13:00:00+05:30",
        "isPreReservation": True,
        "orderType": "pre-reserve",
    }
    await tab.call(ReservationState.go_to_menu)
    assert tab.redirects == [MENU]
    assert tab.get(ReservationState.is_reserving) is False


async def test_reload_during_reserve_shows_held_table(open_tab):
    tab = open_tab()
    await choose(tab)
    await tab.call(ReservationState.reserve)
    again = open_tab(tab.local, tab.session)
    await again.visit("/pre-reserve")
    assert again.get(ReservationState.is_reserving) is False
    assert again.get(ReservationState.table) == TABLE
    assert again.get(ReservationState.held_until) == "13:10"
    assert (again.get(ReservationState.slot), again.get(ReservationState.party_size)) == (
        "17:30",
        4,
    )
    await again.call(ReservationState.order_for_table)
    assert again.redirects == [MENU]


async def test_session_holds_one_table_whatever_its_browser_has_stored(tab, services):
    # Source: specification R9.
    for slot in ("16:00", "16:30", "17:30"):
        tab.local.pop("preReservation", None)
        await choose(tab, slot)
        await tab.call(ReservationState.reserve)
        await tab.call(ReservationState.go_to_menu)
        await tab.synchronize(ReservationState.stored, "")
    assert await taken_seats(services) == {"17:30": 8}


async def test_valid_details_hold_the_table_for_the_time_to_pay(tab, clock):
    # Source: specification P3.4.
    await to_summary(tab)
    assert tab.get(ReservationState.held_until) == "13:10"
    clock.advance(minutes=9)
    await tab.call(CheckoutState.next)
    await tab.follow_redirect()
    for _ in range(2):
        await tab.call(CustomerState.next, WITHOUT_ADDRESS)
    await tab.follow_redirect()
    assert tab.get(ReservationState.held_until) == "13:39"


async def test_reserve_is_refused_when_slot_has_filled_up(tab, services):
    await choose(tab)
    await fill_slot(services)
    await tab.call(ReservationState.reserve)
    assert tab.get(ReservationState.alert) == ReservationMessage.SLOT_TAKEN
    assert tab.get(ReservationState.is_reserving) is False
    assert tab.get(ReservationState.seats)["17:30"] == 0
    assert kept(tab) is None


@pytest.mark.parametrize(
    ("slot", "moment", "day"),
    [("13:30", at(13, 30), "Wednesday 18"), ("17:30", at(9, day=19), "Thursday 19")],
    ids=["begun", "of yesterday"],
)
async def test_reserve_is_refused_when_slot_has_started(slot, moment, day, tab, clock):
    await choose(tab, slot)
    clock.set(moment)
    await tab.call(ReservationState.reserve)
    assert tab.get(ReservationState.alert) == OrderMessage.SLOT_UNAVAILABLE
    assert kept(tab) is None
    assert tab.get(ReservationState.day) == f"{day} November"


async def test_reserve_releases_old_hold_when_clock_was_set_back(tab, clock, services):
    await reserve(tab)
    clock.advance(minutes=-10)
    await reserve(tab)
    states = [row.state for row in await rows(services.database, SeatHoldRow)]
    assert sorted(states) == ["held", "released"]


async def test_reserve_is_refused_when_restaurant_is_closed(tab, services):
    await services.statuses.set_override(2, is_open=False, message="")
    await tab.visit("/pre-reserve")
    assert tab.get(ReservationState.alert) == "Kulhad Café is not delivering right now."
    await tab.call(ReservationState.choose, "17:30")
    await tab.call(ReservationState.reserve)
    assert tab.get(ReservationState.alert).startswith("Kulhad Café is not delivering")
    assert await count(services.database, SeatHoldRow) == 0


async def test_own_seats_count_as_free(tab, services):
    await reserve(tab)
    await fill_slot(services)
    await tab.visit("/pre-reserve")
    assert tab.get(ReservationState.seats)["17:30"] == 4


async def test_cancel_releases_table_and_keeps_cart(tab, services):
    await order(tab)
    cart = tab.local["cart"]
    await tab.visit("/pre-reserve")
    await tab.call(ReservationState.cancel)
    assert tab.redirects == [Redirect("/about")]
    assert banner(tab) == ReservationMessage.CANCELLED
    assert kept(tab) is None
    assert tab.local["cart"] == cart
    assert [row.state for row in await rows(services.database, SeatHoldRow)] == ["released"]


@pytest.mark.parametrize(
    ("campus", "address"), [("south", "/about2"), ("", "/campus")], ids=["south", "none"]
)
async def test_cancel_redirects_without_banner_when_no_table_is_held(campus, address, open_tab):
    tab = open_tab({"selectedCampus": campus})
    await choose(tab)
    await tab.call(ReservationState.cancel)
    assert tab.redirects == [Redirect(address)]
    assert banner(tab) == ""
    assert tab.local.get("selectedCampus", "") == campus


# The contact details of a table


async def test_table_order_stores_no_address_when_one_was_typed_for_delivery(tab, services):
    await to_table_details(tab)
    await tab.call(CustomerState.store_value, "address", "Hostel 4")
    await tab.call(CustomerState.next, WITHOUT_ADDRESS)
    await tab.call(CustomerState.next, WITHOUT_ADDRESS)
    await tab.follow_redirect()
    await tab.call(WaitingRoomState.pay)
    (row,) = await rows(services.database, OrderRow)
    assert row.address == ""
    assert json.loads(tab.session["checkoutDraft"])["details"]["address"] == "Hostel 4"


async def test_details_need_address_when_hold_has_expired(tab, clock):
    await to_table_details(tab)
    await tab.call(CustomerState.next, WITHOUT_ADDRESS)
    clock.advance(minutes=31)
    await tab.call(CustomerState.next, WITHOUT_ADDRESS)
    assert Redirect("/waiting-room") not in tab.redirects
    assert banner(tab) == ReservationMessage.HOLD_ENDED
    assert tab.get(ReservationState.is_ordering) is False
    assert tab.get(CustomerState.errors)["address"] == "Address is required"


async def test_waiting_room_redirects_to_details_when_delivery_has_no_address(tab):
    await to_waiting_room(tab)
    await tab.visit("/menu/2")
    await tab.visit("/checkout")
    await tab.visit("/waiting-room")
    assert tab.redirects == [Redirect("/personal-info", replaces=True)]


# The menu with a table


async def test_menu_with_table_has_other_minimum_and_discount(tab, open_tab):
    await order(tab)
    assert tab.get(CartState.is_reserved) is True
    assert cart_totals(tab) == ["₹550", "₹55", "₹495", "₹0"]
    assert tab.get(CartState.offer) == "Pre-reservation: 10% off"
    assert tab.get(ReservationState.table) == TABLE
    assert tab.get(ReservationState.held_ms) == 10 * 60 * 1000 + 50
    other = open_tab(tab.local)  # after a reload, and in a second tab
    await other.visit(MENU.address)
    assert cart_totals(other)[1] == "₹55"
    await other.visit("/checkout")
    assert other.get(CheckoutState.bill)["discount"] == "₹55"


async def test_table_minimum_is_four_hundred_after_discount(tab):
    tab.local["cart"] = stored_cart({"202": 4}, 2)
    await reserve(tab)
    assert cart_totals(tab) == ["₹440", "₹44", "₹396", "₹4.44"]
    await tab.call(CartState.proceed)
    assert tab.redirects == []
    await tab.call(CartState.add_dish, 2, "203")
    assert cart_totals(tab)[3] == "₹0"
    await tab.call(CartState.proceed)
    assert tab.redirects == [Redirect("/checkout")]


async def test_menu_without_flag_leaves_reservation_mode_and_keeps_hold(tab):
    await order(tab)
    await tab.visit("/menu/2")
    assert tab.get(CartState.is_reserved) is False
    assert cart_totals(tab) == ["₹550", "₹0", "₹550", "₹0"]
    assert (kept(tab)["isPreReservation"], kept(tab)["orderType"]) == (False, "normal")
    assert tab.get(ReservationState.table) == TABLE
    await tab.visit(MENU.address)
    assert tab.get(CartState.is_reserved) is True
    assert kept(tab)["isPreReservation"] is True


async def test_menu_of_another_restaurant_ignores_the_hold(tab):
    await tab.visit(MENU.address)  # no table is held yet
    assert (tab.get(CartState.is_reserved), banner(tab)) == (False, ReservationMessage.NOT_HELD)
    await order(tab)
    await tab.visit("/menu/5?preReserved=true")
    assert (tab.get(CartState.is_reserved), banner(tab)) == (False, ReservationMessage.NOT_HELD)


async def test_forged_reservation_id_gives_no_discount(tab):
    await order(tab)
    own = kept(tab)
    forged = {"partySize": 8, "timeSlot": "12:00", "discount": 90, "restaurantId": 5}
    tab.local["preReservation"] = json.dumps(own | forged)
    await tab.visit(MENU.address)  # the server's values replace the forged terms
    assert tab.get(ReservationState.table) == TABLE
    assert cart_totals(tab)[1] == "₹55"
    for id_ in ("an-id-that-nobody-ever-gave", {"a": 1}):
        tab.local["preReservation"] = json.dumps(own | {"reservationId": id_})
        await tab.visit(MENU.address)
        assert tab.get(CartState.is_reserved) is False
        assert cart_totals(tab)[1] == "₹0"


@pytest.mark.parametrize(
    ("opens", "step", "redirects"),
    [
        (order, (CartState.reprice,), []),
        (order, (CartState.proceed,), []),
        (to_summary, (CheckoutState.open,), []),
        (to_summary, (CheckoutState.next,), []),
        (to_summary, "/personal-info", [Redirect("/checkout", replaces=True)]),
        (to_waiting_room, (WaitingRoomState.pay,), [Redirect("/checkout")]),
    ],
    ids=["reprice", "proceed", "summary", "next", "details", "pay"],
)
async def test_step_announces_expired_hold_with_new_bill(opens, step, redirects, tab, clock):
    await opens(tab)
    clock.advance(minutes=30)
    tab.redirects.clear()
    await (tab.visit(step) if isinstance(step, str) else tab.call(*step))
    assert (tab.redirects, banner(tab)) == (redirects, ReservationMessage.HOLD_ENDED)
    assert tab.get(ReservationState.is_ordering) is False
    assert not tab.session.get("currentOrderId")
    await tab.visit("/checkout")
    assert tab.get(CheckoutState.bill)["grand_total"] == total_with_fees("550")
    await tab.call(CheckoutState.next)
    assert tab.redirects == [Redirect("/personal-info")]


async def test_reconnect_after_hold_expiry_shows_the_same_banner(tab, clock):
    await order(tab)
    clock.advance(minutes=30)
    await tab.call(CartState.reprice)
    await tab.visit(MENU.address)
    assert banner(tab) == ReservationMessage.HOLD_ENDED


async def test_proceed_announces_table_cancelled_in_another_tab(open_tab):
    tab = open_tab()
    await order(tab)
    other = open_tab(tab.local)
    await other.visit("/pre-reserve")
    await other.call(ReservationState.cancel)
    changed = {f"{ReservationState.get_full_name()}.stored": tab.local["preReservation"]}
    await tab.call(UpdateVarsInternalState.update_vars_internal, changed)
    await tab.call(CartState.proceed)
    assert tab.redirects == []
    assert banner(tab) == ReservationMessage.LEFT
    assert cart_totals(tab)[1] == "₹0"


# The bill


async def test_bill_of_table_has_no_delivery_fee(tab):
    await to_summary(tab)
    bill = tab.get(CheckoutState.bill)
    assert bill == {
        "subtotal": "₹550",
        "discount": "₹55",
        "discount_name": "Pre-reservation: 10% off",
        "delivery_fee": "₹0",
        "convenience_fee": "₹5",
        "donation": "₹0",
        "grand_total": "₹500",
        "online": "₹20",
        "remaining": "₹480",
    }
    assert tab.get(CheckoutState.online_workings) == [
        {"label": "Fixed for a reserved table", "amount": "₹20"}
    ]
    assert tab.get(ReservationState.is_ordering) is True


async def test_cart_of_another_restaurant_has_no_table(tab):
    await order(tab)
    tab.local["cart"] = stored_cart({"104": 3}, 1, key="the-key-of-another-cart")
    await tab.visit("/checkout")
    assert tab.get(CheckoutState.bill)["delivery_fee"] == format_rupees(Campus.NORTH.delivery_fee)
    assert tab.get(ReservationState.is_ordering) is False
    assert kept(tab)["isPreReservation"] is True


async def test_summary_redirects_to_table_menu_when_below_minimum(tab):
    tab.local["cart"] = stored_cart({"202": 3}, 2)
    await reserve(tab)
    await tab.visit("/checkout")
    assert tab.redirects == [Redirect(MENU.address, replaces=True)]
    assert banner(tab) == "Add ₹114.44 more to reach the ₹400 minimum."


# Paying


async def test_pay_attaches_table_to_the_order(tab, services):
    stored = await to_payment(tab, services)
    assert tab.get(WaitingRoomState.summary) == f"5 dishes, {TABLE}, for Aarav Sharma"
    assert stored.order.reservation.party_size == 4
    assert f"{stored.payment.amount}" == "20.00"
    (row,) = await rows(services.database, SeatHoldRow)
    assert (row.order_id, row.state) == (stored.order.id, "held")


async def test_paid_table_is_confirmed_and_removed_from_browser(tab, services):
    stored = await to_payment(tab, services)
    assert await press(services, stored)
    await tab.visit(f"/forms/response/{stored.order.response_token}")
    assert kept(tab) is None
    assert tab.local["cart"] == ""
    await tab.visit(
        f"/order-confirmation?order_id={stored.order.number}&token={stored.order.response_token}"
    )
    await tab.call(ConfirmationState.reveal, "")
    assert tab.get(ConfirmationState.table) == TABLE
    assert tab.get(ConfirmationState.amount_due) == "₹480"
    (row,) = await rows(services.database, SeatHoldRow)
    assert row.state == "firm"


async def test_table_reserved_after_payment_is_kept(tab, services):
    stored = await to_payment(tab, services)
    assert await press(services, stored)
    await reserve(tab, "16:00")
    await tab.visit(f"/forms/response/{stored.order.response_token}")
    assert kept(tab)["timeSlot"] == "16:00"


async def test_pay_redirects_to_slots_when_table_was_lost(tab, failing_orders):
    """The hold was valid when it was checked, and lost when the order was stored."""
    await to_waiting_room(tab)
    failing_orders.error = Conflict("slot_unavailable", OrderMessage.SLOT_UNAVAILABLE)
    await tab.call(WaitingRoomState.pay)
    assert tab.redirects == [Redirect("/pre-reserve")]
    assert banner(tab) == OrderMessage.SLOT_UNAVAILABLE
    assert kept(tab) is None
    assert tab.local["cart"]
