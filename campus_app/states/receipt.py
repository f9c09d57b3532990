"""The receipt: what was ordered and paid, what is still due, and who has been told."""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict

import reflex as rx

from campus_app import wiring
from campus_app.domain.constants import CAMPUS_TIME_ZONE
from campus_app.domain.customer import format_phone
from campus_app.domain.messages import noted
from campus_app.domain.money import ZERO, format_rupees
from campus_app.domain.notification import Notice, NoticeState, notices_due
from campus_app.domain.order import Order, OrderState
from campus_app.domain.refund import RefundRecord, RefundState
from campus_app.ports.orders import StoredOrder
from campus_app.services.receipts import Receipt
from campus_app.states.checkout import BillLine, bill_line, bill_texts, dishes_words
from campus_app.states.reservation import table_words
from campus_app.translations import date_words, t

logger = logging.getLogger(__name__)

_ALL_BACK = noted("Your money goes back to the account it was paid from.")
_PAID, _ARRIVED = noted("Paid"), noted("Payment arrived")
_DUE_THERE = noted("Due at the restaurant")
_DUE_AT_THE_DOOR = noted("Due upon delivery")
_STAMPS = {
    OrderState.CONFIRMED: noted("ORDER CONFIRMED"),
    OrderState.REFUND_DUE: noted("MONEY COMES BACK"),
}
_TOLD = {
    Notice.CUSTOMER_MAIL: noted("E-mail to you"),
    Notice.VENDOR_MAIL: noted("E-mail to the kitchen"),
    Notice.VENDOR_CALL: noted("Missed call to the kitchen"),
}
_PROGRESS = {
    NoticeState.PENDING: noted("On its way"),
    NoticeState.SENT: noted("Sent"),
    NoticeState.FAILED: noted("Could not be delivered"),
}


class NoticeLine(TypedDict):
    """Who was told of the order, and how far that has come, as text."""

    who: str
    progress: str


class ReceiptState(rx.State):
    """What the receipt of one order says, as text."""

    is_shown: bool = False
    is_awaited: bool = False
    """Whether somebody is still to be told."""
    facts: dict[str, str] = {}
    lines: list[BillLine] = []
    notices: list[NoticeLine] = []
    _token: str = ""

    @rx.event
    async def look_again(self):
        """Ask how far the notices have come."""
        try:
            receipt = await wiring.services().receipts.of_token(self._token)
        except Exception:
            # What is shown stays; the next look comes in a moment.
            logger.exception("receipt: the order could not be read")
            return
        if receipt is not None:
            self._show(receipt)

    def _show(self, receipt: Receipt) -> None:
        order = receipt.stored.order
        told = {notice: receipt.notices.of(notice) for notice in notices_due(order.state)}
        self._token = order.response_token
        self.facts = bill_texts(order.bill) | _facts(receipt)
        self.lines = [bill_line(line.quantity, line.name, line.total) for line in order.lines]
        self.notices = [
            NoticeLine(who=t(_TOLD[notice]), progress=t(_PROGRESS[state]))
            for notice, state in told.items()
        ]
        self.is_awaited = NoticeState.PENDING in told.values()
        self.is_shown = True


def _facts(receipt: Receipt) -> dict[str, str]:
    order, payment = receipt.stored.order, receipt.stored.payment
    restaurant = wiring.services().catalogue.restaurant(order.restaurant_id)
    is_refund = order.state is OrderState.REFUND_DUE
    return {
        "number": order.number,
        "path": order.response_path,
        "stamp": t(_STAMPS.get(order.state, "")),
        "name": order.customer.full_name,
        "restaurant": order.restaurant_name,
        "dishes": dishes_words(order.dishes),
        "placed": _moment(order.created_at),
        "paid": _moment(payment.paid_at or order.created_at),
        "paid_label": t(_ARRIVED if is_refund else _PAID),
        "where": _where(order),
        "delivers": "" if order.reservation else "yes",
        "phone": format_phone(restaurant.vendor_phone) if restaurant else "",
        "reason": t(order.refund_reason) if is_refund else "",
        "money_back": money_back(receipt.refunds) or (t(_ALL_BACK) if is_refund else ""),
        "due": "" if is_refund else format_rupees(order.bill.remaining),
        "due_label": t(_DUE_THERE if order.reservation else _DUE_AT_THE_DOOR),
    }


def _where(order: Order) -> str:
    if order.reservation is None:
        return t("Delivery to {campus}", campus=t(order.campus.place_name))
    words = table_words(order.reservation)
    return words[0].upper() + words[1:]


def money_back(refunds: Sequence[RefundRecord]) -> str:
    """Return how much of an order's money goes back, and how much has; empty for none."""
    given = sum((each.amount or ZERO for each in refunds if each.state is RefundState.DONE), ZERO)
    going = sum(
        (
            each.amount or ZERO
            for each in refunds
            if each.state not in {RefundState.DONE, RefundState.FAILED}
        ),
        ZERO,
    )
    sentences = (
        (given, t("{amount} was given back.", amount=format_rupees(given))),
        (
            going,
            t("{amount} goes back to the account it was paid from.", amount=format_rupees(going)),
        ),
    )
    return " ".join(sentence for amount, sentence in sentences if amount)


def _moment(at: datetime) -> str:
    local = at.astimezone(CAMPUS_TIME_ZONE)
    return f"{date_words(local, 'EEE d MMM y')}, {local:%H:%M}"


async def show_receipt(state: rx.State, stored: StoredOrder) -> bool:
    """Let the screen show an order's receipt; whether it has one: only what is paid has."""
    receipt = await wiring.services().receipts.of_order(stored)
    shown = await state.get_state(ReceiptState)
    if receipt is not None:
        shown._show(receipt)  # noqa: SLF001 - one family of states
    return receipt is not None


async def forget_receipt(state: rx.State) -> None:
    """Clear the receipt before another order comes up."""
    (await state.get_state(ReceiptState)).reset()
