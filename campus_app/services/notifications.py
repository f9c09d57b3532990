"""Telling customer and vendor of a paid order: two e-mails and one missed call."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from campus_app.domain.constants import CAMPUS_TIME_ZONE
from campus_app.domain.customer import format_phone
from campus_app.domain.errors import NotFound
from campus_app.domain.messages import OrderMessage
from campus_app.domain.missed_call import useful_until
from campus_app.domain.money import format_rupees
from campus_app.domain.notification import Notice
from campus_app.domain.order import Order, OrderState
from campus_app.domain.restaurant import Restaurant
from campus_app.ports.calls import MissedCall, PhoneCaller
from campus_app.ports.catalogue import Catalogue
from campus_app.ports.orders import OrderStore, StoredOrder
from campus_app.translations import ENGLISH, IN_TEMPLATES, date_words, language_from, speaking, t
from kit.mail.message import Mail, Mailer
from kit.outbox.errors import DeliveryRejected
from kit.templates import mail_templates

_TEMPLATES = mail_templates(Path(__file__).parents[1] / "templates" / "mail", IN_TEMPLATES)
_TEMPLATES.filters.update(rupees=format_rupees, phone=format_phone)  # pyright: ignore[reportUnknownMemberType]


@dataclass(frozen=True)
class Notifications:
    """Carries out the notices that the outbox holds; each looks its order up again."""

    orders: OrderStore
    catalogue: Catalogue
    mailer: Mailer
    caller: PhoneCaller
    origin: str
    _looks: dict[str, asyncio.Task[StoredOrder | None]] = field(
        default_factory=dict[str, "asyncio.Task[StoredOrder | None]"], repr=False
    )

    async def mail_customer(self, order_id: str) -> None:
        """Send the customer what was ordered, paid and is still due, or that money goes back."""
        stored = await self._stored(order_id)
        order, restaurant = stored.order, self._restaurant(stored)
        is_refund = order.state is OrderState.REFUND_DUE
        with speaking(language_from(order.language)):
            subject = (
                t("Order {number}: your money goes back to you", number=order.number)
                if is_refund
                else t(
                    "Order {number} confirmed, {restaurant}",
                    number=order.number,
                    restaurant=restaurant.name,
                )
            )
            template = "refund" if is_refund else "customer"
            text, html = self._render(template, subject, stored, restaurant)
        await self.mailer.send(
            Mail(
                f"{Notice.CUSTOMER_MAIL}:{order.id}",
                order.customer.email,
                order.customer.full_name,
                subject,
                text,
                html,
            )
        )

    async def mail_vendor(self, order_id: str) -> None:
        """Send the restaurant what to cook, where it goes and what is still to be paid."""
        stored = await self._to_cook(order_id)
        order, restaurant = stored.order, self._restaurant(stored)
        with speaking(ENGLISH):
            subject = f"New order {order.number}: {order.dishes} dishes{_table_words(order)}"
            text, html = self._render("vendor", subject, stored, restaurant)
        await self.mailer.send(
            Mail(
                f"{Notice.VENDOR_MAIL}:{order.id}",
                restaurant.vendor_email,
                restaurant.name,
                subject,
                text,
                html,
            )
        )

    async def ring_vendor(self, order_id: str) -> None:
        """Ring the restaurant once, so that somebody looks at the mail."""
        stored = await self._to_cook(order_id)
        order, restaurant = stored.order, self._restaurant(stored)
        paid_at = stored.payment.paid_at or order.created_at
        await self.caller.ring(
            MissedCall(
                restaurant.vendor_phone,
                restaurant.id,
                order.number,
                order.id,
                useful_until(paid_at),
            )
        )

    async def _to_cook(self, order_id: str) -> StoredOrder:
        """Return an order that its kitchen is to be told of: the money may go back by now."""
        stored = await self._stored(order_id)
        if stored.order.state is OrderState.REFUND_DUE:
            raise DeliveryRejected("its money goes back")
        return stored

    async def _stored(self, order_id: str) -> StoredOrder:
        stored = await self._look(order_id)
        if stored is None:
            raise NotFound("unknown_order", OrderMessage.UNKNOWN_ORDER)
        return stored

    async def _look(self, order_id: str) -> StoredOrder | None:
        """Look an order up; its notices go out together, and share what one of them finds."""
        look = self._looks.get(order_id)
        if look is None:
            look = self._looks[order_id] = asyncio.create_task(self.orders.by_id(order_id))
            look.add_done_callback(lambda _: self._looks.pop(order_id, None))
        return await asyncio.shield(look)

    def _restaurant(self, stored: StoredOrder) -> Restaurant:
        restaurant = self.catalogue.restaurant(stored.order.restaurant_id)
        if restaurant is None:
            raise NotFound("unknown_restaurant", OrderMessage.UNKNOWN_RESTAURANT)
        return restaurant

    def _render(
        self, template: str, subject: str, stored: StoredOrder, restaurant: Restaurant
    ) -> tuple[str, str]:
        """Return a mail's plain text and its HTML."""
        order = stored.order
        placed_at = order.created_at.astimezone(CAMPUS_TIME_ZONE)
        values = {
            "order": order,
            "bill": order.bill,
            "paid": stored.payment.paid,
            "restaurant": restaurant,
            "placed": f"{date_words(placed_at, 'dd MMM y')}, {placed_at:%H:%M}",
            "receipt": f"{self.origin}{order.response_path}",
            "subject": subject,
        }
        text, html = (
            _TEMPLATES.get_template(f"{template}.{kind}").render(values) for kind in ("txt", "html")
        )
        return text, html


def _table_words(order: Order) -> str:
    """Return what a vendor's subject adds for a table. Source: specification S18."""
    table = order.reservation
    if table is None:
        return ""
    day = date_words(table.date, "EEE d MMM")
    return f", table for {table.party_size} at {table.slot:%H:%M}, {day}"
