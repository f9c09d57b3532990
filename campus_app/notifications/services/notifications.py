"""The notifications of a paid order: e-mails and a missed call."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.catalogue.services.restaurants import find_restaurant
from campus_app.notifications.rules.callers import MissedCall, PhoneCaller
from campus_app.notifications.rules.missed_call import call_deadline
from campus_app.ordering.rules.customer import format_phone
from campus_app.ordering.rules.notification import Notification
from campus_app.ordering.rules.order import Order, OrderState
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.ordering.rules.upi import upi_link
from campus_app.ordering.services.shortages import Shortages
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from campus_app.shared.rules.errors import NotFound
from campus_app.shared.rules.messages import OrderMessage, RefundReason
from campus_app.shared.rules.money import format_rupees
from campus_app.shared.translations import IN_TEMPLATES, parse_language, t
from kit.mail.message import Mail, Mailer
from kit.outbox.errors import DeliveryRejected
from kit.qr_code import qr_code
from kit.templates import mail_templates
from kit.text import gettext_noop
from kit.translations import ENGLISH, date_words, use_locale

_TEMPLATES = mail_templates(Path(__file__).parents[1] / "templates" / "mail", IN_TEMPLATES)
_TEMPLATES.filters.update(rupees=format_rupees, phone=format_phone)  # pyright: ignore[reportUnknownMemberType]


@dataclass(frozen=True)
class NotificationSender:
    """Sends the notifications that the outbox holds; each loads its order first."""

    orders: SqlOrders
    catalogue: CsvCatalogue
    mailer: Mailer
    caller: PhoneCaller
    shortages: Shortages
    origin: str
    _loads: dict[str, asyncio.Task[StoredOrder | None]] = field(
        default_factory=dict[str, "asyncio.Task[StoredOrder | None]"], repr=False
    )

    async def mail_customer(self, order_id: str) -> None:
        """E-mail the customer the order, what is paid and still due, or that it is refunded."""
        stored = await self._load(order_id)
        key = f"{Notification.CUSTOMER_MAIL}:{order_id}"
        if stored.order.state is OrderState.REFUND_DUE:
            # Who was confirmed, and can't be cooked, gets a mail of its own.
            if stored.order.refund_reason != RefundReason.NOT_COOKED:
                await self._mail_refund(stored, key)
            return
        subject = gettext_noop("Order {number} confirmed, {restaurant}")
        await self._mail_to_customer(stored, key, subject, "customer")

    async def mail_choice(self, order_id: str, shortage_id: str, key: str) -> None:
        """E-mail the customer that a dish can't be cooked, and until when to choose.

        Nothing is sent if there is nothing to choose any more; `key` is the mail's own.

        Source: specification 10.67.
        """
        stored = await self._load(order_id)
        for choice in await self.shortages.choices(stored.order):
            if choice.shortage.id == shortage_id:
                until = choice.shortage.answer_by.astimezone(CAMPUS_TIME_ZONE)
                subject = gettext_noop("Order {number}: please choose until {time}")
                more = {"dish": choice.shortage.name, "time": f"{until:%H:%M}"}
                await self._mail_to_customer(stored, key, subject, "shortage", **more)

    async def mail_not_cooked(self, order_id: str, key: str) -> None:
        """E-mail the customer that the order can't be cooked, and its money goes back."""
        await self._mail_refund(await self._load(order_id), key)

    async def _mail_refund(self, stored: StoredOrder, key: str) -> None:
        subject = gettext_noop("Order {number}: your money goes back to you")
        await self._mail_to_customer(stored, key, subject, "refund")

    async def _mail_to_customer(
        self, stored: StoredOrder, key: str, subject: str, template: str, **more: str
    ) -> None:
        """Send a mail in the order's language; its subject may name number and restaurant."""
        order, restaurant = stored.order, self._restaurant(stored)
        with use_locale(parse_language(order.language)):
            title = t(subject, number=order.number, restaurant=restaurant.name, **more)
            text, html = self._render(template, title, stored, restaurant, **more)
        customer = order.customer
        await self.mailer.send(Mail(key, customer.email, customer.full_name, title, text, html))

    async def mail_vendor(self, order_id: str) -> None:
        """E-mail the restaurant the dishes, the destination and the amount to collect."""
        stored = await self._load_confirmed(order_id)
        order, restaurant = stored.order, self._restaurant(stored)
        with use_locale(ENGLISH):
            subject = f"New order {order.number}: {order.dishes} dishes{_table_suffix(order)}"
            link = upi_link(order, restaurant, stored.payment.paid_at or order.created_at)
            picture_id = f"upi.{order.id}@food-points"
            text, html = self._render(
                "vendor", subject, stored, restaurant, upi=link, upi_picture=picture_id
            )
        await self.mailer.send(
            Mail(
                f"{Notification.VENDOR_MAIL}:{order.id}",
                restaurant.vendor_email,
                restaurant.name,
                subject,
                text,
                html,
                pictures={picture_id: qr_code(link)} if link else {},
            )
        )

    async def call_vendor(self, order_id: str) -> None:
        """Place a missed call, so that the restaurant reads the e-mail."""
        stored = await self._load_confirmed(order_id)
        order, restaurant = stored.order, self._restaurant(stored)
        paid_at = stored.payment.paid_at or order.created_at
        await self.caller.place_call(
            MissedCall(
                restaurant.vendor_phone,
                restaurant.id,
                order.number,
                order.id,
                call_deadline(paid_at),
            )
        )

    async def _load_confirmed(self, order_id: str) -> StoredOrder:
        """Return an order that the restaurant must prepare.

        Raises:
            DeliveryRejected: If it is refunded.
        """
        stored = await self._load(order_id)
        if stored.order.state is OrderState.REFUND_DUE:
            raise DeliveryRejected("its money goes back")
        return stored

    async def _load(self, order_id: str) -> StoredOrder:
        stored = await self._load_shared(order_id)
        if stored is None:
            raise NotFound("unknown_order", OrderMessage.UNKNOWN_ORDER)
        return stored

    async def _load_shared(self, order_id: str) -> StoredOrder | None:
        """Load an order; concurrent notifications of one order share one query."""
        load = self._loads.get(order_id)
        if load is None:
            load = self._loads[order_id] = asyncio.create_task(self.orders.by_id(order_id))
            load.add_done_callback(lambda _: self._loads.pop(order_id, None))
        return await asyncio.shield(load)

    def _restaurant(self, stored: StoredOrder) -> Restaurant:
        return find_restaurant(self.catalogue, stored.order.restaurant_id)

    def _render(
        self,
        template: str,
        subject: str,
        stored: StoredOrder,
        restaurant: Restaurant,
        **more: str,
    ) -> tuple[str, str]:
        """Return an e-mail's plain text and HTML; `more` are further values of its template."""
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
            **more,
        }
        text, html = (
            _TEMPLATES.get_template(f"{template}.{kind}").render(values) for kind in ("txt", "html")
        )
        return text, html


def _table_suffix(order: Order) -> str:
    """Return what the vendor's subject adds for a table. Source: specification S18."""
    table = order.reservation
    if table is None:
        return ""
    day = date_words(table.date, "EEE d MMM")
    return f", table for {table.party_size} at {table.slot:%H:%M}, {day}"
