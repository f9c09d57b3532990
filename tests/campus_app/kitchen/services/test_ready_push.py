"""Push messages to browsers that asked to be notified when an order is ready."""

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from itertools import count as counted

import pytest

from campus_app import live
from campus_app.extensions import ORDER_EVENTS
from campus_app.kitchen.rules.kitchen import KitchenDevice
from campus_app.kitchen.rules.ready_push import MAXIMUM_SUBSCRIPTIONS
from campus_app.kitchen.sql.push_subscriptions import SqlPushSubscriptions
from campus_app.kitchen.sql.tables import PushSubscriptionRow
from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.order import OrderState
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.constants import HELD_SECONDS, KITCHEN_DEVICE_DAYS
from kit.background import running
from kit.clock import from_ms
from kit.db.errors import DatabaseUnavailable
from kit.db.tables import table_of
from kit.outbox.models import JobState, OutboxRow
from kit.push.vapid import VapidKey, new_private_key
from tests.fakes.push_service import Answer, Browser, push_service
from tests.helpers.builders import CUSTOMER, order_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import drain, pay, settle_down
from tests.helpers.kitchens import enrol, pay_without_board
from tests.helpers.outbox import run_batch
from tests.helpers.tables import count, rows
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.anyio

SENT, SEEN, READY, HANDED_OVER = CookingState
_subscriptions = table_of(PushSubscriptionRow)
DEVICE = KitchenDevice(id="tablet", restaurant_id=1, enrolled_at=WEDNESDAY, last_used_at=WEDNESDAY)
_DAY = timedelta(days=1)
_presses = counted(1)


@pytest.fixture
async def service():
    """The push service of every browser in these tests."""
    async with push_service() as opened:
        yield opened


@pytest.fixture
def services(new_services, service):
    return new_services(web_push_origins=service.origin)


@pytest.fixture
def other_process(new_services, service):
    return new_services(web_push_origins=service.origin)


@pytest.fixture
def ready_push(services):
    return services.ready_push


@pytest.fixture
def browser(service, ready_push):
    return service.browser(ready_push.public_key)


@pytest.fixture
async def order(services):
    """A paid order of which all notifications were sent; its kitchen uses the board."""
    await enrol(services)
    stored = await pay(services, await services.ordering.prepare(order_request()))
    await drain(services)
    return stored.order


async def press(services, order, target, saw=SENT, press_id=""):
    """Press a button of the kitchen's board, without running the jobs that it causes.

    Those of Ready are due when it returns.
    """
    name = press_id or f"press-{next(_presses)}"
    assert await services.kitchen_boards.press(DEVICE, name, order.id, saw=saw, target=target)
    if target is READY:
        services.clock.advance(seconds=HELD_SECONDS)


async def make_ready(services, order):
    """Press 'Ready', and run all due jobs."""
    await press(services, order, READY)
    await drain(services)


async def push_jobs(services):
    return await rows(services.database, OutboxRow, topic="push.ready")


async def test_subscribe_replaces_keys_and_language_of_endpoint(
    services, ready_push, order, browser, service
):
    outdated = Browser(browser.endpoint)
    assert await ready_push.subscribe(order, outdated.to_json(), "en")
    assert await ready_push.subscribe(order, browser.to_json(), "hi")
    await make_ready(services, order)
    (message,) = service.messages
    assert message.content["title"] == f"ऑर्डर {order.number} तैयार है"


@sqlite_only
async def test_subscribe_logs_nothing_when_order_is_not_confirmed(
    ready_push, order, browser, caplog
):
    with caplog.at_level("INFO"):
        for state in set(OrderState) - {OrderState.CONFIRMED}:
            other = replace(order, state=state)
            for given in ("not a subscription", browser.to_json()):
                assert not await ready_push.subscribe(other, given, "en")
    assert [each for each in caplog.records if each.name.endswith("ready_push")] == []


async def test_subscribe_is_refused_when_kitchen_uses_no_board(
    services, ready_push, browser, clock
):
    # test_unseen_orders.py has the other reasons; both use one condition.
    order = (await pay_without_board(services, clock, "enrolled later")).order
    assert not await ready_push.is_offered(order)
    assert not await ready_push.subscribe(order, browser.to_json(), "en")


async def test_subscribe_is_accepted_when_device_was_used_89_days_ago(services, browser, clock):
    await enrol(services)
    clock.advance(days=KITCHEN_DEVICE_DAYS - 1)
    stored = await pay(services, await services.ordering.prepare(order_request()))
    assert await services.ready_push.is_offered(stored.order)
    assert await services.ready_push.subscribe(stored.order, browser.to_json(), "en")


@sqlite_only
async def test_subscribe_is_refused_when_order_is_ready(
    services, ready_push, order, browser, database
):
    await press(services, order, READY)
    assert not await ready_push.subscribe(order, browser.to_json(), "en")
    assert await count(database, PushSubscriptionRow) == 0


async def test_subscribe_is_refused_when_order_is_not_stored(ready_push, order, browser):
    unknown = replace(order, id="0" * 32)
    assert not await ready_push.subscribe(unknown, browser.to_json(), "en")


@sqlite_only
async def test_subscribe_is_refused_when_subscription_is_malformed(ready_push, order):
    elsewhere = Browser("https://169.254.169.254/latest/meta-data").to_json()
    for value in ("", "null", "{}", "\x00", None, 5, {"endpoint": "x"}, elsewhere):
        assert not await ready_push.subscribe(order, value, "en"), value


@sqlite_only
async def test_unknown_endpoint_is_not_subscribed(ready_push, order):
    for value in ("", "\x00", "\ud800", "ग", "x" * 5_000, None, 5, []):
        assert not await ready_push.is_subscribed(order, value)
        await ready_push.unsubscribe(order, value)


async def test_number_of_browsers_per_order_is_limited(ready_push, order, service, database):
    browsers = [service.browser() for _ in range(MAXIMUM_SUBSCRIPTIONS + 1)]
    *accepted, last = [await ready_push.subscribe(order, each.to_json(), "en") for each in browsers]
    assert all(accepted)
    assert not last
    assert await ready_push.subscribe(order, browsers[0].to_json(), "hi")
    await ready_push.unsubscribe(order, browsers[0].endpoint)
    assert await ready_push.subscribe(order, browsers[-1].to_json(), "en")
    assert await count(database, PushSubscriptionRow) == MAXIMUM_SUBSCRIPTIONS


async def test_concurrent_subscriptions_do_not_exceed_the_limit(
    services, other_process, order, service, database
):
    processes = [services.ready_push, other_process.ready_push]
    accepted = await asyncio.gather(
        *(
            process.subscribe(order, service.browser().to_json(), "en")
            for process in processes
            for _ in range(MAXIMUM_SUBSCRIPTIONS)
        )
    )
    assert sum(accepted) == MAXIMUM_SUBSCRIPTIONS
    assert await count(database, PushSubscriptionRow) == MAXIMUM_SUBSCRIPTIONS


async def test_unsubscribe_deletes_the_subscription_of_this_order_only(
    services, ready_push, order, browser, service
):
    other = await pay(services, await services.ordering.prepare(order_request()))
    for each in (order, other.order):
        assert await ready_push.subscribe(each, browser.to_json(), "en")
    await ready_push.unsubscribe(order, browser.endpoint)
    assert not await ready_push.is_subscribed(order, browser.endpoint)
    assert await ready_push.is_subscribed(other.order, browser.endpoint)
    await make_ready(services, order)
    assert service.messages == []


async def test_each_browser_gets_one_message_when_order_is_ready(
    services, ready_push, order, service, database
):
    browsers = [service.browser(ready_push.public_key) for _ in range(2)]
    for each in browsers:
        assert await ready_push.subscribe(order, each.to_json(), "en")
    await make_ready(services, order)
    assert [len(service.received_by(each)) for each in browsers] == [1, 1]
    for message in service.messages:
        assert message.content == {
            "title": f"Order {order.number} is ready",
            "body": f"{order.restaurant_name} has prepared your order.",
            "url": "/underprogress",
            "tag": f"ready-{order.number}",
        }
        assert message.headers["ttl"] == str(1_800 - HELD_SECONDS)
        assert message.headers["urgency"] == "high"
    assert await count(database, PushSubscriptionRow) == 0


@sqlite_only
async def test_message_has_no_personal_data(services, ready_push, order, browser, service):
    assert await ready_push.subscribe(order, browser.to_json(), "xx")
    await make_ready(services, order)
    (message,) = service.messages
    assert message.content["title"] == f"Order {order.number} is ready"
    seen = message.payload.decode() + json.dumps(dict(message.headers))
    private = [*CUSTOMER.values(), order.response_token, order.id]
    dishes = [line.name for line in order.lines]
    assert [text for text in (*private, *dishes) if text in seen] == []
    topic = message.headers["topic"]
    assert order.number not in topic


async def test_message_is_sent_once_when_press_is_repeated(
    services, other_process, ready_push, order, browser, service, clock
):
    assert await ready_push.subscribe(order, browser.to_json(), "en")
    await press(services, order, SEEN)
    for process in (services, other_process):
        await press(process, order, READY, saw=SEEN, press_id="the same")
    await make_ready(other_process, order)
    await press(services, order, SEEN, saw=READY)
    await press(services, order, READY, saw=SEEN)
    await settle_down(services, clock)
    assert len(service.messages) == 1


async def test_message_is_sent_once_when_two_processes_run_the_jobs(
    services, other_process, ready_push, order, service
):
    browsers = [service.browser() for _ in range(3)]
    for each in browsers:
        assert await ready_push.subscribe(order, each.to_json(), "en")
    await press(services, order, READY)
    for _ in range(3):
        await asyncio.gather(drain(services), drain(other_process))
    assert sorted(len(service.received_by(each)) for each in browsers) == [1, 1, 1]


@pytest.mark.parametrize("steps", range(3))
async def test_message_is_sent_once_when_process_restarts(
    services, new_services, ready_push, order, browser, service, clock, steps
):
    """The process dies after some batches of jobs, with those of the next one claimed."""
    assert await ready_push.subscribe(order, browser.to_json(), "en")
    await press(services, order, READY)
    for _ in range(steps):
        assert await run_batch(services.worker)
    await services.outbox.claim(10)
    restarted = new_services(web_push_origins=service.origin)
    await settle_down(restarted, clock)
    assert len(service.messages) == 1


class LostConnection(SqlPushSubscriptions):
    """The database fails once when the sent subscription is to be deleted."""

    has_failed = False

    async def delete(self, subscription_id):
        if not self.has_failed:
            self.has_failed = True
            raise DatabaseUnavailable("lost")
        await super().delete(subscription_id)


async def test_message_that_is_sent_again_replaces_the_first(
    services, ready_push, order, browser, service
):
    assert await ready_push.subscribe(order, browser.to_json(), "en")
    await press(services, order, READY)
    await run_batch(services.worker)
    (job,) = await push_jobs(services)
    store = LostConnection(services.database, services.outbox.notify)
    losing = replace(ready_push, store=store)
    with pytest.raises(DatabaseUnavailable):
        await losing.send(job.payload["subscriptionId"], from_ms(job.payload["readyAt"]))
    await drain(services)
    first, second = service.messages
    assert first.content["tag"] == second.content["tag"]
    assert first.headers["topic"] == second.headers["topic"]


class ReadyMeanwhile(SqlPushSubscriptions):
    """The kitchen presses, and its job is done, before the subscription is stored."""

    is_checked = True

    async def add(self, subscription, limit):
        await press(self.services, self.order, READY)
        await drain(self.services)
        # As a transaction that has read the state before the press.
        keys = ("id", "order_id", "language", "created_at")
        values = {key: getattr(subscription, key) for key in keys} | vars(subscription.browser)
        await self.services.database.write(
            lambda connection: connection.execute(_subscriptions.insert().values(values))
        )
        return True

    async def enqueue_if_ready(self, order_id):
        if self.is_checked:
            await super().enqueue_if_ready(order_id)


def racing(services, order, **given):
    store = ReadyMeanwhile(services.database, services.outbox.notify)
    vars(store).update(services=services, order=order, **given)
    return replace(services.ready_push, store=store)


async def test_subscription_during_the_press_gets_the_message(services, order, browser, service):
    assert await racing(services, order).subscribe(order, browser.to_json(), "en")
    await drain(services)
    assert len(service.messages) == 1


async def test_control_subscription_during_the_press_is_missed_without_the_check(
    services, order, browser, service
):
    """The negative control of the test above."""
    unchecked = racing(services, order, is_checked=False)
    assert await unchecked.subscribe(order, browser.to_json(), "en")
    await drain(services)
    assert service.messages == []


async def test_ended_subscription_is_deleted_for_all_orders(
    services, ready_push, order, browser, service, database
):
    other = await pay(services, await services.ordering.prepare(order_request()))
    for each in (order, other.order):
        assert await ready_push.subscribe(each, browser.to_json(), "en")
    service.end(browser)
    await make_ready(services, order)
    assert service.requests == 1
    assert await count(database, PushSubscriptionRow) == 0
    assert [job.state for job in await push_jobs(services)] == [JobState.DONE]


@sqlite_only
async def test_failed_message_is_retried_alone(services, ready_push, order, service, clock):
    browsers = [service.browser() for _ in range(2)]
    for each in browsers:
        assert await ready_push.subscribe(order, each.to_json(), "en")
    service.answers.append(Answer(500))
    await make_ready(services, order)
    assert len(service.messages) == 1
    await settle_down(services, clock)
    assert [len(service.received_by(each)) for each in browsers] == [1, 1]
    assert service.requests == 3


@sqlite_only
async def test_message_is_retried_after_the_time_that_the_service_names(
    services, ready_push, order, browser, service, clock
):
    assert await ready_push.subscribe(order, browser.to_json(), "en")
    service.answers.append(Answer(429, {"retry-after": "120"}))
    await make_ready(services, order)
    clock.advance(seconds=119)
    await drain(services)
    assert service.requests == 1
    clock.advance(seconds=4)
    await drain(services)
    (message,) = service.messages
    assert message.headers["ttl"] == str(1_800 - HELD_SECONDS - 123)


async def wait(services, clock, minutes):
    """Run the jobs that are due, every ten seconds."""
    for _ in range(minutes * 6):
        clock.advance(seconds=10)
        await drain(services)


@sqlite_only
async def test_message_is_retried_for_half_an_hour_when_service_fails(
    services, ready_push, order, browser, service, clock
):
    assert await ready_push.subscribe(order, browser.to_json(), "en")
    service.answers.extend([Answer(503)] * 1_000)
    await make_ready(services, order)
    await wait(services, clock, minutes=26)
    assert 13 <= service.requests <= 20
    service.answers.clear()
    await wait(services, clock, minutes=3)
    (message,) = service.messages
    assert int(message.headers["ttl"]) <= 240


@sqlite_only
async def test_refused_message_is_not_repeated(
    services, ready_push, order, browser, service, clock
):
    assert await ready_push.subscribe(order, browser.to_json(), "en")
    service.answers.append(Answer(403))
    await make_ready(services, order)
    await settle_down(services, clock)
    assert (service.requests, service.messages) == (1, [])
    assert [job.state for job in await push_jobs(services)] == [JobState.DEAD]


async def postponed(services, ready_push, order, browser, service):
    """Subscribe, and make the order ready while the push service is overloaded."""
    assert await ready_push.subscribe(order, browser.to_json(), "en")
    service.answers.append(Answer(503, {"retry-after": "20"}))
    await make_ready(services, order)
    assert service.messages == []


@sqlite_only
async def test_message_is_dropped_when_order_is_handed_over(
    services, ready_push, order, browser, service, clock, database
):
    await postponed(services, ready_push, order, browser, service)
    await press(services, order, HANDED_OVER, saw=READY)
    clock.advance(seconds=30)
    await drain(services)
    assert service.messages == []
    assert await count(database, PushSubscriptionRow) == 0


@sqlite_only
@pytest.mark.parametrize("minutes", [1, 100])
async def test_message_waits_for_the_next_press_when_press_is_undone(
    services, ready_push, order, browser, service, clock, minutes
):
    await postponed(services, ready_push, order, browser, service)
    await press(services, order, SENT, saw=READY)
    for _ in range(minutes):
        clock.advance(minutes=1)
        await drain(services)
    assert service.messages == []
    assert await ready_push.is_subscribed(order, browser.endpoint)
    await make_ready(services, order)
    await settle_down(services, clock)
    (message,) = service.messages
    assert message.headers["ttl"] == str(1_800 - HELD_SECONDS)
    assert {job.state for job in await push_jobs(services)} == {JobState.DONE}


@sqlite_only
async def test_message_is_not_sent_when_press_is_undone_within_two_seconds(
    services, ready_push, order, browser, service, clock
):
    assert await ready_push.subscribe(order, browser.to_json(), "en")
    assert await services.kitchen_boards.press(DEVICE, "slip", order.id, saw=SENT, target=READY)
    clock.advance(seconds=HELD_SECONDS - 0.1)
    await drain(services)
    assert service.requests == 0
    await press(services, order, SENT, saw=READY)
    await settle_down(services, clock)
    assert service.requests == 0
    await make_ready(services, order)
    assert len(service.messages) == 1


@sqlite_only
async def test_browser_that_subscribes_after_the_undo_gets_the_message(
    services, ready_push, order, service, clock
):
    first, second = (service.browser() for _ in range(2))
    assert await ready_push.subscribe(order, first.to_json(), "en")
    await make_ready(services, order)
    await press(services, order, SENT, saw=READY)
    for each in (first, second):
        assert await ready_push.subscribe(order, each.to_json(), "en")
    await make_ready(services, order)
    await settle_down(services, clock)
    assert [len(service.received_by(each)) for each in (first, second)] == [2, 1]
    assert len({message.content["tag"] for message in service.messages}) == 1


@sqlite_only
async def test_message_of_undone_press_is_not_sent_after_the_next_press(
    services, ready_push, order, browser, service, clock
):
    """Both jobs are due at once; only that of the press that counts sends."""
    await postponed(services, ready_push, order, browser, service)
    await press(services, order, SENT, saw=READY)
    await press(services, order, READY)
    clock.advance(seconds=30)
    for _ in range(2):
        await asyncio.gather(drain(services), drain(services))
    assert len(service.messages) == 1
    assert [job.state for job in await push_jobs(services)] == [JobState.DONE] * 2


@sqlite_only
async def test_message_is_sent_when_handing_over_is_undone(
    services, ready_push, order, browser, service, clock
):
    await postponed(services, ready_push, order, browser, service)
    await press(services, order, HANDED_OVER, saw=READY)
    await press(services, order, READY, saw=HANDED_OVER)
    await settle_down(services, clock)
    assert len(service.messages) == 1


@sqlite_only
async def test_message_is_dropped_when_it_is_half_an_hour_late(
    services, ready_push, order, browser, service, clock, database
):
    await postponed(services, ready_push, order, browser, service)
    clock.advance(minutes=31)
    await drain(services)
    assert service.requests == 1
    assert await count(database, PushSubscriptionRow) == 0


@sqlite_only
async def test_message_is_dropped_when_order_is_refunded(
    services, ready_push, order, browser, service, clock
):
    await postponed(services, ready_push, order, browser, service)
    await services.operations.refund(order.number, Actor("asha"), force=True)
    clock.advance(seconds=30)
    await drain(services)
    assert service.messages == []


async def test_server_deletes_expired_subscriptions(
    services, ready_push, order, browser, clock, database
):
    assert await ready_push.subscribe(order, browser.to_json(), "en")
    clock.advance(days=1)
    assert await ready_push.delete_expired() == 0
    clock.advance(seconds=1)

    async def is_empty():
        return await count(database, PushSubscriptionRow) == 0

    async with running(live.delete_expired_push_subscriptions(services)):
        await eventually(is_empty, "the subscription is deleted")


async def test_purge_deletes_subscriptions_of_the_orders(
    services, ready_push, order, browser, clock, database
):
    assert await ready_push.subscribe(order, browser.to_json(), "en")
    clock.advance(days=2)
    purged = [size async for size in services.operations.purge(clock.now() - _DAY, Actor("asha"))]
    assert sum(purged) == 1
    assert await count(database, PushSubscriptionRow) == 0


async def test_push_is_not_counted_as_notification(services, ready_push, order, browser, service):
    before = await services.payments.orders.notification_status(order.id)
    assert await ready_push.subscribe(order, browser.to_json(), "en")
    await make_ready(services, order)
    assert len(service.messages) == 1
    after = await services.payments.orders.notification_status(order.id)
    assert (after, after.emails_sent) == (before, 2)


@sqlite_only
async def test_processes_of_an_installation_share_a_generated_key(services, other_process):
    file = services.settings.outbox_dir.parent / "vapid.key"
    assert not file.exists()
    assert services.ready_push.public_key == other_process.ready_push.public_key
    assert file.stat().st_mode & 0o777 == 0o600


@sqlite_only
async def test_configured_key_is_used(new_services):
    private = new_private_key()
    services = new_services(vapid_private_key=private)
    assert services.ready_push.public_key == VapidKey(lambda: private, "a@b.example").public_key
    assert not (services.settings.outbox_dir.parent / "vapid.key").exists()


@sqlite_only
async def test_builds_register_no_reaction_of_the_product_as_an_extension(new_services):
    before = ORDER_EVENTS.topics()
    for _ in range(2):
        new_services()
    assert ORDER_EVENTS.topics() == before
