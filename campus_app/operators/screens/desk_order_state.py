"""The events of an order's page at the desk."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import reflex as rx

from campus_app.operators import wiring
from campus_app.operators.rules.desk import DeskArea, DeskDevice
from campus_app.operators.screens.desk_entry import DeskEntry, actor_of, text_in
from campus_app.operators.screens.desk_order_view import OrderView
from campus_app.operators.services.desk import DeskView
from campus_app.ordering.rules.customer import format_phone
from campus_app.ordering.rules.errors import PaymentError, ProviderRejected
from campus_app.ordering.rules.order import is_order_key
from campus_app.ordering.rules.refund import RefundPart, RefundRecord
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.shared.rules.errors import OrderingError
from campus_app.shared.rules.messages import DeskMessage, OperatorMessage
from campus_app.shared.rules.money import parse_reported_amount
from campus_app.shared.translations import t
from kit.translations import language


class DeskOrder(DeskEntry, mixin=True):
    """An order; pushes update `order` between events."""

    order: OrderView = {}  # pyright: ignore[reportAssignmentType] - {}: every page's script has it
    contact: dict[str, str] = {}
    """The customer's name, e-mail, phone and address; pushed once somebody has asked for them."""

    _refunds_seen: tuple[str, int] = ("", -1)
    """An order, and how many refunds it had when the person began to type there."""

    @rx.event
    async def open_order(self):
        """Show the order of the address, without personal data."""
        device = await self._entered(DeskArea.ORDERS)
        self._say()
        self._push("contact", {})
        if device is not None and (order_id := self._order_id()):
            view = DeskView(device, language(), order_id=order_id)
            wiring.services().desk.views.open(self._socket_id(), view)

    @rx.event
    async def show_contact(self):
        """Show the customer's contact; the audit trail says who looked."""
        device = await self._entered(DeskArea.ORDERS)
        if device is None:
            return
        try:
            customer = await wiring.services().desk.show_contact(self._order_id(), actor_of(device))
        except OrderingError as error:
            self._say(problem=t(error.message))
            return
        contact = {
            "name": customer.full_name,
            "email": customer.email,
            "mailto": f"mailto:{quote(customer.email, safe='@')}",
            "phone": format_phone(customer.phone),
            "address": customer.address,
        }
        self._push("contact", contact)
        await self._changed()

    @rx.event
    async def begin_refund(self):
        """Remember which refunds the person who begins to type has seen."""
        order_id = self._order_id()
        if await self._entered(DeskArea.ORDERS) is None or self._refunds_seen[0] == order_id:
            return
        try:
            stored = await wiring.services().operations.find_order(order_id)
        except OrderingError:
            return
        self._refunds_seen = (order_id, len(await _refunds_of(stored)))

    @rx.event
    async def refund(self, form: dict[str, Any]):
        """Give back what is due, all that was paid, or a part, once the number was typed.

        `choice` is `due`, `all` or `part`. A part needs that no refund was made since the person
        began to type.
        """
        device = await self._entered(DeskArea.ORDERS)
        if device is None:
            return
        try:
            await self._refund(device, form)
        except OrderingError as error:
            self._say(problem=t(error.message))
        except ProviderRejected:
            self._say(problem=t(OperatorMessage.REFUND_REFUSED))
        except PaymentError:
            self._say(problem=t(OperatorMessage.REFUND_LATER))
        self._refunds_seen = ("", -1)
        await self._changed()

    @rx.event
    async def send_again(self):
        """Send the order's failed e-mails and call again."""
        device = await self._entered(DeskArea.ORDERS)
        if device is None:
            return
        try:
            topics = await wiring.services().operations.retry_notifications(
                self._order_id(), actor_of(device)
            )
            self._say(done=t(DeskMessage.SENT_AGAIN if topics else DeskMessage.NOTHING_TO_SEND))
        except OrderingError as error:
            self._say(problem=t(error.message))
        await self._changed()

    async def _refund(self, device: DeskDevice, form: dict[str, Any]) -> None:
        services = wiring.services()
        stored = await services.operations.find_order(self._order_id())
        choice = text_in(form, "choice")
        if text_in(form, "number").strip().upper() != stored.order.number:
            self._say(problem=t(DeskMessage.NOT_AS_TYPED))
            return
        part = self._part(form) if choice == "part" else None
        if choice not in ("due", "all", "part") or (choice == "part" and part is None):
            self._say(problem=t(DeskMessage.AMOUNT))
            return
        refunds = await _refunds_of(stored)
        if choice == "due" and not any(each.is_unfinished for each in refunds):
            self._say(problem=t(DeskMessage.NOTHING_DUE))
            return
        await services.operations.refund(
            stored.order.id, actor_of(device), force=choice == "all", part=part
        )
        self._say(done=t(DeskMessage.REFUNDED))

    async def _changed(self) -> None:
        """Update the open pages, on all devices."""
        await wiring.services().order_progress.notify()
        wiring.services().desk.refresh()

    def _part(self, form: dict[str, Any]) -> RefundPart | None:
        """Return the part to refund; None if it is not a positive amount of rupees."""
        amount = parse_reported_amount(text_in(form, "amount").strip())
        order_id, count = self._refunds_seen
        return RefundPart(amount, count if order_id == self._order_id() else -1) if amount else None

    def _order_id(self) -> str:
        """Return the order of the page's address; empty if it is none."""
        last = self.router.url.path.rstrip("/").rpartition("/")[2]
        return last if is_order_key(last) else ""


async def _refunds_of(stored: StoredOrder) -> Sequence[RefundRecord]:
    return await wiring.services().operations.refunds.store.of_payment(stored.payment.id)
