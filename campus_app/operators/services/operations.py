"""The operators' use cases: overrides, orders, retries, refunds, purges."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import datetime

from campus_app.catalogue.services.availability import RestaurantStatus, Statuses, override_of
from campus_app.catalogue.services.restaurant_days import RestaurantDays
from campus_app.catalogue.sql.restaurant_overrides import SqlRestaurantOverrides
from campus_app.notifications.rules.missed_call import call_deadline
from campus_app.notifications.services.missed_calls import MissedCalls
from campus_app.operators.rules.order_admin import (
    NotificationRecord,
    OrderPage,
    OrderQuery,
    PaymentRecord,
)
from campus_app.operators.services.running_server import HttpRunningServer
from campus_app.operators.sql.order_admin import SqlOrderAdmin
from campus_app.ordering.rules.cooking import Cooking
from campus_app.ordering.rules.notification import Notification
from campus_app.ordering.rules.order import Order, OrderState
from campus_app.ordering.rules.order_number import parse_order_number
from campus_app.ordering.rules.refund import RefundPart, RefundRecord
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.ordering.services.order_progress import OrderProgress
from campus_app.ordering.services.refunds import RefundReport, Refunds
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.shared.rules.audit import Actor, AuditAction, AuditEntry, audit_entry
from campus_app.shared.rules.errors import Conflict, NotFound
from campus_app.shared.rules.messages import DeskMessage, OperatorMessage, OrderMessage
from campus_app.shared.sql.audit import SqlAudit
from kit.clock import Clock
from kit.outbox.models import JobState

_PURGE_BATCH_SIZE = 200
_AUDIT_ENTRIES_PER_ORDER = 100


@dataclass(frozen=True)
class OverrideResult:
    """A restaurant's new status, and whether the running server set the override."""

    status: RestaurantStatus
    by_server: bool


@dataclass(frozen=True)
class OrderDetails:
    """Everything known about one order."""

    order: Order
    payment: PaymentRecord
    notifications: Sequence[NotificationRecord]
    refunds: Sequence[RefundRecord]
    audit: Sequence[AuditEntry]
    cooking: Cooking


@dataclass(frozen=True)
class Operations:
    """The operators' use cases; they run beside the server, on the same database.

    Commands that only read call `order_admin` and `audit` directly.
    """

    statuses: Statuses
    restaurant_days: RestaurantDays
    overrides: SqlRestaurantOverrides
    server: HttpRunningServer
    orders: SqlOrders
    order_admin: SqlOrderAdmin
    audit: SqlAudit
    refunds: Refunds
    progress: OrderProgress
    clock: Clock
    calls: MissedCalls | None
    """None where calls are written to a file."""

    async def load_statuses(self) -> list[RestaurantStatus]:
        """Return the current status of every restaurant, by id."""
        await self.restaurant_days.load()
        await self.statuses.load()
        return self.statuses.all()

    async def set_override(
        self,
        restaurant_id: int,
        *,
        is_open: bool,
        message: str,
        by: Actor,
        until: datetime | None = None,
    ) -> OverrideResult:
        """Set an override through the running server, so that open pages show it at once.

        If no server answers, or it uses another database, the override is stored in our database.

        Raises:
            NotFound: If there is no such restaurant.
        """
        if all(status.restaurant_id != restaurant_id for status in self.statuses.all()):
            raise NotFound("unknown_restaurant", OrderMessage.UNKNOWN_RESTAURANT)
        override = override_of(restaurant_id, is_open=is_open, message=message, until=until)
        if (
            await self.server.set_override(override, by.name)
            and override in await self.overrides.all_overrides()
        ):
            return OverrideResult(await self._status(restaurant_id), by_server=True)
        status = await self.statuses.set_override(
            restaurant_id, is_open=is_open, message=message, until=until, by=by
        )
        return OverrideResult(status, by_server=False)

    async def set_sold_out(
        self, restaurant_id: int, dish_id: str, *, is_sold_out: bool, by: Actor
    ) -> OverrideResult:
        """Mark a dish as sold out or available through the running server, as in `set_override`.

        Raises:
            NotFound: If there is no such restaurant or dish.
            MenuUnavailable: If the menu cannot be read.
        """
        if await self.server.set_sold_out(restaurant_id, dish_id, by.name, is_sold_out=is_sold_out):
            status = await self._status(restaurant_id)
            if (dish_id in status.sold_out) is is_sold_out:  # else it uses another database
                return OverrideResult(status, by_server=True)
        status = await self.statuses.set_sold_out(
            restaurant_id, dish_id, is_sold_out=is_sold_out, by=by
        )
        return OverrideResult(status, by_server=False)

    async def _status(self, restaurant_id: int) -> RestaurantStatus:
        statuses = await self.load_statuses()
        return next(each for each in statuses if each.restaurant_id == restaurant_id)

    async def order_details(self, name: str, by: Actor) -> OrderDetails:
        """Return all details of the order with this number or id; the access is audited.

        Raises:
            NotFound: If there is no such order.
        """
        stored = await self.find_order(name)
        order = stored.order
        await self.audit.record(
            audit_entry(self.clock.now(), by, AuditAction.SHOW_ORDER, order.id, number=order.number)
        )
        return OrderDetails(
            order,
            await self.order_admin.payment(order.id),
            await self.order_admin.notifications(order.id),
            await self.refunds.store.of_payment(stored.payment.id),
            await self.audit.entries(subject=order.id, limit=_AUDIT_ENTRIES_PER_ORDER),
            (await self.progress.cooking_of([order.id]))[order.id],
        )

    async def orders_of(self, contact: str, limit: int, by: Actor) -> OrderPage:
        """Return the newest orders of a phone number or e-mail address; the search is audited.

        The audit entry has their number, not the contact, which a purge could not delete there.

        Raises:
            NotFound: If there is none.
        """
        page = await self.order_admin.list_orders(OrderQuery(limit, contact=contact))
        found = str(page.total)
        entry = audit_entry(self.clock.now(), by, AuditAction.FIND_ORDERS, "orders", found=found)
        await self.audit.record(entry)
        if not page.lines:
            raise NotFound("unknown_order", OrderMessage.UNKNOWN_ORDER)
        return page

    async def retry_notifications(self, name: str, by: Actor) -> Sequence[str]:
        """Requeue an order's failed notifications; return their topics.

        A call that may have rung is never repeated, and one that would be rejected is left out.

        Source: specification S9.

        Raises:
            NotFound: If there is no such order.
            Conflict: `purged` if the customer's data is deleted, `call_is_over` if there is
                nothing to requeue but the kitchen was not called, and will not be.
        """
        stored = await self.find_order(name)
        order = stored.order
        if not order.customer.email:
            raise Conflict("purged", OperatorMessage.PURGED)

        def entry_of(topics: Sequence[str]) -> AuditEntry:
            return audit_entry(
                self.clock.now(),
                by,
                AuditAction.RETRY_NOTIFICATIONS,
                order.id,
                number=order.number,
                notifications=", ".join(topics) or "none",
            )

        is_over = await self._is_call_over(stored)
        without = [Notification.VENDOR_CALL] if is_over else []
        topics = await self.order_admin.retry_notifications(order.id, entry_of, without)
        if is_over and not topics:
            raise Conflict("call_is_over", DeskMessage.CALL_IS_OVER)
        return topics

    async def _is_call_over(self, stored: StoredOrder) -> bool:
        """Whether the kitchen has to be called about an order, but another attempt is rejected."""
        order = stored.order
        if self.calls is None or order.state is not OrderState.CONFIRMED:
            return False
        deadline = call_deadline(stored.payment.paid_at or order.created_at)
        if await self.calls.can_ring(order.id, order.restaurant_id, deadline):
            return False
        jobs = {each.topic: each.state for each in await self.order_admin.notifications(order.id)}
        return jobs.get(Notification.VENDOR_CALL) == JobState.DEAD

    async def retry_mail(self, topics: Sequence[str], by: Actor) -> int:
        """Make the running server retry e-mails that wait for a mail server; return how many."""

        def entry_of(waiting: int) -> AuditEntry:
            return audit_entry(
                self.clock.now(), by, AuditAction.RETRY_MAIL, "mails", waiting=str(waiting)
            )

        return await self.order_admin.retry_mail(topics, entry_of)

    async def refund(
        self, name: str, by: Actor, *, force: bool, part: RefundPart | None = None
    ) -> RefundReport:
        """Refund the due part of an order's payment, once; with `force` all of it, or a part.

        Raises:
            NotFound: If there is no such order.
            Conflict: As `Refunds.refund_order`.
            PaymentError: If the provider does not answer, or refuses.
        """
        return await self.refunds.refund_order(
            await self.find_order(name), by, force=force, part=part
        )

    async def purge(self, before: datetime, by: Actor) -> AsyncGenerator[int]:
        """Delete the personal data of orders placed before then; yield the size of each batch.

        Amounts, states, numbers and times are kept.
        """

        def entry_of(orders: int) -> AuditEntry:
            return audit_entry(
                self.clock.now(),
                by,
                AuditAction.PURGE_ORDERS,
                "orders",
                before=before.isoformat(timespec="seconds"),
                orders=str(orders),
            )

        batch = await self.order_admin.purge(before, _PURGE_BATCH_SIZE, entry_of)
        while batch.orders:
            yield batch.orders
            batch = await self.order_admin.purge(
                before, _PURGE_BATCH_SIZE, entry_of, reached=batch.reached
            )

    async def find_order(self, name: str) -> StoredOrder:
        """Return the order with this number or id, without its personal data being shown.

        Raises:
            NotFound: If there is no such order.
        """
        number = name.upper()
        is_number = parse_order_number(number) is not None
        stored = await (self.orders.by_number(number) if is_number else self.orders.by_id(name))
        if stored is None:
            raise NotFound("unknown_order", OrderMessage.UNKNOWN_ORDER)
        return stored
