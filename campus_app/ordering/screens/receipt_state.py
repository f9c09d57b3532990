"""The receipt: dishes, payments, the amount due, and the notifications."""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict

import reflex as rx

from campus_app.ordering import wiring
from campus_app.ordering.rules.customer import format_phone
from campus_app.ordering.rules.notification import (
    Notification,
    NotificationState,
    notifications_due,
)
from campus_app.ordering.rules.order import Order, OrderState
from campus_app.ordering.rules.refund import RefundRecord, RefundState
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.ordering.rules.upi import upi_link
from campus_app.ordering.screens.bill_texts import BillLine, bill_line, bill_texts, dishes_text
from campus_app.ordering.screens.cooking_state import follow_cooking
from campus_app.ordering.screens.reservation_state import table_words
from campus_app.ordering.services.order_lookup import Receipt
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from campus_app.shared.rules.money import ZERO, format_rupees
from campus_app.shared.translations import t
from kit.qr_code import data_address, qr_code
from kit.text import gettext_noop
from kit.translations import date_words

logger = logging.getLogger(__name__)

_REFUNDED = gettext_noop("Your money goes back to the account it was paid from.")
_PAID, _RECEIVED = gettext_noop("Paid"), gettext_noop("Payment arrived")
_NO_CUTLERY = gettext_noop("No cutlery, please")
_DUE_THERE = gettext_noop("Due at the restaurant")
_DUE_AT_THE_DOOR = gettext_noop("Due upon delivery")
_STAMPS = {
    OrderState.CONFIRMED: gettext_noop("ORDER CONFIRMED"),
    OrderState.REFUND_DUE: gettext_noop("MONEY COMES BACK"),
}
_RECIPIENTS = {
    Notification.CUSTOMER_MAIL: gettext_noop("E-mail to you"),
    Notification.VENDOR_MAIL: gettext_noop("E-mail to the kitchen"),
    Notification.VENDOR_CALL: gettext_noop("Missed call to the kitchen"),
}
_PROGRESS = {
    NotificationState.PENDING: gettext_noop("On its way"),
    NotificationState.SENT: gettext_noop("Sent"),
    NotificationState.FAILED: gettext_noop("Could not be delivered"),
}


class NotificationLine(TypedDict):
    """A notification and its progress, as text."""

    who: str
    progress: str


class ReceiptState(rx.State):
    """The receipt of one order, as text."""

    is_shown: bool = False
    are_notifications_pending: bool = False
    facts: dict[str, str] = {}
    """The texts by name; those that do not apply are empty."""
    lines: list[BillLine] = []
    notifications: list[NotificationLine] = []
    upi_link: str = ""
    """The link that pays the amount due; empty if the kitchen takes no UPI, or nothing is due."""
    upi_picture: str = ""
    """The QR code of the link, as a `data:` address."""
    _token: str = ""

    @rx.event
    async def refresh(self):
        """Update the progress of the notifications."""
        try:
            receipt = await wiring.services().lookup.receipt_by_token(self._token)
        except Exception:
            # The receipt stays as it is until the next poll.
            logger.exception("receipt: the order could not be read")
            return
        if receipt is not None:
            self._show(receipt)

    def _show(self, receipt: Receipt) -> None:
        order = receipt.stored.order
        progress = {each: receipt.notifications.of(each) for each in notifications_due(order.state)}
        self._token = order.response_token
        self.facts = bill_texts(order.bill) | _facts(receipt)
        self.lines = [bill_line(line.quantity, line.name, line.total) for line in order.lines]
        self.notifications = [
            NotificationLine(who=t(_RECIPIENTS[notification]), progress=t(_PROGRESS[state]))
            for notification, state in progress.items()
        ]
        self._show_upi(order)
        self.are_notifications_pending = NotificationState.PENDING in progress.values()
        self.is_shown = True

    def _show_upi(self, order: Order) -> None:
        restaurant = wiring.services().catalogue.restaurant(order.restaurant_id)
        now = wiring.services().clock.now()
        link = upi_link(order, restaurant, now) if restaurant else ""
        if link != self.upi_link:  # else each refresh would send the picture again
            self.upi_link = link
            self.upi_picture = data_address(qr_code(link)) if link else ""


def _facts(receipt: Receipt) -> dict[str, str]:
    order, payment = receipt.stored.order, receipt.stored.payment
    restaurant = wiring.services().catalogue.restaurant(order.restaurant_id)
    is_refund = order.state is OrderState.REFUND_DUE
    return {
        "number": order.number,
        "path": order.response_path,
        "token": order.response_token,
        "stamp": t(_STAMPS.get(order.state, "")),
        "name": order.customer.full_name,
        "restaurant": order.restaurant_name,
        "dishes": dishes_text(order.dishes),
        "placed": _time_text(order.created_at),
        "paid": _time_text(payment.paid_at or order.created_at),
        "paid_label": t(_RECEIVED if is_refund else _PAID),
        "where": _where(order),
        "delivers": "" if order.reservation else "yes",
        "note": order.instructions.note,
        "cutlery": t(_NO_CUTLERY) if order.instructions.no_cutlery else "",
        "phone": format_phone(restaurant.vendor_phone) if restaurant else "",
        "reason": t(order.refund_reason) if is_refund else "",
        "money_back": refund_text(receipt.refunds) or (t(_REFUNDED) if is_refund else ""),
        "due": "" if is_refund else format_rupees(order.bill.remaining),
        "due_label": t(_DUE_THERE if order.reservation else _DUE_AT_THE_DOOR),
    }


def _where(order: Order) -> str:
    if order.reservation is None:
        return t("Delivery to {campus}", campus=t(order.campus.place_name))
    words = table_words(order.reservation)
    return words[0].upper() + words[1:]


def refund_text(refunds: Sequence[RefundRecord]) -> str:
    """Return a text about the refunds of an order; empty without refunds."""
    done = sum((each.amount or ZERO for each in refunds if each.state is RefundState.DONE), ZERO)
    pending = sum(
        (
            each.amount or ZERO
            for each in refunds
            if each.state not in {RefundState.DONE, RefundState.FAILED}
        ),
        ZERO,
    )
    sentences = (
        (done, t("{amount} was given back.", amount=format_rupees(done))),
        (
            pending,
            t("{amount} goes back to the account it was paid from.", amount=format_rupees(pending)),
        ),
    )
    return " ".join(sentence for amount, sentence in sentences if amount)


def _time_text(at: datetime) -> str:
    local = at.astimezone(CAMPUS_TIME_ZONE)
    return f"{date_words(local, 'EEE d MMM y')}, {local:%H:%M}"


async def show_receipt(state: rx.State, stored: StoredOrder) -> bool:
    """Show an order's receipt, which only paid orders have; return whether it is shown."""
    receipt = await wiring.services().lookup.receipt_of(stored)
    shown = await state.get_state(ReceiptState)
    if receipt is not None:
        shown._show(receipt)  # noqa: SLF001 - public methods are event handlers
        await follow_cooking(state, [stored.order])
    return receipt is not None


async def clear_receipt(state: rx.State) -> None:
    """Clear the receipt before another order is shown."""
    (await state.get_state(ReceiptState)).reset()
