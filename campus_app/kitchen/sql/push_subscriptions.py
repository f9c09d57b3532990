"""Push subscriptions of orders in SQL."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Delete, delete, func, select

from campus_app.kitchen.rules.kitchen import Press
from campus_app.kitchen.rules.ready_push import is_before_ready
from campus_app.kitchen.sql.kitchen_devices import uses_board
from campus_app.kitchen.sql.tables import PushSubscriptionRow
from campus_app.ordering.rules.cooking import Cooking, CookingState
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.sql.order_rows import cooking_from
from campus_app.ordering.sql.tables import CookingRow, OrderRow, PaymentRow
from kit.clock import to_ms
from kit.db.database import Database
from kit.db.tables import from_row, insert_into, table_of
from kit.outbox.models import NewJob, enqueue
from kit.push.subscription import PushSubscription

READY_PRESS_TOPIC: Final = "push.ready_press"
"""The outbox topic of each press that makes an order ready; the subject is the order's id."""
READY_PUSH_TOPIC: Final = "push.ready"
"""The outbox topic of the message to one subscription."""

_subscriptions = table_of(PushSubscriptionRow)
_orders = table_of(OrderRow)
_payments = table_of(PaymentRow)
_cooking = table_of(CookingRow)
_KEY = ("order_id", "endpoint")
_REPLACED = ("p256dh", "auth", "language")


@dataclass(frozen=True)
class OrderSubscription:
    """A browser that gets a message when an order is ready; `id` is unguessable."""

    id: str
    order_id: str
    browser: PushSubscription
    language: str
    created_at: datetime


@dataclass(frozen=True)
class DuePush:
    """A subscription, and the state of its order."""

    subscription: OrderSubscription
    order_number: str
    restaurant_name: str
    order_state: OrderState
    cooking: Cooking


class SqlPushSubscriptions:
    """One row per order and endpoint."""

    def __init__(self, database: Database, notify: Callable[[], None]) -> None:
        """`notify` is called when there are new outbox jobs."""
        self._database = database
        self._notify = notify

    async def has_board(self, order_id: str, at: datetime) -> bool:
        """Whether the order's kitchen had a device before the payment, and has a device at `at`."""
        statement = select(_orders.c.id).select_from(_orders.join(_payments))
        statement = statement.where(_orders.c.id == order_id, uses_board(at))
        return await self._database.fetch_one(statement) is not None

    async def add(self, subscription: OrderSubscription, limit: int) -> bool:
        """Store a subscription; keys and language replace those of the same endpoint.

        False, and nothing changes, if the order does not exist, is ready already, or has `limit`
        subscriptions with other endpoints.
        """
        order_id, endpoint = subscription.order_id, subscription.browser.endpoint
        # Locked, so that concurrent subscriptions of one order are counted one after the other.
        order = select(_orders.c.id).where(_orders.c.id == order_id).with_for_update()
        others = select(func.count()).where(
            _subscriptions.c.order_id == order_id, _subscriptions.c.endpoint != endpoint
        )

        def work(connection: Connection) -> bool:
            if connection.execute(order).first() is None:
                return False
            if not is_before_ready(_cooking_of(connection, order_id)):
                return False
            if connection.execute(others).scalar_one() >= limit:
                return False
            connection.execute(_upsert(connection.dialect.name, subscription))
            return True

        return await self._database.write(work)

    async def remove(self, order_id: str, endpoint: str) -> None:
        """Delete the subscription of an order with this endpoint."""
        await self._delete(
            _subscriptions.c.order_id == order_id, _subscriptions.c.endpoint == endpoint
        )

    async def contains(self, order_id: str, endpoint: str) -> bool:
        """Whether an order has a subscription with this endpoint."""
        statement = select(_subscriptions.c.id).where(
            _subscriptions.c.order_id == order_id, _subscriptions.c.endpoint == endpoint
        )
        return await self._database.fetch_one(statement) is not None

    async def enqueue_if_ready(self, order_id: str) -> None:
        """Enqueue a job `READY_PUSH_TOPIC` for each subscription of an order that is ready.

        Once for each subscription and press. The payload's `subscriptionId` is the subscription's
        id, its `readyAt` the time of the press in milliseconds since 1970.
        """
        ids = select(_subscriptions.c.id).where(_subscriptions.c.order_id == order_id)

        def work(connection: Connection) -> int:
            cooking = _cooking_of(connection, order_id)
            ready_at = cooking.changed_at
            if cooking.state is not CookingState.READY or ready_at is None:
                return 0
            jobs = [_job(id_, order_id, ready_at) for id_ in connection.execute(ids).scalars()]
            enqueue(connection, jobs)
            return len(jobs)

        if await self._database.write(work):
            self._notify()

    async def enqueue_each(
        self, order_id: str, topic: str, payload: Mapping[str, str], at: datetime
    ) -> None:
        """Enqueue a job for each subscription of an order, once per payload, to run at a time.

        The job's payload has the subscription's id, too, as `subscriptionId`.
        """
        ids = select(_subscriptions.c.id).where(_subscriptions.c.order_id == order_id)

        def work(connection: Connection) -> None:
            key = ":".join(payload.values())
            jobs = [
                NewJob(
                    f"{topic}:{id_}:{key}", topic, order_id, {**payload, "subscriptionId": id_}, at
                )
                for id_ in connection.execute(ids).scalars()
            ]
            enqueue(connection, jobs)

        await self._database.write(work)
        self._notify()

    async def due(self, subscription_id: str) -> DuePush | None:
        """Return a subscription and the state of its order."""
        row = await self._database.fetch_one(
            select(
                _subscriptions,
                _orders.c.number,
                _orders.c.restaurant_name,
                _orders.c.state.label("order_state"),
                _cooking,
            )
            .select_from(
                _subscriptions.join(_orders).outerjoin(
                    _cooking, _cooking.c.order_id == _orders.c.id
                )
            )
            .where(_subscriptions.c.id == subscription_id)
        )
        return None if row is None else _due(row)

    async def delete(self, subscription_id: str) -> None:
        """Delete a subscription."""
        await self._delete(_subscriptions.c.id == subscription_id)

    async def delete_endpoint(self, endpoint: str) -> None:
        """Delete the subscriptions of all orders with this endpoint."""
        await self._delete(_subscriptions.c.endpoint == endpoint)

    async def delete_before(self, moment: datetime) -> int:
        """Delete all subscriptions that were stored before a time; return their number."""
        return await self._delete(_subscriptions.c.created_at < moment)

    async def _delete(self, *conditions: Any) -> int:
        deleted = await self._database.execute(delete(_subscriptions).where(*conditions))
        return deleted.rowcount


def enqueue_ready_press(connection: Connection, press: Press) -> None:
    """Enqueue the job of a press that has made an order ready, also if it was ready before.

    It runs when the kitchen can no longer undo the press without moving its hand.
    """
    key = f"{READY_PRESS_TOPIC}:{press.order_id}:{to_ms(press.at)}"
    enqueue(connection, [NewJob(key, READY_PRESS_TOPIC, press.order_id, {}, press.held_until)])


def delete_subscriptions_of(order_ids: Sequence[str]) -> Delete:
    """Return the statement that deletes the subscriptions of these orders."""
    return delete(_subscriptions).where(_subscriptions.c.order_id.in_(order_ids))


def _upsert(dialect: str, subscription: OrderSubscription) -> Any:
    browser = subscription.browser
    statement = insert_into(dialect, _subscriptions).values(
        id=subscription.id,
        order_id=subscription.order_id,
        endpoint=browser.endpoint,
        p256dh=browser.p256dh,
        auth=browser.auth,
        language=subscription.language,
        created_at=subscription.created_at,
    )
    return statement.on_conflict_do_update(
        index_elements=_KEY, set_={name: statement.excluded[name] for name in _REPLACED}
    )


def _cooking_of(connection: Connection, order_id: str) -> Cooking:
    row = connection.execute(select(_cooking).where(_cooking.c.order_id == order_id)).first()
    return Cooking() if row is None else from_row(Cooking, _cooking, row)


def _job(subscription_id: str, order_id: str, ready_at: datetime) -> NewJob:
    """Return the job of a subscription and a press: the times of an order's presses differ."""
    ready_at_ms = to_ms(ready_at)
    return NewJob(
        f"{READY_PUSH_TOPIC}:{subscription_id}:{ready_at_ms}",
        READY_PUSH_TOPIC,
        order_id,
        {"subscriptionId": subscription_id, "readyAt": ready_at_ms},
        ready_at,
    )


def _due(row: Any) -> DuePush:
    browser = from_row(PushSubscription, _subscriptions, row)
    return DuePush(
        from_row(OrderSubscription, _subscriptions, row, browser=browser),
        row.number,
        row.restaurant_name,
        row.order_state,
        cooking_from(row),
    )
