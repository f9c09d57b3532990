"""What the people who run the place do: turn switches, look at orders, mend, forget."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import datetime

from campus_app.domain.audit import Action, Actor, AuditEntry, audited
from campus_app.domain.errors import Conflict, NotFound
from campus_app.domain.messages import OperatorMessage, OrderMessage
from campus_app.domain.order import Order
from campus_app.domain.order_admin import LedgerPage, LedgerQuery, NoticeRecord, PaymentRecord
from campus_app.domain.order_number import order_number_value
from campus_app.domain.refund import RefundRecord
from campus_app.ports.catalogue import Switch, SwitchStore
from campus_app.ports.operations import AuditTrail, Ledger, RunningServer
from campus_app.ports.orders import OrderStore, StoredOrder
from campus_app.services.availability import RestaurantStatus, StatusBoard
from campus_app.services.refunds import RefundReport, Refunds
from kit.clock import Clock

_PURGED_AT_ONCE = 200
_AUDIT_OF_AN_ORDER = 100


@dataclass(frozen=True)
class Turned:
    """A switch that was turned, and whether the running server did it."""

    status: RestaurantStatus
    by_server: bool


@dataclass(frozen=True)
class OrderFile:
    """All that is known of one order."""

    order: Order
    payment: PaymentRecord
    notices: Sequence[NoticeRecord]
    refunds: Sequence[RefundRecord]
    audit: Sequence[AuditEntry]


@dataclass(frozen=True)
class Operations:
    """Works beside the running server, on the same database."""

    board: StatusBoard
    switches: SwitchStore
    server: RunningServer
    orders: OrderStore
    ledger: Ledger
    audit: AuditTrail
    refunds: Refunds
    clock: Clock

    async def statuses(self) -> list[RestaurantStatus]:
        """Return the status of every restaurant, by id, as the switches are now."""
        await self.board.load()
        return self.board.statuses()

    async def turn(self, restaurant_id: int, *, is_open: bool, message: str, by: Actor) -> Turned:
        """Turn a restaurant's switch: through the running server, so that everyone hears at once.

        Where none answers, or one that keeps another database, the switch is turned in ours.

        Raises:
            NotFound: If there is no such restaurant.
        """
        if all(status.restaurant_id != restaurant_id for status in self.board.statuses()):
            raise NotFound("unknown_restaurant", OrderMessage.UNKNOWN_RESTAURANT)
        switch = Switch(restaurant_id, is_open, "" if is_open else message)
        if await self.server.turn(switch, by.name) and switch in await self.switches.switches():
            statuses = await self.statuses()
            turned = next(each for each in statuses if each.restaurant_id == restaurant_id)
            return Turned(turned, by_server=True)
        turned = await self.board.turn(restaurant_id, is_open=is_open, message=message, by=by)
        return Turned(turned, by_server=False)

    async def page(self, query: LedgerQuery) -> LedgerPage:
        """Return the orders that a query is about, without a word of who ordered them."""
        return await self.ledger.page(query)

    async def order_file(self, name: str, by: Actor) -> OrderFile:
        """Return all about the order with this number or key; who looked is kept.

        Raises:
            NotFound: If there is no such order.
        """
        stored = await self._find(name)
        order = stored.order
        await self.audit.record(
            audited(self.clock.now(), by, Action.SHOW_ORDER, order.id, number=order.number)
        )
        return OrderFile(
            order,
            await self.ledger.payment(order.id),
            await self.ledger.notices(order.id),
            await self.refunds.store.of_payment(stored.payment.id),
            await self.audit.entries(subject=order.id, limit=_AUDIT_OF_AN_ORDER),
        )

    async def retry_notifications(self, name: str, by: Actor) -> Sequence[str]:
        """Let an order's notices that were given up be tried again; return which.

        A call that may have rung is never repeated. Source: specification S9.

        Raises:
            NotFound: If there is no such order.
            Conflict: `purged` if nobody knows any more whom to tell.
        """
        order = (await self._find(name)).order
        if not order.customer.email:
            raise Conflict("purged", OperatorMessage.PURGED)

        def entry_of(topics: Sequence[str]) -> AuditEntry:
            return audited(
                self.clock.now(),
                by,
                Action.RETRY_NOTIFICATIONS,
                order.id,
                number=order.number,
                notifications=", ".join(topics) or "none",
            )

        return await self.ledger.retry_notices(order.id, entry_of)

    async def retry_mail(self, topics: Sequence[str], by: Actor) -> int:
        """Let the running server try the mails that wait for a mail server; return how many."""

        def entry_of(waiting: int) -> AuditEntry:
            return audited(self.clock.now(), by, Action.RETRY_MAIL, "mails", waiting=str(waiting))

        return await self.ledger.retry_mail(topics, entry_of)

    async def refund(self, name: str, by: Actor, *, force: bool) -> RefundReport:
        """Give back what is due of an order's money, once; with `force` all of it.

        Raises:
            NotFound: If there is no such order.
            Conflict: As `Refunds.give_back`.
            PaymentError: If the provider does not answer, or refuses.
        """
        return await self.refunds.give_back(await self._find(name), by, force=force)

    async def count_purgeable(self, before: datetime) -> int:
        """Return how many orders placed before then still say who ordered."""
        return await self.ledger.count_personal(before)

    async def purge(self, before: datetime, by: Actor) -> AsyncGenerator[int]:
        """Remove the personal data of orders placed before then; yield after each batch how many.

        Amounts, states, numbers and times stay.
        """

        def entry_of(orders: int) -> AuditEntry:
            return audited(
                self.clock.now(),
                by,
                Action.PURGE_ORDERS,
                "orders",
                before=before.isoformat(timespec="seconds"),
                orders=str(orders),
            )

        batch = await self.ledger.purge(before, _PURGED_AT_ONCE, entry_of)
        while batch.orders:
            yield batch.orders
            batch = await self.ledger.purge(
                before, _PURGED_AT_ONCE, entry_of, reached=batch.reached
            )

    async def audit_lines(self, since: datetime | None, limit: int) -> Sequence[AuditEntry]:
        """Return what operators did, the last first."""
        return await self.audit.entries(since=since, limit=limit)

    async def _find(self, name: str) -> StoredOrder:
        number = name.upper()
        is_number = order_number_value(number) is not None
        stored = await (self.orders.by_number(number) if is_number else self.orders.by_id(name))
        if stored is None:
            raise NotFound("unknown_order", OrderMessage.UNKNOWN_ORDER)
        return stored
