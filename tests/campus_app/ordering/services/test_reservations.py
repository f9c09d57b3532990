"""Seat holds from 'Reserve' to payment, and their release.

Source: specification 5.12 to 5.14, 9.13 to 9.15, M11, R7, P3.4 to P3.8.
"""

from dataclasses import replace

import pytest

from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.reservation import SeatHoldState
from campus_app.ordering.services.order_requests import ReservationRequest
from campus_app.ordering.sql.tables import OrderRow, SeatHoldRow
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.errors import Conflict, Invalid, NotFound
from campus_app.shared.rules.messages import OrderMessage, ReservationMessage
from campus_app.shared.rules.money import rupees
from kit.quota import Priority, Requester
from tests.helpers.builders import CUSTOMER, RESERVED_QUANTITIES, at, order_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.databases import both_databases
from tests.helpers.errors import ordering_error
from tests.helpers.flows import DECLINE, pay, press
from tests.helpers.tables import count, execute, rows

pytestmark = pytest.mark.anyio

SEATS = 24
SLOT = "17:30"
UNKNOWN = "an-id-that-nobody-ever-gave"
STRANGER = Requester(Priority.KNOWN, "203.0.113.7")
NEIGHBOUR = Requester(Priority.KNOWN, "203.0.113.8")
OTHER = CUSTOMER | {"email": "meera@students.example", "phoneNumber": "9800000002"}


@pytest.fixture
def reservations(services):
    return services.reservations


@pytest.fixture
async def hold(reservations):
    """Seats for four, held for ten minutes."""
    return await reservations.hold(table())


def table(party_size=4, slot=SLOT, *, day=18, restaurant_id=2, reservation_id=""):
    return ReservationRequest(
        restaurant_id, slot, party_size, at(0, day=day).date(), reservation_id
    )


def order(request, **changes):
    return order_request(
        restaurant_id=2, quantities=RESERVED_QUANTITIES, reservation=request, **changes
    )


async def fill(services, seats=SEATS):
    """Hold this many seats for others."""
    for party in [8] * (seats // 8) + ([seats % 8] if seats % 8 else []):
        await services.reservations.hold(table(party))


async def taken(services, slot=SLOT):
    """Return how many seats of a slot are taken now."""
    now = services.clock.now()
    found = await services.reservations.holds.seats_taken(2, at(0).date(), now)
    return {f"{each:%H:%M}": seats for each, seats in found.items()}.get(slot, 0)


async def the_hold(services, order_id):
    (row,) = await rows(services.database, SeatHoldRow, order_id=order_id)
    return row


# The day


async def test_day_lists_future_slots_with_free_seats(reservations):
    await reservations.hold(table(5))
    day = await reservations.day(reservations.restaurant())
    left = {f"{slot:%H:%M}": seats for slot, seats in day.seats_left.items()}
    assert (day.date, day.is_today) == (WEDNESDAY.date(), True)
    assert list(left) == [
        *["13:30", "14:00", "14:30", "15:00", "15:30", "16:00", "16:30", "17:00", "17:30"]
    ]
    assert (left["13:30"], left["17:30"]) == (SEATS, SEATS - 5)


async def test_day_is_tomorrow_after_last_slot(reservations, clock):
    clock.set(at(17, 30))
    day = await reservations.day(reservations.restaurant())
    assert (day.date, day.is_today, len(day.seats_left)) == (at(0, day=19).date(), False, 12)


async def test_seats_left_is_zero_when_slot_is_overbooked(new_services, data_dir):
    services = new_services()
    await fill(services)
    file = data_dir / "restaurants.csv"
    file.write_text(file.read_text().replace("true,24", "true,20"))
    smaller = new_services(data_dir=data_dir).reservations
    day = await smaller.day(smaller.restaurant())
    assert {f"{slot:%H:%M}": seats for slot, seats in day.seats_left.items()}[SLOT] == 0


async def test_day_omits_slots_when_kitchen_is_closed(new_services, data_dir):
    file = data_dir / "restaurants.csv"
    file.write_text(file.read_text().replace("09:00,00:00", "09:00,16:00"))
    services = new_services(data_dir=data_dir)
    day = await services.reservations.day(services.reservations.restaurant())
    assert f"{max(day.seats_left):%H:%M}" == "15:30"
    error = await ordering_error(services.reservations.hold(table(slot="16:00")))
    assert error.code == "slot_unavailable"
    error = await ordering_error(services.ordering.prepare(order(table(slot="16:00"))))
    assert error.code == "slot_unavailable"


async def test_restaurant_is_none_when_none_takes_reservations(new_services, data_dir):
    file = data_dir / "restaurants.csv"
    file.write_text(file.read_text().replace("true,24", "false,0"))
    assert new_services(data_dir=data_dir).reservations.restaurant() is None


# Holding


@both_databases
async def test_hold_has_unguessable_id_and_lasts_10_minutes(services, reservations, clock, hold):
    assert len(hold.id) >= 32
    assert (await reservations.hold(table())).id != hold.id
    assert await reservations.find_active(hold.id) == hold
    assert await taken(services) == 8
    clock.advance(minutes=9, seconds=59)
    assert await reservations.find_active(hold.id) == hold
    clock.advance(seconds=1)
    assert await reservations.find_active(hold.id) is None
    assert await taken(services) == 0


async def test_hold_raises_not_found_for_unknown_restaurant(reservations):
    error = await ordering_error(reservations.hold(table(restaurant_id=99)))
    assert (error.code, error.message) == ("unknown_restaurant", OrderMessage.UNKNOWN_RESTAURANT)


@both_databases
async def test_hold_raises_conflict_when_slot_is_full(services, reservations):
    await fill(services, SEATS - 3)
    error = await ordering_error(reservations.hold(table(4)))
    assert (type(error), error.code) == (Conflict, "slot_unavailable")
    assert error.message == ReservationMessage.SLOT_TAKEN
    assert await reservations.hold(table(3))
    assert (await ordering_error(reservations.hold(table(1)))).code == "slot_unavailable"
    assert await taken(services) == SEATS
    assert await reservations.hold(table(8, "17:00"))


async def test_unpaid_seats_are_free_after_10_minutes(services, reservations, clock):
    await fill(services)
    clock.advance(minutes=10)
    assert await reservations.hold(table(8))


@both_databases
async def test_hold_releases_the_hold_it_replaces(services, reservations):
    await fill(services, SEATS - 8)
    first = await reservations.hold(table(8))
    second = await reservations.hold(table(6, reservation_id=first.id))
    assert await taken(services) == SEATS - 2
    assert await reservations.find_active(first.id) is None
    moved = await reservations.hold(table(6, "16:00", reservation_id=second.id))
    assert await taken(services) == SEATS - 8
    assert await reservations.find_active(moved.id) == moved


async def test_hold_keeps_old_seats_when_new_slot_is_full(services, reservations):
    first = await reservations.hold(table(2))
    await fill(services, SEATS - 2)
    await ordering_error(reservations.hold(table(4, reservation_id=first.id)))
    assert await reservations.find_active(first.id) == first


@both_databases
async def test_release_frees_seats(services, reservations, hold):
    for text in ("", UNKNOWN, "x\x00y", "१२३", None, 5):
        assert await reservations.find_active(text) is None
        await reservations.release(text)
    assert await taken(services) == 4
    await reservations.release(hold.id)
    assert await reservations.find_active(hold.id) is None
    assert await taken(services) == 0


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        # All of them: orders with a table, in `test_ordering.py`.
        pytest.param(table(restaurant_id=99), NotFound, id="no restaurant"),
        pytest.param(table(restaurant_id=1), Invalid, id="another restaurant"),
        pytest.param(table(9), Invalid, id="nine"),
        pytest.param(table(day=19), Conflict, id="tomorrow, while today has slots"),
    ],
)
async def test_hold_raises_error_for_invalid_request(services, request_, kind):
    assert isinstance(await ordering_error(services.reservations.hold(request_)), kind)
    assert await count(services.database, SeatHoldRow) == 0


async def test_hold_raises_conflict_when_restaurant_is_closed(services, reservations):
    await services.statuses.set_override(2, is_open=False, message="")
    assert (await ordering_error(reservations.hold(table()))).code == "restaurant_closed"


@both_databases
async def test_old_expired_holds_are_deleted_and_firm_ones_kept(services, clock):
    await services.reservations.hold(table())
    await pay(services, await services.ordering.prepare(order(table(2))))
    clock.set(at(13, day=20))
    await services.reservations.hold(table(day=20))
    states = [row.state for row in await rows(services.database, SeatHoldRow)]
    assert sorted(states) == [SeatHoldState.FIRM, SeatHoldState.HELD]


# Ordering


@both_databases
async def test_order_uses_its_hold(services, reservations, clock, hold):
    clock.advance(minutes=9)
    stored = await services.ordering.prepare(order(table(reservation_id=hold.id)))
    row = await the_hold(services, stored.order.id)
    assert (row.id, row.state, await taken(services)) == (hold.id, SeatHoldState.HELD, 4)
    clock.advance(minutes=29)  # an order extends its hold
    assert await reservations.find_active(hold.id)


# How long, and how many. Source: specification P3.4, R9.


@both_databases
async def test_contact_details_extend_a_hold_to_30_minutes(reservations, clock, hold):
    clock.advance(minutes=9)
    await reservations.extend(hold.id)
    clock.advance(minutes=29, seconds=59)
    assert await reservations.find_active(hold.id)
    clock.advance(seconds=1)
    assert await reservations.find_active(hold.id) is None


@both_databases
async def test_contact_details_never_renew_a_hold_that_has_ended(
    services, reservations, clock, hold
):
    clock.advance(minutes=10)
    for id_ in (hold.id, UNKNOWN, "", None):
        await reservations.extend(id_)
    assert (await reservations.find_active(hold.id), await taken(services)) == (None, 0)
    paid = await pay(services, await services.ordering.prepare(order(table())))
    firm = await the_hold(services, paid.order.id)
    await reservations.extend(firm.id)
    assert (await the_hold(services, paid.order.id)).state == SeatHoldState.FIRM


@both_databases
async def test_hold_replaces_those_of_its_session(services, reservations):
    held = [await reservations.hold(table(8, slot)) for slot in ("16:00", "16:30")]
    await reservations.hold(table(8), replaces=[hold.id for hold in held])
    assert [await taken(services, slot) for slot in ("16:00", "16:30", SLOT)] == [0, 0, 8]


@both_databases
async def test_address_holds_at_most_half_of_a_slot_unpaid(services, reservations):
    first = await reservations.hold(table(8), client=STRANGER.client)
    await reservations.hold(table(4), client=STRANGER.client)
    error = await ordering_error(reservations.hold(table(1), client=STRANGER.client))
    assert (type(error), error.code) == (Conflict, "slot_unavailable")
    assert error.message == ReservationMessage.TOO_MANY_HELD
    assert await reservations.hold(table(8, "16:00"), client=STRANGER.client)
    assert await reservations.hold(table(8), client=NEIGHBOUR.client)
    moved = await reservations.hold(table(8, reservation_id=first.id), client=STRANGER.client)
    assert (await taken(services), moved.client) == (20, STRANGER.client)


@both_databases
async def test_paid_seats_do_not_count_as_held_by_the_address(services, reservations):
    hold = await reservations.hold(table(8), client=STRANGER.client)
    wanted = order(table(8, reservation_id=hold.id))
    paid = await pay(services, await services.ordering.prepare(wanted, "", STRANGER))
    assert (await the_hold(services, paid.order.id)).client == ""
    for _ in range(2):
        await reservations.hold(table(6), client=STRANGER.client)
    assert await taken(services) == 20


async def test_orders_without_hold_count_as_held_by_the_address(services):
    for party, email in ((8, "a@students.example"), (4, "b@students.example")):
        wanted = order(table(party), customer=CUSTOMER | {"email": email})
        await services.ordering.prepare(wanted, "", STRANGER)
    one_more = order(table(1, reservation_id=UNKNOWN), customer=OTHER)
    error = await ordering_error(services.ordering.prepare(one_more, "", STRANGER))
    assert error.message == ReservationMessage.TOO_MANY_HELD
    assert await count(services.database, OrderRow) == 2
    assert await services.ordering.prepare(one_more, "", NEIGHBOUR)


@both_databases
async def test_expired_hold_is_renewed_only_within_the_share(services, reservations, clock):
    """An order renews its hold: the seats of many expired ones would be more than the half."""
    held = []
    for _ in range(2):
        held.append(await reservations.hold(table(8), client=STRANGER.client))
        clock.advance(minutes=10)
    await services.ordering.prepare(order(table(8, reservation_id=held[0].id)), "", STRANGER)
    other = order(table(8, reservation_id=held[1].id), customer=OTHER)
    error = await ordering_error(services.ordering.prepare(other, "", STRANGER))
    assert error.message == ReservationMessage.TOO_MANY_HELD
    assert await taken(services) == 8


@both_databases
async def test_order_without_hold_holds_seats(services):
    await fill(services, SEATS - 4)
    stored = await services.ordering.prepare(order(table()))
    assert (await the_hold(services, stored.order.id)).state == SeatHoldState.HELD
    error = await ordering_error(services.ordering.prepare(order(table(1), customer=OTHER)))
    assert (type(error), error.code) == (Conflict, "slot_unavailable")
    assert await count(services.database, OrderRow) == 1
    assert await taken(services) == SEATS


@both_databases
async def test_order_with_invalid_hold_id_gets_free_seats(services):
    for text in ("x\x00y", "\ud800", "x" * 5000, UNKNOWN):
        assert await services.ordering.prepare(order(table(reservation_id=text)))


@both_databases
async def test_prepare_refuses_hold_of_another_order_of_same_customer(services, reservations, hold):
    # Source: specification P3.6.
    first = await services.ordering.prepare(order(table(reservation_id=hold.id)))
    second = order(table(reservation_id=hold.id), note="No milk")
    assert (await ordering_error(services.ordering.prepare(second))).code == "slot_unavailable"
    assert (await the_hold(services, first.order.id)).id == hold.id
    assert (await count(services.database, OrderRow), await taken(services)) == (1, 4)


@both_databases
async def test_prepare_accepts_hold_of_lapsed_order(services, reservations):
    first, hold_id = await order_at_a_held_table(services, reservations)
    await services.payments.orders.transition(first.payment, PaymentState.EXPIRED, "")
    second = await services.ordering.prepare(order(table(reservation_id=hold_id), note="Again"))
    assert (await the_hold(services, second.order.id)).id == hold_id


@pytest.mark.parametrize("repeated_by", ["key", "number"])
async def test_prepare_repeats_answer_for_order_with_its_own_hold(
    services, reservations, repeated_by, hold
):
    changes = {"requested_number": "AS_482"} if repeated_by == "number" else {}
    wanted, key = order(table(reservation_id=hold.id), **changes), repeated_by[:3]
    keys = (key,) if repeated_by == "key" else ()
    first = await services.ordering.prepare(wanted, *keys)
    assert [await services.ordering.prepare(wanted, *keys) for _ in range(3)] == [first] * 3
    assert (await count(services.database, OrderRow), await taken(services)) == (1, 4)


async def test_prepare_refuses_firm_hold(services, reservations):
    stored, hold_id = await order_at_a_held_table(services, reservations)
    await pay(services, stored)
    again = order(table(reservation_id=hold_id), note="Again")
    assert (await ordering_error(services.ordering.prepare(again))).code == "slot_unavailable"
    assert await reservations.find_active(hold_id) is None


async def test_prepare_refuses_hold_of_another_table(services, reservations):
    held = table(reservation_id=(await reservations.hold(table())).id)
    for wanted in (replace(held, party_size=8), replace(held, slot="17:00")):
        error = await ordering_error(services.ordering.prepare(order(wanted)))
        assert error.code == "slot_unavailable"


@both_databases
async def test_expired_hold_is_renewed_when_seats_are_free(services, reservations, clock, hold):
    clock.advance(minutes=31)
    stored = await services.ordering.prepare(order(table(reservation_id=hold.id)))
    assert (await the_hold(services, stored.order.id)).id == hold.id
    assert await taken(services) == 4
    clock.advance(minutes=29)
    assert await taken(services) == 4


async def test_expired_hold_is_refused_when_seats_are_taken(services, reservations, clock, hold):
    clock.advance(minutes=31)
    await fill(services)
    error = await ordering_error(services.ordering.prepare(order(table(reservation_id=hold.id))))
    assert error.code == "slot_unavailable"


@both_databases
async def test_changed_cart_keeps_its_seats(services, reservations):
    await fill(services, SEATS - 4)
    hold = await reservations.hold(table())
    wanted = order(table(reservation_id=hold.id))
    first = await services.carts.prepare(wanted, "cart")
    second = await services.carts.prepare(replace(wanted, donation=rupees(5)), "cart")
    assert second.order.id != first.order.id
    row = await the_hold(services, second.order.id)
    assert (row.id, row.state, await taken(services)) == (hold.id, SeatHoldState.HELD, SEATS)


@both_databases
async def test_cart_without_reservation_releases_its_seats(services, reservations, hold):
    wanted = order(table(reservation_id=hold.id))
    await services.carts.prepare(wanted, "cart")
    await services.carts.prepare(replace(wanted, reservation=None), "cart")
    assert await taken(services) == 0


@both_databases
async def test_another_table_for_cart_releases_the_first(services, reservations):
    await fill(services, SEATS - 8)
    first = await reservations.hold(table(8))
    await services.carts.prepare(order(table(8, reservation_id=first.id)), "cart")
    await services.carts.prepare(order(table(6)), "cart")
    assert await taken(services) == SEATS - 2


# Paying


@both_databases
async def test_paid_seats_stay_firm_until_an_operator_refunds_them(services, reservations, clock):
    # Source: specification P3.8.
    stored, hold_id = await order_at_a_held_table(services, reservations)
    paid = await pay(services, stored)
    assert paid.order.state is OrderState.CONFIRMED
    clock.advance(hours=2)
    assert (await the_hold(services, stored.order.id)).state == SeatHoldState.FIRM
    await reservations.release(hold_id)
    assert await taken(services) == 4
    await services.operations.refund(stored.order.number, Actor("asha"), force=True)
    assert await taken(services) == 0
    assert (await the_hold(services, stored.order.id)).state == SeatHoldState.RELEASED


async def test_open_checkout_renews_released_hold(services, reservations):
    stored, hold_id = await order_at_a_held_table(services, reservations)
    await reservations.release(hold_id)
    assert await taken(services) == 0
    await services.checkouts.open(stored)
    assert await taken(services) == 4


async def test_open_checkout_raises_conflict_when_seats_are_taken(services, reservations):
    stored, hold_id = await order_at_a_held_table(services, reservations)
    await reservations.release(hold_id)
    await fill(services)
    error = await ordering_error(services.checkouts.open(stored))
    assert (type(error), error.code) == (Conflict, "slot_unavailable")


async def test_slot_that_has_started_opens_no_checkout_but_keeps_its_payment(services, clock):
    clock.advance(minutes=15)
    stored = await services.ordering.prepare(order(table(slot="13:30")))
    clock.set(at(13, 29, 59))
    await services.checkouts.open(stored)
    clock.set(at(13, 30))
    error = await ordering_error(services.checkouts.open(stored))
    assert (type(error), error.code) == (Conflict, "slot_unavailable")
    clock.set(at(13, 31))
    assert await press(services, stored)
    settled = await services.payments.reconcile(stored.payment)
    assert settled.order.state is OrderState.CONFIRMED


@both_databases
async def test_payment_after_hold_expiry_keeps_free_seats(services, clock):
    stored = await services.ordering.prepare(order(table()))
    await services.checkouts.open(stored)
    assert await press(services, stored)
    clock.advance(minutes=31)
    assert await taken(services) == 0
    settled = await services.payments.reconcile(stored.payment)
    assert settled.order.state is OrderState.CONFIRMED
    assert (await the_hold(services, stored.order.id)).state == SeatHoldState.FIRM


@both_databases
async def test_payment_is_refunded_when_seats_are_taken(services, reservations):
    # Source: specification M11.
    stored, hold_id = await order_at_a_held_table(services, reservations)
    await services.checkouts.open(stored)
    assert await press(services, stored)
    await reservations.release(hold_id)
    await fill(services)
    settled = await services.payments.reconcile(stored.payment)
    assert settled.payment.state is PaymentState.PAID
    assert settled.order.state is OrderState.REFUND_DUE
    assert settled.order.refund_reason.startswith("The table was given to others")
    assert await taken(services) == SEATS


async def order_at_a_held_table(services, reservations):
    """Return an unpaid order and the id of its hold, which another tab may cancel."""
    hold = await reservations.hold(table())
    return await services.ordering.prepare(order(table(reservation_id=hold.id))), hold.id


@both_databases
async def test_lapsed_order_releases_seats(services, clock):
    stored = await services.ordering.prepare(order(table()))
    await services.checkouts.open(stored)
    clock.advance(minutes=20)
    await services.payments.reconcile(stored.payment)
    assert await taken(services) == 0


async def test_declined_payment_keeps_seats(services):
    stored = await services.ordering.prepare(order(table()))
    await services.checkouts.open(stored)
    await press(services, stored, DECLINE)
    declined = await services.payments.reconcile(stored.payment)
    assert declined.payment.state is PaymentState.FAILED
    assert await taken(services) == 4
    paid = await pay(services, declined)
    assert paid.order.state is OrderState.CONFIRMED


@both_databases
async def test_payment_of_lapsed_order_takes_no_seats(services):
    stored = await services.ordering.prepare(order(table()))
    await services.checkouts.open(stored)
    assert await press(services, stored)
    await services.payments.orders.transition(stored.payment, PaymentState.EXPIRED, "")
    settled = await services.payments.reconcile(stored.payment)
    assert settled.order.state is OrderState.REFUND_DUE
    assert await taken(services) == 0


@both_databases
async def test_payment_without_hold_gets_seats(services):
    stored = await services.ordering.prepare(order(table()))
    await execute(services.database, "DELETE FROM seat_holds")
    paid = await pay(services, stored)
    assert paid.order.state is OrderState.CONFIRMED
    assert (await the_hold(services, stored.order.id)).state == SeatHoldState.FIRM
