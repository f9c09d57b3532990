"""The services of the kitchens: boards, devices, unseen orders, 'ready' messages."""

from collections.abc import Awaitable
from dataclasses import dataclass

from campus_app.kitchen.services.day_sheets import DaySheets
from campus_app.kitchen.services.kitchen_boards import KitchenBoards
from campus_app.kitchen.services.kitchen_devices import KitchenDevices
from campus_app.kitchen.services.ready_push import ReadyPush
from campus_app.kitchen.services.shortage_push import SHORTAGE_MESSAGE_TOPIC, ShortagePush
from campus_app.kitchen.services.unseen_orders import UnseenOrders
from campus_app.kitchen.sql.day_sheets import SqlDaySheets
from campus_app.kitchen.sql.kitchen_devices import SqlKitchenDevices
from campus_app.kitchen.sql.push_subscriptions import (
    READY_PRESS_TOPIC,
    READY_PUSH_TOPIC,
    SqlPushSubscriptions,
)
from campus_app.kitchen.sql.tickets import SqlTickets
from campus_app.kitchen.sql.unseen_orders import SqlUnseenOrders
from campus_app.notifications.rules.missed_call import CallReason
from campus_app.notifications.wiring import NotificationServices
from campus_app.ordering.rules.order_event import EventTopics
from campus_app.ordering.rules.shortage import SHORTAGE_PUSH_TOPIC
from campus_app.shared import current
from kit.clock import from_ms
from kit.outbox.store import Job
from kit.outbox.worker import Effect
from kit.push.sender import WebPushSender
from kit.push.vapid import VapidKey, stored_private_key

_PUSH_JOB_SECONDS = 20.0


@dataclass(frozen=True)
class KitchenServices(NotificationServices):
    """What the kitchens' room and the operators may use."""

    kitchen_devices: KitchenDevices
    kitchen_boards: KitchenBoards
    day_sheets: DaySheets
    unseen_orders: UnseenOrders
    ready_push: ReadyPush


def build(left: NotificationServices, topics: EventTopics) -> KitchenServices:
    """Build the services on those of notifications.

    Args:
        left: The services of notifications.
        topics: Those of the outbox jobs that an order's event enqueues.
    """
    database, catalogue, clock = left.database, left.catalogue, left.clock
    notify = left.outbox.notify
    boards = KitchenBoards(
        SqlTickets(database, topics, notify), catalogue, clock, left.order_progress
    )
    unseen_orders = UnseenOrders(
        SqlUnseenOrders(database, notify), left.payments.orders, catalogue, left.caller, clock
    )
    ready_push = _ready_push(left)
    left.worker.add_effects(
        {
            CallReason.UNSEEN.value: left.call_effect(
                lambda job: unseen_orders.call_again(job.subject)
            ),
            **_push_effects(ready_push),
            **_shortage_effects(left, ready_push),
        }
    )
    return KitchenServices(
        **vars(left),
        kitchen_devices=KitchenDevices(
            SqlKitchenDevices(database), clock, left.order_progress.notify, catalogue
        ),
        kitchen_boards=boards,
        day_sheets=DaySheets(SqlDaySheets(database), catalogue, clock),
        unseen_orders=unseen_orders,
        ready_push=ready_push,
    )


def services() -> KitchenServices:
    """Return this process's services."""
    return current.services()


def _push_effects(ready_push: ReadyPush) -> dict[str, Effect]:
    def send(job: Job) -> Awaitable[None]:
        return ready_push.send(job.payload["subscriptionId"], from_ms(job.payload["readyAt"]))

    return {
        READY_PRESS_TOPIC: Effect(lambda job: ready_push.enqueue_pushes(job.subject)),
        READY_PUSH_TOPIC: Effect(send, timeout_seconds=_PUSH_JOB_SECONDS),
    }


def _shortage_effects(left: NotificationServices, ready_push: ReadyPush) -> dict[str, Effect]:
    push = ShortagePush(
        ready_push.store,
        left.shortages.store,
        ready_push.sender,
        left.clock,
    )

    def enqueue(job: Job) -> Awaitable[None]:
        return push.enqueue_messages(job.subject, job.payload["shortageId"], job.payload["about"])

    def send(job: Job) -> Awaitable[None]:
        said = job.payload
        return push.send(said["subscriptionId"], said["shortageId"], said["about"])

    return {
        SHORTAGE_PUSH_TOPIC: Effect(enqueue),
        SHORTAGE_MESSAGE_TOPIC: Effect(send, timeout_seconds=_PUSH_JOB_SECONDS),
    }


def _ready_push(left: NotificationServices) -> ReadyPush:
    config = left.settings

    def private_key() -> str:
        key = config.vapid_private_key.get_secret_value()
        return key or stored_private_key(config.outbox_dir.parent / "vapid.key")

    # The file is not created before a visitor needs the key: the command line, which may run as
    # another user than the server, builds the services too.
    key = VapidKey(private_key, config.push_contact_address)
    return ReadyPush(
        SqlPushSubscriptions(left.database, left.outbox.notify),
        WebPushSender(key, config.push_services, left.clock),
        config.push_services,
        left.clock,
    )
