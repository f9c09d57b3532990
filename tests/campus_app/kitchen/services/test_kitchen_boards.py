"""Kitchen boards: the tickets of a kitchen, and the presses of its devices.

Source: specification 10.25, 10.26.
"""

import asyncio
import random
from dataclasses import replace
from datetime import timedelta

import pytest

from campus_app.kitchen.rules.kitchen import KitchenDevice, Press
from campus_app.kitchen.sql.tables import KitchenPressRow
from campus_app.kitchen.sql.tickets import SqlTickets
from campus_app.ordering.rules.cooking import LONGEST_ON_BOARD, Cooking, CookingState
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.services.order_progress import FollowedOrders
from campus_app.ordering.sql.cooking import SqlCooking
from campus_app.ordering.sql.tables import CookingRow, OrderRow, PaymentRow
from campus_app.shared.rules.constants import MAXIMUM_PRESSES
from campus_app.shared.rules.money import ZERO
from tests.helpers.builders import CUSTOMER, order_request, reservation_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.flows import pay, press
from tests.helpers.kitchens import OPERATOR, enrol, press_on_board
from tests.helpers.tables import count, rows
from tests.helpers.waiting import meet

pytestmark = pytest.mark.anyio

SENT, SEEN, READY, HANDED_OVER = CookingState
TABLET = KitchenDevice(id="tablet", restaurant_id=1, enrolled_at=WEDNESDAY, last_used_at=WEDNESDAY)
PHONE = replace(TABLET, id="phone")
OTHER_KITCHENS = replace(TABLET, id="other", restaurant_id=2)


@pytest.fixture
def boards(services):
    return services.kitchen_boards


@pytest.fixture
def place_paid(services):
    """Stores and pays an order."""

    async def place_paid(request=None):
        return await pay(services, await services.ordering.prepare(request or order_request()))

    return place_paid


async def cooking_of(services, order_id):
    return (await services.order_progress.cooking_of([order_id]))[order_id]


async def history(services):
    """Return the device, target and effect of each press, in the order of their times."""
    found = await rows(services.database, KitchenPressRow)
    return [
        (each.device_id, each.target, each.has_effect)
        for each in sorted(found, key=lambda each: each.at_ms)
    ]


# Tickets


async def test_ticket_has_what_the_kitchen_needs_and_no_email(boards, place_paid):
    stored = await place_paid(order_request("No onions"))
    (ticket,) = await boards.board(1)
    order = stored.order
    assert (ticket.order_id, ticket.number, ticket.lines) == (order.id, order.number, order.lines)
    assert ticket.instructions.note == "No onions"
    assert (ticket.customer_name, ticket.phone, ticket.address) == (
        order.customer.full_name,
        order.customer.phone,
        order.customer.address,
    )
    assert (ticket.campus, ticket.reservation) == (order.campus, None)
    assert (ticket.to_collect, ticket.paid_at) == (order.bill.remaining, WEDNESDAY)
    assert (ticket.is_cancelled, ticket.cooking) == (False, Cooking())
    assert order.customer.email
    assert order.customer.email not in repr(ticket)
    assert order.response_token not in repr(ticket)


async def test_ticket_of_a_table_has_slot_and_party(boards, place_paid):
    stored = await place_paid(reservation_request())
    (ticket,) = await boards.board(2)
    assert ticket.reservation == stored.order.reservation
    assert CUSTOMER["email"] not in repr(ticket)


async def test_board_shows_orders_of_its_kitchen_with_earliest_payment_first(
    services, boards, place_paid, clock
):
    prepared = [await services.ordering.prepare(order_request()) for _ in range(2)]
    for stored in reversed(prepared):
        await pay(services, stored)
        clock.advance(seconds=1)
    await place_paid(reservation_request())
    tickets = await boards.board(1)
    assert [each.order_id for each in tickets] == [each.order.id for each in reversed(prepared)]
    assert len(await boards.board(2)) == 1
    assert await boards.board(9) == []


async def test_unpaid_and_refunded_orders_are_neither_shown_nor_pressed(services, boards):
    unpaid = await services.ordering.prepare(order_request())
    closed = await services.ordering.prepare(order_request())
    await services.checkouts.open(closed)
    await services.statuses.set_override(1, is_open=False, message="", by=OPERATOR)
    assert await press(services, closed)
    assert (await services.payments.reconcile(closed.payment)).order.state is OrderState.REFUND_DUE
    assert await boards.board(1) == []
    for stored in (unpaid, closed):
        assert not await press_on_board(services, TABLET, stored.order.id, SEEN)
    assert await count(services.database, KitchenPressRow) == 0
    assert await count(services.database, CookingRow) == 0


async def test_refund_by_operator_marks_the_ticket_as_cancelled(services, boards, place_paid):
    stored = await place_paid()
    await press_on_board(services, TABLET, stored.order.id, SEEN)
    before = await boards.version()
    await services.operations.refund(stored.order.id, OPERATOR, force=True)
    assert await boards.version() != before
    (ticket,) = await boards.board(1)
    assert (ticket.is_cancelled, ticket.to_collect) == (True, ZERO)
    assert ticket.cooking.state is SEEN


async def test_order_paid_a_day_ago_is_neither_shown_nor_pressed(
    services, boards, clock, place_paid
):
    stored = await place_paid()
    clock.set(WEDNESDAY + LONGEST_ON_BOARD + timedelta(milliseconds=1))
    assert await boards.board(1) == []
    assert not await press_on_board(services, TABLET, stored.order.id, SEEN)


# Presses


async def test_press_of_another_kitchen_is_refused_and_not_stored(services, place_paid):
    stored = await place_paid()
    assert not await press_on_board(services, OTHER_KITCHENS, stored.order.id, SEEN)
    assert not await press_on_board(services, TABLET, "unknown", SEEN)
    assert await cooking_of(services, stored.order.id) == Cooking()
    assert await count(services.database, KitchenPressRow) == 0


async def test_press_changes_nothing_but_the_cooking(services, place_paid):
    stored = await place_paid()
    before = [await rows(services.database, kind) for kind in (OrderRow, PaymentRow)]
    for saw, target in ((SENT, SEEN), (SEEN, READY), (READY, HANDED_OVER)):
        assert await press_on_board(services, TABLET, stored.order.id, target, saw)
    assert [await rows(services.database, kind) for kind in (OrderRow, PaymentRow)] == before


async def test_presses_and_their_undo_are_kept_in_history(services, clock, place_paid):
    stored = await place_paid()
    order_id = stored.order.id
    for saw, target in ((SENT, SEEN), (SEEN, READY), (READY, SEEN), (READY, SEEN)):
        clock.advance(seconds=10)
        assert await press_on_board(services, TABLET, order_id, target, saw)
    assert await history(services) == [
        ("tablet", SEEN, True),
        ("tablet", READY, True),
        ("tablet", SEEN, True),
        ("tablet", SEEN, False),
    ]
    seen_at = WEDNESDAY + timedelta(seconds=10)
    changed_at = WEDNESDAY + timedelta(seconds=30)
    assert await cooking_of(services, order_id) == Cooking(SEEN, SEEN, changed_at, seen_at)


async def test_repeated_press_counts_once_even_after_it_was_undone(services, clock, place_paid):
    stored = await place_paid()
    for _ in range(2):
        assert await press_on_board(services, TABLET, stored.order.id, SEEN, press_id="one")
    clock.advance(seconds=1)
    assert await press_on_board(services, TABLET, stored.order.id, SENT, SEEN)
    assert await press_on_board(services, TABLET, stored.order.id, SEEN, press_id="one")
    assert (await cooking_of(services, stored.order.id)).state is SENT
    assert await history(services) == [("tablet", SEEN, True), ("tablet", SENT, True)]


# Concurrent presses of two devices


class AllReadFirst(SqlTickets):
    """Both devices read the cooking first; then one presses after the other."""

    both_have_read: asyncio.Barrier
    may_press: asyncio.Event
    read: Cooking

    async def press(self, press, restaurant_id, since):
        self.read = (await SqlCooking(self._database).cooking_of([press.order_id])).get(
            press.order_id, Cooking()
        )
        await meet(self.both_have_read)
        await meet(self.may_press)
        return await super().press(press, restaurant_id, since)


class WithoutLock(AllReadFirst):
    """Without the guard: the cooking that was read earlier is used."""

    def _lock(self, connection, order_id):
        super()._lock(connection, order_id)
        return self.read


async def press_on_two_devices(new_services, kind):
    """One device presses 'Ready', the other one 'Seen' just after it; return the services."""
    first, second = new_services(), new_services()
    stored = await pay(first, await first.ordering.prepare(order_request()))
    both_have_read, has_pressed = asyncio.Barrier(2), asyncio.Event()

    async def press_with(services, device, target, may_press):
        store = kind(services.database, {}, services.outbox.notify)
        store.both_have_read, store.may_press = both_have_read, may_press
        services.kitchen_boards._store = store
        assert await press_on_board(services, device, stored.order.id, target)
        has_pressed.set()

    at_once = asyncio.Event()
    at_once.set()
    await asyncio.gather(
        press_with(first, TABLET, READY, at_once), press_with(second, PHONE, SEEN, has_pressed)
    )
    return await cooking_of(new_services(), stored.order.id), await history(first)


async def test_concurrent_presses_of_two_devices_lose_nothing(new_services):
    cooking, pressed = await press_on_two_devices(new_services, AllReadFirst)
    assert (cooking.state, cooking.previous) == (READY, SENT)
    assert sorted(pressed) == [("phone", SEEN, False), ("tablet", READY, True)]


async def test_control_later_press_overwrites_the_other_without_lock(new_services):
    """The negative control of the test above."""
    cooking, pressed = await press_on_two_devices(new_services, WithoutLock)
    assert cooking.state is SEEN
    assert sorted(pressed) == [("phone", SEEN, True), ("tablet", READY, True)]


async def test_many_concurrent_presses_are_all_stored(processes):
    services = processes[0]
    stored = await pay(services, await services.ordering.prepare(order_request()))
    presses = [
        (process, device, target)
        for process in processes
        for device in (TABLET, PHONE)
        for target in (SEEN, READY, HANDED_OVER)
    ]
    random.Random(1).shuffle(presses)
    assert all(
        await asyncio.gather(
            *(
                press_on_board(process, device, stored.order.id, target)
                for process, device, target in presses
            )
        )
    )
    assert (await cooking_of(services, stored.order.id)).state is HANDED_OVER
    pressed = await history(services)
    assert len(pressed) == len(presses)
    assert sum(has_effect for _, _, has_effect in pressed) <= len([SEEN, READY, HANDED_OVER])
    assert [has_effect for _, target, has_effect in pressed if target == HANDED_OVER].count(1) == 1


async def test_stored_times_imply_the_state_when_the_clocks_of_processes_differ(
    services, place_paid
):
    order_id = (await place_paid()).order.id
    store = SqlTickets(services.database, {}, lambda: None)
    # The second press is received by a process whose clock is three seconds behind.
    for seconds, saw, target in ((4, SENT, SEEN), (1, SEEN, SENT), (1, SENT, READY)):
        moment = WEDNESDAY + timedelta(seconds=seconds)
        pressed = Press(f"{saw} {target}", order_id, "tablet", saw, target, moment)
        assert await store.press(pressed, 1, WEDNESDAY - LONGEST_ON_BOARD) is not None
    found = await rows(services.database, KitchenPressRow)
    assert [(each.saw, each.target) for each in sorted(found, key=lambda each: each.at_ms)] == [
        (SENT, SEEN),
        (SEEN, SENT),
        (SENT, READY),
    ]
    assert len({each.at_ms for each in found}) == len(found)


# Versions and open views


async def test_version_differs_after_payment_and_press(services, boards, place_paid, clock):
    versions = [await boards.version()]
    stored = await place_paid()
    versions.append(await boards.version())
    for saw, target in ((SENT, SEEN), (SEEN, READY)):
        clock.advance(seconds=1)
        await press_on_board(services, TABLET, stored.order.id, target, saw)
        versions.append(await boards.version())
    assert len(set(versions)) == len(versions)
    assert await boards.version() == versions[-1]


async def test_version_differs_when_an_earlier_press_is_committed_later(services, place_paid):
    stored = [await place_paid() for _ in range(2)]
    store = SqlTickets(services.database, {}, lambda: None)
    since = WEDNESDAY - LONGEST_ON_BOARD

    async def press_at(number, seconds, target, saw=SENT):
        moment = WEDNESDAY + timedelta(seconds=seconds)
        order_id = stored[number].order.id
        pressed = Press(f"{number} {seconds}", order_id, "tablet", saw, target, moment)
        assert await store.press(pressed, 1, since) is not None
        return await store.version(since)

    versions = [
        await press_at(0, 1, SEEN),
        await press_at(1, 9, SEEN),
        await press_at(0, 5, READY, SEEN),
    ]
    assert len(set(versions)) == len(versions)


async def test_number_of_stored_presses_of_an_order_is_limited(services, place_paid):
    stored = await place_paid()
    for _ in range(MAXIMUM_PRESSES + 5):
        assert await press_on_board(services, TABLET, stored.order.id, SENT, SENT)
    assert await count(services.database, KitchenPressRow) == MAXIMUM_PRESSES
    await press_on_board(services, TABLET, stored.order.id, SEEN)
    assert (await cooking_of(services, stored.order.id)).state is SENT


async def test_payments_and_presses_update_the_views(services, place_paid):
    stored = await place_paid()
    changed = services.order_progress.changed
    assert changed.is_set()
    changed.clear()
    await services.payments.reconcile(stored.payment)
    assert not changed.is_set()
    await press_on_board(services, TABLET, stored.order.id, SEEN)
    assert changed.is_set()


async def test_open_boards_have_the_tickets_of_their_kitchens(services, boards, place_paid):
    stored, _other = await place_paid(), await place_paid(reservation_request())
    assert await boards.open_boards() == {}
    boards.boards.open("a board", (await enrol(services)).device)
    tickets = await boards.open_boards()
    assert list(tickets) == [1]
    assert [each.order_id for each in tickets[1]] == [stored.order.id]


async def test_followed_orders_change_with_the_presses_on_them(services, place_paid, clock):
    stored, other = await place_paid(), await place_paid()
    followed = FollowedOrders({stored.order.id: "token"}, {"token": SENT})
    for order in (stored.order, other.order):
        await press_on_board(services, TABLET, order.id, SEEN)
    progress = services.order_progress
    now = clock.now()
    changed = await progress.changed_since(now, now)
    assert changed.keys() == {stored.order.id, other.order.id}
    assert followed.after(changed).states == {"token": SEEN}
    assert await progress.changed_since(now + timedelta(seconds=1), now) == {}
