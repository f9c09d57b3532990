"""What the desk shows: what needs somebody, the orders, and one order with all that happened.

Source: specification 11.5 to 11.9.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.operators.rules.attention import (
    MAXIMUM_NOTE_CHARACTERS,
    SETTLED_BY_HAND,
    Attention,
    AttentionKind,
    by_urgency,
    without_addresses,
)
from campus_app.operators.rules.desk import DeskArea, DeskDevice, may_enter
from campus_app.operators.rules.order_admin import (
    OrderFilter,
    OrderQuery,
    OrderSummary,
    query_of,
)
from campus_app.operators.rules.timeline import OrderFile, Settled
from campus_app.operators.services.operations import Operations
from campus_app.operators.sql.order_history import SqlOrderHistory
from campus_app.ordering.rules.cooking import Cooking
from campus_app.ordering.rules.customer import Customer
from campus_app.ordering.rules.refund import RefundState, total_amount
from campus_app.ordering.sql.shortages import SqlShortages
from campus_app.shared.rules.audit import Actor, AuditAction, audit_entry
from campus_app.shared.rules.constants import MAXIMUM_COUNTED
from campus_app.shared.rules.errors import Conflict, Invalid
from campus_app.shared.rules.messages import DeskMessage, OperatorMessage
from kit.clock import Clock
from kit.open_views import OpenViews
from kit.outbox.store import Outbox
from kit.text import normalize_text
from voice_site.domain.lead import REMINDED_AFTER, LeadState
from voice_site.services.demo_requests import DemoRequests
from voice_site.services.leads import Leads

logger = logging.getLogger(__name__)

_AUDIT_ENTRIES = 100
LISTED = 50
"""How many orders are shown at first, and by how many more at a time."""
_LONGEST_WAIT_SECONDS = 1
"""How long a page that opens waits for its content, as a browser does after a reconnection."""
_OF_A_KIND = 20
"""How many lines of one kind need somebody at most; more would hide the other kinds."""


@dataclass(frozen=True)
class ListedOrder:
    """An order of a list, and how far its kitchen is."""

    order: OrderSummary
    cooking: Cooking


@dataclass(frozen=True)
class OrderList:
    """The newest orders of a query, and how many match: beyond `MAXIMUM_COUNTED` one counts."""

    lines: Sequence[ListedOrder]
    total: int


@dataclass(frozen=True)
class DeskView:
    """What an open page of the desk shows: an order, the orders of a query, or an area's page."""

    device: DeskDevice
    language: str
    area: DeskArea = DeskArea.ORDERS
    query: OrderQuery | None = None
    order_id: str = ""


@dataclass
class Desk:
    """Reads what the desk shows.

    Raises:
        DatabaseUnavailable: By every method that reads.
    """

    operations: Operations
    outbox: Outbox
    catalogue: CsvCatalogue
    mail_topics: Callable[[], Sequence[str]]
    clock: Clock
    history: SqlOrderHistory
    shortages: SqlShortages
    leads: Leads | None = None
    requests: DemoRequests | None = None
    """Both of the other product; None where it is not served."""

    def __post_init__(self) -> None:
        """Begin without open pages."""
        self.changed = asyncio.Event()
        """Set when the open pages of this process may be outdated."""
        self.views: OpenViews[DeskView] = OpenViews(self.refresh, self._cancel)
        self.is_attention_old = True
        """Whether what needs somebody has to be read again at once."""

        self._pushes: dict[str, dict[str, object]] = {}
        self._waiting: list[asyncio.Event] = []
        self._slow: dict[str, asyncio.Task[None]] = {}
        self._running: set[asyncio.Task[None]] = set()
        """The slow ones, and those that a later one has replaced and that are still ending."""

    def is_open_to(self, area: DeskArea) -> bool:
        """Whether an open page of this process belongs to somebody who may enter an area."""
        return any(may_enter(view.device.role, area) for _, view in self.views)

    def push(self, socket_id: str, name: str, value: object) -> None:
        """Send a variable to an open page without storing it in the session.

        A session may be in Redis, and outlives the page, the device and the person's role.
        """
        self._pushes.setdefault(socket_id, {})[name] = value
        self.changed.set()

    def push_later(self, socket_id: str, name: str, value: Awaitable[object]) -> None:
        """Push a variable once its value is there; a later call for the page replaces this one.

        For what takes longer than an event may: after ten seconds it loses its session's lock. It
        is cancelled when the page is closed, as the reports of other pages wait for it.
        """

        async def push() -> None:
            self.push(socket_id, name, await value)

        self._cancel(socket_id)
        self._slow[socket_id] = task = asyncio.create_task(push())
        self._running.add(task)
        task.add_done_callback(lambda done: self._forget(socket_id, done))

    async def close(self) -> None:
        """End what is still computed for the open pages, with its processes."""
        for each in self._running:
            each.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _cancel(self, socket_id: str) -> None:
        if slow := self._slow.get(socket_id):
            slow.cancel()

    def _forget(self, socket_id: str, done: asyncio.Task[None]) -> None:
        self._running.discard(done)
        if self._slow.get(socket_id) is done:
            del self._slow[socket_id]
        if not done.cancelled() and (error := done.exception()):
            logger.error("the desk could not show something", exc_info=error)

    def take_pushes(self) -> dict[str, dict[str, object]]:
        """Return what is to be sent since the last call: variables by name, by socket."""
        taken, self._pushes = self._pushes, {}
        return taken

    def put_back(self, pushes: Mapping[str, Mapping[str, object]]) -> None:
        """Take back what could not be sent; a value that was pushed since is newer."""
        for socket_id, values in pushes.items():
            self._pushes[socket_id] = {**values, **self._pushes.get(socket_id, {})}

    def take_waiting(self) -> Sequence[asyncio.Event]:
        """Return the events to set once all was sent that is to be sent now."""
        taken, self._waiting = self._waiting, []
        return taken

    async def sent(self) -> None:
        """Wait until the open pages show what was opened and pushed before; a second at most."""
        waiting = asyncio.Event()
        self._waiting.append(waiting)
        self.changed.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(_LONGEST_WAIT_SECONDS):
                await waiting.wait()

    def refresh(self) -> None:
        """Read everything again that the open pages of this process show."""
        self.is_attention_old = True
        self.changed.set()

    async def attention(self) -> Sequence[Attention]:
        """Return what needs somebody, the most urgent first. Source: specification 11.5."""
        now = self.clock.now()
        lines = [*await self._orders_in_need(), *await self._mails(), *self._menus()]
        return by_urgency(lines + await self._late_leads(now))

    async def orders(self, query: OrderQuery) -> OrderList:
        """Return the newest orders that match a query."""
        found = await self.operations.order_admin.list_orders(query, MAXIMUM_COUNTED)
        cooking = await self.operations.progress.cooking_of([each.id for each in found.lines])
        lines = [ListedOrder(each, cooking[each.id]) for each in found.lines]
        return OrderList(lines, found.total)

    async def find(self, text: str, by: Actor) -> OrderList:
        """Return the newest orders with this number, contact or part of a name; audited.

        The audit entry has how many were found, not what was typed: it may be personal data.
        """
        query = query_of(text, LISTED)
        found = OrderList((), 0) if query is None else await self.orders(query)
        entry = audit_entry(
            self.clock.now(), by, AuditAction.FIND_ORDERS, "orders", found=str(len(found.lines))
        )
        await self.operations.audit.record(entry)
        return found

    async def record_download(self, count: int, by: Actor) -> None:
        """Record that somebody got all demo requests, with names and contacts, as a file."""
        entry = audit_entry(
            self.clock.now(), by, AuditAction.DOWNLOAD_LEADS, "leads", requests=str(count)
        )
        await self.operations.audit.record(entry)

    async def order_file(self, order_id: str) -> OrderFile:
        """Return everything about an order; the caller shows its personal data on request alone.

        Raises:
            NotFound: If there is no such order.
        """
        operations = self.operations
        stored = await operations.find_order(order_id)
        id_ = stored.order.id
        return OrderFile(
            stored.order,
            await operations.order_admin.payment(id_),
            await self.history.opened_at(stored.payment.id),
            await operations.order_admin.notifications(id_),
            await self.history.presses(id_),
            await self.shortages.of_orders([id_]),
            await operations.refunds.store.of_payment(stored.payment.id),
            await self.history.settled_of(id_),
            await operations.audit.entries(subject=id_, limit=_AUDIT_ENTRIES),
            (await operations.progress.cooking_of([id_]))[id_].state,
        )

    async def show_contact(self, order_id: str, by: Actor) -> Customer:
        """Return an order's customer; the access is audited.

        Raises:
            NotFound: If there is no such order.
        """
        return (await self.operations.order_details(order_id, by)).order.customer

    async def settle(self, order_id: str, kind: AttentionKind, note: str, by: Actor) -> bool:
        """Take an order from what needs somebody, with a note; False if somebody did before.

        A due refund can't be settled: it stays until the money has gone back.

        Raises:
            NotFound: If there is no such order.
            Conflict: `purged` if the customer's data is deleted.
            Invalid: If the note is empty or longer than 300 characters, or of the wrong kind.
        """
        line = normalize_text(note)
        if kind not in SETTLED_BY_HAND or not 0 < len(line) <= MAXIMUM_NOTE_CHARACTERS:
            raise Invalid(DeskMessage.NOTE_LENGTH.of(most=str(MAXIMUM_NOTE_CHARACTERS)))
        order = (await self.operations.find_order(order_id)).order
        if not order.customer.email:
            # A purge does not come back for the note.
            raise Conflict("purged", OperatorMessage.PURGED)
        now = self.clock.now()
        entry = audit_entry(
            now, by, AuditAction.SETTLE_ORDER, order.id, number=order.number, kind=kind
        )
        is_new = await self.history.settle(Settled(order.id, kind, line, by.name, now), entry)
        self.refresh()
        return is_new

    async def _orders_in_need(self) -> list[Attention]:
        kinds: Mapping[OrderFilter, AttentionKind] = {
            OrderFilter.UNSEEN: AttentionKind.UNSEEN,
            OrderFilter.REFUND: AttentionKind.REFUND,
            OrderFilter.UNREADABLE: AttentionKind.UNREADABLE,
            OrderFilter.FAILED_NOTIFICATIONS: AttentionKind.NOTIFICATION,
        }
        lines: list[Attention] = []
        for only, kind in kinds.items():
            query = OrderQuery(_OF_A_KIND + 1, only=only, needs_somebody=True)
            found = await self.operations.order_admin.newest_orders(query)
            if len(found) > _OF_A_KIND:
                found = found[:_OF_A_KIND]
                lines.append(Attention(AttentionKind.MORE, only, only, count=_OF_A_KIND))
            if kind is AttentionKind.REFUND:
                lines += await self._refunds(found)
            else:
                lines += [self._line(kind, each) for each in found]
        return lines

    async def _refunds(self, orders: Sequence[OrderSummary]) -> list[Attention]:
        """Return the orders whose money waits for an operator, or for the payment provider."""
        lines: list[Attention] = []
        unfinished = await self.history.unfinished_refunds([each.id for each in orders])
        for order in orders:
            refunds = unfinished.get(order.id, ())
            due = [each for each in refunds if each.state is RefundState.DUE]
            if shown := due or refunds:
                kind = AttentionKind.REFUND if due else AttentionKind.REFUND_ASKED
                line = replace(
                    self._line(kind, order),
                    detail=shown[0].reason,
                    since=shown[0].marked_at,
                    amount=total_amount(shown),
                )
                lines.append(line)
        return lines

    def _line(self, kind: AttentionKind, order: OrderSummary) -> Attention:
        restaurant = self.catalogue.restaurant(order.restaurant_id)
        return Attention(
            kind,
            order.id,
            order.number,
            place=order.restaurant_name,
            phone=restaurant.vendor_phone if restaurant else "",
            since=order.paid_at or order.created_at,
            count=len(order.failed_notifications),
        )

    async def _mails(self) -> list[Attention]:
        return [
            Attention(
                AttentionKind.MAIL,
                each.topic,
                each.topic,
                detail=without_addresses(each.reason or ""),
                since=each.next_run_at if each.is_waiting else None,
                count=each.count,
            )
            for each in await self.outbox.failed(self.mail_topics())
        ]

    async def _late_leads(self, now: datetime) -> list[Attention]:
        if self.leads is None:
            return []
        late = [
            each
            for each in (await self.leads.store.all()).values()
            if each.state is LeadState.NEW and now - each.created_at >= REMINDED_AFTER
        ]
        files = [await self.leads.file_of(each) for each in late[:_OF_A_KIND]]
        return [
            Attention(
                AttentionKind.LEAD,
                each.lead.reference,
                each.requests[-1].request.company,
                since=each.lead.created_at,
            )
            for each in files
            if each.requests
        ]

    def _menus(self) -> list[Attention]:
        lines: list[Attention] = []
        for restaurant in self.catalogue.restaurants():
            try:
                faults = [str(each) for each in self.catalogue.faults(restaurant.id)]
            except MenuUnavailable as error:
                faults = [error.message]
            if faults:
                lines.append(
                    Attention(
                        AttentionKind.MENU,
                        str(restaurant.id),
                        restaurant.name,
                        detail=faults[0],
                        count=len(faults),
                    )
                )
        return lines
