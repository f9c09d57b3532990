"""What the page of an order shows, as the browser gets it: all texts are ready."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, TypedDict

from campus_app.kitchen.screens.kitchen_shortage import REASONS
from campus_app.operators.figure_words import PAYMENTS
from campus_app.operators.rules.timeline import (
    EntryKind,
    OrderFile,
    TimelineEntry,
    timeline,
)
from campus_app.operators.screens.desk_words import (
    ACTIONS,
    COOKING,
    NOTIFICATIONS,
    ORDERS,
    REFUNDS,
    at,
    called,
)
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.refund import left_to_refund, total_amount
from campus_app.ordering.rules.shortage import ShortageAnswer
from campus_app.shared.rules.messages import RefundReason
from campus_app.shared.rules.money import ZERO, format_rupees
from campus_app.shared.translations import t
from kit.text import gettext_noop


class TimelineRow(TypedDict):
    """Something that happened to the order."""

    key: str
    at: str
    what: str
    detail: str
    code: str
    """The payment provider's id of the payment, or ""."""
    by: str
    look: str


class BillRow(TypedDict):
    """A line of the order or of its bill."""

    name: str
    amount: str


class OrderView(TypedDict):
    """An order at the desk; `refundsSeen` is how many refunds the page shows."""

    id: str
    number: str
    kitchen: str
    campus: str
    table: str
    state: str
    look: str
    dishes: list[BillRow]
    bill: list[BillRow]
    entries: list[TimelineRow]
    isPurged: bool
    due: str
    """What is due, or asked for at the payment provider; empty for nothing."""
    left: str
    """What no refund gives, or will give, of what was paid; empty for nothing."""
    failed: bool


_WHAT: Final[Mapping[EntryKind, str]] = {
    EntryKind.PLACED: gettext_noop("Ordered, {amount}"),
    EntryKind.OPENED: gettext_noop("Payment page opened, {amount}"),
    EntryKind.PAID: gettext_noop("Paid, {amount}"),
    EntryKind.NOT_PAID: gettext_noop("Payment ended: {about}"),
    EntryKind.SENT: gettext_noop("{about}: sent"),
    EntryKind.WAITS: gettext_noop("{about}: waits"),
    EntryKind.GIVEN_UP: gettext_noop("{about}: given up"),
    EntryKind.PRESSED: gettext_noop("Kitchen: {about}"),
    EntryKind.SHORT: gettext_noop("The kitchen can’t cook {about}"),
    EntryKind.ANSWERED: gettext_noop("Instead of {about}"),
    EntryKind.REFUND_MARKED: gettext_noop("Refund of {amount}: {about}"),
    EntryKind.REFUND_ENDED: gettext_noop("Refund of {amount} ended: {about}"),
    EntryKind.SETTLED: gettext_noop("Settled"),
}
_ANSWERS: Final[Mapping[str, str]] = {
    ShortageAnswer.REPLACED: gettext_noop("another dish"),
    ShortageAnswer.DISH_BACK: gettext_noop("the money of the dish back"),
    ShortageAnswer.ORDER_BACK: gettext_noop("all money back"),
    ShortageAnswer.COOKED: gettext_noop("cooked after all"),
}
_OF_SHORTAGES: Final[Mapping[EntryKind, Mapping[str, str]]] = {
    EntryKind.SHORT: REASONS,
    EntryKind.ANSWERED: _ANSWERS,
}
"""The words of what the kitchen and the customer chose."""
_BAD: Final = frozenset({EntryKind.GIVEN_UP, EntryKind.SHORT, EntryKind.NOT_PAID})
_BY_DEVICES: Final = frozenset({EntryKind.PRESSED, EntryKind.SHORT})
_NAMES: Final[Mapping[EntryKind, Mapping[str, str]]] = {
    **dict.fromkeys((EntryKind.SENT, EntryKind.WAITS, EntryKind.GIVEN_UP), NOTIFICATIONS),
    **dict.fromkeys((EntryKind.REFUND_MARKED, EntryKind.REFUND_ENDED), REFUNDS),
    EntryKind.PRESSED: COOKING,
    EntryKind.NOT_PAID: PAYMENTS,
    EntryKind.DONE: ACTIONS,
}


def order_view(file: OrderFile, now: datetime) -> OrderView:
    """Return the page of an order, without its personal data."""
    order, bill = file.order, file.order.bill
    is_confirmed = order.state is OrderState.CONFIRMED
    names = COOKING if is_confirmed else ORDERS
    return OrderView(
        id=order.id,
        number=order.number,
        kitchen=order.restaurant_name,
        campus=t(order.campus.place_name),
        table=_table(file),
        state=called(names, file.cooking if is_confirmed else order.state),
        look="good" if is_confirmed else "bad" if order.state.is_paid else "quiet",
        dishes=[
            BillRow(name=f"{each.quantity} × {each.name}", amount=format_rupees(each.total))
            for each in order.lines
        ],
        bill=[
            BillRow(name=t(name), amount=format_rupees(amount))
            for name, amount in (
                (gettext_noop("Subtotal"), bill.subtotal),
                (gettext_noop("Discount"), -bill.discount),
                (gettext_noop("Delivery"), bill.delivery_fee),
                (gettext_noop("Convenience fee"), bill.convenience_fee),
                (gettext_noop("Donation"), bill.donation),
                (gettext_noop("Total"), bill.grand_total),
                (gettext_noop("Online"), bill.online),
                (gettext_noop("At the door"), bill.remaining),
            )
            if amount != ZERO
        ],
        entries=[_row(number, each, now) for number, each in enumerate(timeline(file))],
        isPurged=not order.customer.email,
        due=_due(file),
        left=_left(file),
        failed=any(each.state == "dead" for each in file.notifications),
    )


def _row(number: int, entry: TimelineEntry, now: datetime) -> TimelineRow:
    amount = t("an unknown amount") if entry.amount is None else format_rupees(entry.amount)
    about = called(_NAMES.get(entry.kind, {}), entry.about)
    if entry.kind in _OF_SHORTAGES and not about:
        about = t("the whole order")
    return TimelineRow(
        key=f"{number}-{entry.kind}",
        at=at(entry.at, now),
        what=t(_WHAT[entry.kind], amount=amount, about=about) if entry.kind in _WHAT else about,
        detail="" if entry.kind is EntryKind.PAID else _detail(entry),
        code=entry.detail if entry.kind is EntryKind.PAID else "",
        by=t("kitchen device {id}", id=entry.by) if entry.kind in _BY_DEVICES else entry.by,
        look="bad" if entry.kind in _BAD else "quiet" if entry.kind is EntryKind.WAITS else "",
    )


def _detail(entry: TimelineEntry) -> str:
    if entry.kind is EntryKind.PRESSED:
        return t("too late, without effect") if entry.detail else ""
    if entry.kind in _OF_SHORTAGES:
        return called(_OF_SHORTAGES[entry.kind], entry.detail)
    tries = int(entry.details.get("attempts", "0"))
    words = t(entry.detail) if entry.detail in tuple(RefundReason) else entry.detail
    if tries <= 1:
        return words
    return " · ".join(each for each in (t("tries: {count}", count=tries), words) if each)


def _table(file: OrderFile) -> str:
    reservation = file.order.reservation
    if reservation is None:
        return ""
    return t(
        "Table for {count}, {date} {time}",
        count=reservation.party_size,
        date=f"{reservation.date:%d.%m.}",
        time=f"{reservation.slot:%H:%M}",
    )


def _due(file: OrderFile) -> str:
    """Return what is due, or asked for at the payment provider; empty for nothing."""
    unfinished = [each for each in file.refunds if each.is_unfinished]
    total = total_amount(unfinished)
    if not unfinished:
        return ""
    return t("unknown") if total is None else format_rupees(total)


def _left(file: OrderFile) -> str:
    """Return what is left of the payment, to be given back; empty if nothing is."""
    left = left_to_refund(file.payment.paid, file.refunds) if file.order.state.is_paid else None
    return format_rupees(left) if left else ""
