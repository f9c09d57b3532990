"""Updates of open kitchen boards and of customers' pages. Source: specification 10.25, 10.27."""

import json
import secrets
from dataclasses import replace
from datetime import timedelta

import pytest

from campus_app import live
from campus_app.kitchen.rules.kitchen import KitchenDevice
from campus_app.kitchen.screens.kitchen_state import KitchenState
from campus_app.kitchen.updates import KitchenUpdates
from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.shortage import CHOOSE, ShortageReason
from campus_app.ordering.screens.cooking_state import CookingProgressState
from campus_app.ordering.services.order_progress import FollowedOrders, OrderProgress
from campus_app.ordering.services.shortages import KitchenActor
from campus_app.shared import current
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.constants import KITCHEN_DEVICE_DAYS
from kit.background import running
from kit.clock import to_ms
from kit.db.errors import DatabaseUnavailable
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import drain
from tests.helpers.kitchens import OPERATOR, enrol, press_on_board
from tests.helpers.open_sockets import OpenSockets
from tests.helpers.waiting import eventually

pytestmark = [pytest.mark.anyio, sqlite_only, pytest.mark.usefixtures("current_services")]

RELOAD_SECONDS = 15


class App(OpenSockets):
    """Records the boards and the progress that are pushed to each socket."""

    def boards(self, socket_id):
        """Return the boards that were sent to a socket: the states of the orders by number."""
        return [
            text and {each["number"]: each["state"] for each in json.loads(text)["tickets"]}
            for text in self.values(socket_id, KitchenState, "board")
        ]

    def checks(self, socket_id):
        """Return the times of the checks that were sent to a socket."""
        return self.values(socket_id, KitchenState, "checked_at")

    def progress(self, socket_id):
        """Return the states of cooking that were sent to a socket."""
        return self.values(socket_id, CookingProgressState, "states")


async def unpublished():
    """Tell no other process."""


class FailingTickets:
    """A ticket store that fails while `is_down`."""

    def __init__(self, tickets):
        self._tickets = tickets
        self.is_down = False

    def __getattr__(self, name):
        if self.is_down:
            raise DatabaseUnavailable("it is down")
        return getattr(self._tickets, name)


@pytest.fixture
def app():
    return App()


@pytest.fixture
def updates(services, app):
    return KitchenUpdates(services, app)


@pytest.fixture
def open_board(services, app):
    """Opens a board on a new socket of a new device; returns the socket's id and the device."""

    async def open_board(restaurant_id=1, device=None):
        if device is None:
            device = (await enrol(services, restaurant_id)).device
        socket_id = secrets.token_hex(8)
        app.open.add(socket_id)
        services.kitchen_boards.boards.open(socket_id, device)
        return socket_id, device

    return open_board


@pytest.fixture
def follow(services, app):
    """Follows orders on a new socket; returns its id."""

    def follow(*orders):
        socket_id = secrets.token_hex(8)
        app.open.add(socket_id)
        tokens = {order.id: order.response_token for order in orders}
        states = dict.fromkeys(tokens.values(), "sent")
        services.order_progress.followers.open(socket_id, FollowedOrders(tokens, states))
        return socket_id

    return follow


def press(services, device, order, target="seen", saw="sent"):
    return press_on_board(services, device, order.id, CookingState(target), CookingState(saw))


# Boards


async def test_updates_read_and_send_nothing_without_an_open_page(services, app, paid):
    tickets = FailingTickets(None)
    tickets.is_down = True
    boards = services.kitchen_boards
    without = type(boards)(tickets, services.catalogue, services.clock, services.order_progress)
    await paid()
    await KitchenUpdates(replace(services, kitchen_boards=without), app).update()
    assert app.sent == []


async def test_unchanged_board_is_not_sent_again(updates, app, open_board, paid, clock):
    order = await paid()
    socket_id, _ = await open_board()
    for _ in range(3):
        await updates.update()
        clock.advance(seconds=RELOAD_SECONDS)
    assert app.boards(socket_id) == [{order.number: "sent"}]


async def test_board_is_sent_again_when_its_page_opens_again(
    updates, app, open_board, paid, services
):
    await paid()
    socket_id, device = await open_board()
    await updates.update()
    services.kitchen_boards.boards.open(socket_id, device)
    await updates.update()
    assert len(app.boards(socket_id)) == 2


async def test_payment_and_press_are_sent_at_once(updates, app, open_board, paid, services):
    socket_id, device = await open_board()
    await updates.update()
    order = await paid()
    await updates.update()
    await press(services, device, order)
    await updates.update()
    assert app.boards(socket_id) == [{}, {order.number: "sent"}, {order.number: "seen"}]


async def test_board_has_only_the_orders_of_its_kitchen(updates, app, open_board, paid):
    mine = await paid()
    theirs = await paid(restaurant_id=2, quantities={"202": 5})
    (first, _), (again, _), (second, _) = [await open_board(number) for number in (1, 1, 2)]
    app.open.add("another page")
    await updates.update()
    assert app.boards(first) == app.boards(again) == [{mine.number: "sent"}]
    assert app.boards(second) == [{theirs.number: "sent"}]
    assert {to for to, _ in app.sent} == {first, again, second}


async def test_board_has_no_email_address_and_no_price(updates, app, open_board, paid):
    order = await paid()
    socket_id, _ = await open_board()
    await updates.update()
    (text,) = app.values(socket_id, KitchenState, "board")
    assert order.customer.full_name in text
    assert order.customer.email not in text
    assert order.response_token not in text
    (ticket,) = json.loads(text)["tickets"]
    shown = {"id", "quantity", "name", "localNames", "spice", "isShort", "insteadOf"}
    assert shown == set(ticket["lines"][0])


async def test_order_disappears_a_day_after_its_payment(updates, app, open_board, paid, clock):
    order = await paid(restaurant_id=7, quantities={"701": 9})
    socket_id, _ = await open_board(7)
    await updates.update()
    clock.advance(hours=24)
    await updates.update()
    assert app.boards(socket_id) == [{order.number: "sent"}, {}]


async def test_cancelled_order_is_shown_after_the_next_reading(
    updates, app, open_board, paid, services, clock
):
    order = await paid()
    socket_id, _ = await open_board()
    await updates.update()
    await services.operations.refund(order.number, OPERATOR, force=True)
    clock.advance(seconds=RELOAD_SECONDS)
    await updates.update()
    texts = app.values(socket_id, KitchenState, "board")
    shown = [
        [(each["isCancelled"], each["collect"]) for each in json.loads(text)["tickets"]]
        for text in texts
    ]
    assert shown[-1] == [(True, "₹0")]
    assert len(shown) == 2


async def test_board_of_a_revoked_device_is_emptied_once(updates, app, open_board, paid, services):
    await paid()
    (kept, _), (lost, device) = await open_board(), await open_board()
    await updates.update()
    await services.kitchen_devices.revoke(device.id, OPERATOR)
    await updates.update()
    assert app.boards(lost)[-1] == ""
    assert app.values(lost, KitchenState, "is_enrolled") == [False]
    number_of_messages = len([to for to, _ in app.sent if to == lost])
    await paid()
    await updates.update()
    assert len([to for to, _ in app.sent if to == lost]) == number_of_messages
    assert len(app.boards(kept)) == 2
    assert [socket_id for socket_id, _ in services.kitchen_boards.boards] == [kept]


async def test_revocation_wakes_the_updates(services, open_board):
    _, device = await open_board()
    services.order_progress.changed.clear()
    await services.kitchen_devices.revoke(device.id, OPERATOR)
    assert services.order_progress.changed.is_set()


async def test_board_of_a_device_that_was_not_used_is_emptied(updates, app, open_board, clock):
    socket_id, _ = await open_board()
    await updates.update()
    clock.advance(days=KITCHEN_DEVICE_DAYS)
    await updates.update()
    assert app.boards(socket_id) == [{}, ""]


async def test_closed_sockets_are_forgotten(updates, app, open_board, follow, paid, services):
    order = await paid()
    gone, _ = await open_board()
    left, following = follow(order), follow(order)
    app.open -= {gone, left}
    boards, followers = services.kitchen_boards.boards, services.order_progress.followers
    async with running(updates.run()):
        await eventually(lambda: len(boards) == 0, "the closed board is forgotten")
        await eventually(lambda: len(followers) == 1, "the closed page is forgotten")
        await eventually(lambda: bool(app.progress(following)), "the other is updated")
    assert {to for to, _ in app.sent} == {following}


async def test_updates_continue_after_the_database_did_not_answer(
    services, app, open_board, paid, clock
):
    boards = services.kitchen_boards
    tickets = FailingTickets(boards._store)
    failing = type(boards)(tickets, services.catalogue, clock, services.order_progress)
    socket_id, device = await open_board()
    app.open.add(socket_id)
    failing.boards.open(socket_id, device)
    tickets.is_down = True
    order = await paid()
    async with running(KitchenUpdates(replace(services, kitchen_boards=failing), app).run()):
        await eventually(lambda: not services.order_progress.changed.is_set(), "it has tried")
        assert app.sent == []
        tickets.is_down = False
        services.order_progress.changed.set()
        await eventually(lambda: bool(app.sent), "it tries again")
    assert app.boards(socket_id) == [{order.number: "sent"}]


async def test_updates_are_woken_without_redis(services):
    services.order_progress.changed.clear()
    async with running(live.wake_kitchen_updates(services)):
        await eventually(services.order_progress.changed.is_set, "it looks regularly")


# Customers' pages


async def test_follower_gets_the_progress_of_its_orders_alone(
    updates, app, open_board, follow, paid, services
):
    _, device = await open_board()
    mine, theirs = await paid(), await paid()
    me, other = follow(mine), follow(theirs)
    await updates.update()
    await press(services, device, mine)
    await updates.update()
    token = mine.response_token
    assert app.progress(me) == [{token: "sent"}, {token: "seen"}]
    assert app.progress(other) == [{theirs.response_token: "sent"}]
    texts = [str(changes) for to, changes in app.sent if to in {me, other}]
    for secret in (mine.id, mine.number, mine.customer.full_name, mine.customer.phone):
        assert [text for text in texts if secret in text] == []
    assert [changes for to, changes in app.sent if to == other and token in str(changes)] == []


async def test_unchanged_progress_is_not_sent_again(updates, app, follow, paid, clock):
    order = await paid()
    socket_id = follow(order)
    for _ in range(3):
        await updates.update()
        clock.advance(seconds=1)
    assert app.progress(socket_id) == [{order.response_token: "sent"}]


class AppBesideAnEvent(App):
    """While it sends something, an event `happens`."""

    def __init__(self):
        super().__init__()
        self.happens = list

    async def emit(self, *arguments, **options):
        self.happens()
        await super().emit(*arguments, **options)


async def test_page_that_has_changed_its_orders_meanwhile_is_not_put_back(services, paid):
    app = AppBesideAnEvent()
    earlier, later = await paid(), await paid()
    followers = services.order_progress.followers
    shown, newer = (
        FollowedOrders({each.id: each.response_token}, {each.response_token: "sent"})
        for each in (earlier, later)
    )
    for socket_id in ("first", "second"):
        app.open.add(socket_id)
        followers.open(socket_id, shown)
    app.happens = lambda: followers.open("second", newer)
    await KitchenUpdates(services, app).update()
    assert app.progress("first") == [shown.states]
    assert (app.progress("second"), followers.get("second")) == ([], newer)


async def test_undo_is_sent_to_followers(updates, app, open_board, follow, paid, services):
    _, device = await open_board()
    order = await paid()
    socket_id = follow(order)
    await updates.update()
    for saw, target in (("sent", "seen"), ("seen", "sent")):
        await press(services, device, order, target, saw)
        await updates.update()
    states = [sent[order.response_token] for sent in app.progress(socket_id)]
    assert states == ["sent", "seen", "sent"]


async def test_page_shows_ready_only_when_it_has_stood_for_two_seconds(
    services, updates, app, open_board, follow, paid, clock
):
    _, device = await open_board()
    slipped, cooked = await paid(), await paid()
    pages = {order: follow(order) for order in (slipped, cooked)}
    await press(services, device, slipped, "ready")
    await press(services, device, cooked, "ready")
    await updates.update()
    await press(services, device, slipped, "sent", saw="ready")
    for _ in range(3):
        clock.advance(seconds=1)
        await updates.update()
    shown = {
        order.number: [each[order.response_token] for each in app.progress(page)]
        for order, page in pages.items()
    }
    assert shown == {slipped.number: ["sent"], cooked.number: ["sent", "ready"]}


async def test_progress_during_an_outage_of_the_database_is_sent_afterwards(
    services, app, open_board, follow, paid, clock
):
    """Another process, which has a connection, may record it meanwhile."""
    _, device = await open_board()
    order = await paid()
    cooking = FailingTickets(services.order_progress._store)
    failing = OrderProgress(cooking, services.shortages.store, unpublished)
    socket_id = follow(order)
    failing.followers.open(socket_id, dict(services.order_progress.followers)[socket_id])
    updates = KitchenUpdates(replace(services, order_progress=failing), app)
    await updates.update()
    cooking.is_down = True
    await press(services, device, order)
    for _ in range(20):
        clock.advance(seconds=1)
        with pytest.raises(DatabaseUnavailable):
            await updates.update()
    cooking.is_down = False
    await updates.update()
    states = [sent[order.response_token] for sent in app.progress(socket_id)]
    assert states == ["sent", "seen"]


async def test_board_is_sent_before_its_check(updates, app, open_board, paid):
    """At the check, a page drops the confirmed presses, which the board contains."""
    await paid()
    socket_id, _ = await open_board()
    await updates.update()
    keys = [
        key for to, changes in app.sent if to == socket_id for key in next(iter(changes.values()))
    ]
    assert [key.removesuffix("_rx_state_") for key in keys] == ["board", "checked_at"]


async def test_press_without_effect_is_checked_without_a_new_board(
    updates, app, open_board, paid, clock, services
):
    """Its page would otherwise show it for up to 15 seconds."""
    await paid()
    socket_id, _ = await open_board()
    other_id, _ = await open_board()
    await updates.update()
    clock.advance(seconds=1)
    services.kitchen_boards.request_check(socket_id)
    await updates.update()
    await updates.update()
    assert [len(app.boards(each)) for each in (socket_id, other_id)] == [1, 1]
    assert [len(app.checks(each)) for each in (socket_id, other_id)] == [2, 1]
    assert app.checks(socket_id)[-1] == to_ms(clock.now())


async def test_open_board_is_checked_every_fifteen_seconds(updates, app, open_board, paid, clock):
    await paid()
    socket_id, _ = await open_board()
    await updates.update()
    checks = [app.checks(socket_id)]
    for _ in range(2):
        clock.advance(seconds=RELOAD_SECONDS)
        await updates.update()
        checks.append(app.checks(socket_id))
    assert [len(each) for each in checks] == [1, 2, 3]
    assert len(set(checks[-1])) == 3


async def test_kitchen_that_fails_does_not_stop_the_others(
    updates, app, open_board, paid, services, monkeypatch, caplog
):
    await paid()
    failing, working = await open_board(2), await open_board(1)
    catalogue = services.catalogue
    restaurant = catalogue.restaurant

    class Catalogue:
        def __getattr__(self, name):
            return getattr(catalogue, name)

        def restaurant(self, restaurant_id):
            if restaurant_id == 2:
                raise ValueError("a broken row")
            return restaurant(restaurant_id)

    monkeypatch.setattr(current, "services", lambda: replace(services, catalogue=Catalogue()))
    await updates.update()
    assert (len(app.boards(failing[0])), len(app.boards(working[0]))) == (0, 1)
    assert "that of restaurant 2 failed" in caplog.text


async def test_follower_gets_nothing_of_an_order_that_was_given_back(
    updates, app, follow, paid, services, clock
):
    order = await paid()
    socket_id = follow(order)
    await updates.update()
    await services.operations.refund(order.number, OPERATOR, force=True)
    device = KitchenDevice(
        id="tablet", restaurant_id=1, enrolled_at=clock.now(), last_used_at=clock.now()
    )
    await press_on_board(services, device, order.id, CookingState.HANDED_OVER)
    await updates.update()
    assert app.progress(socket_id) == [{order.response_token: "sent"}]


async def test_question_that_the_kitchen_has_taken_back_leaves_the_customers_page(
    updates, app, follow, paid, services, clock
):
    order = await paid()
    kitchen = Actor("kitchen")
    by = KitchenActor(order.restaurant_id, "device", kitchen, clock.now() - timedelta(days=1))
    socket_id = follow(order)
    await updates.update()
    dish_id = order.lines[0].dish_id
    await services.shortages.report(order.id, dish_id, ShortageReason.DISH_GONE, by)
    clock.advance(seconds=11)
    await drain(services)
    await updates.update()
    assert app.progress(socket_id)[-1] == {order.response_token: CHOOSE}
    clock.advance(seconds=20)
    await services.shortages.undo(order.id, dish_id, by)
    clock.advance(seconds=20)
    await updates.update()
    assert app.progress(socket_id)[-1] == {order.response_token: "sent"}
