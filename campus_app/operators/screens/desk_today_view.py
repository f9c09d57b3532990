"""What the first page of the desk shows, as the browser gets it: all texts are ready."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, TypedDict

from campus_app.operators.rules.attention import SETTLED_BY_HAND, Attention, AttentionKind
from campus_app.operators.screens.desk_words import (
    FILTERS,
    ListEnd,
    at,
    called,
    list_end,
    since,
    state_of,
)
from campus_app.operators.services.desk import LISTED, ListedOrder, OrderList
from campus_app.ordering.rules.customer import format_phone
from campus_app.shared.rules import routes
from campus_app.shared.rules.messages import RefundReason
from campus_app.shared.rules.money import format_rupees
from campus_app.shared.translations import t
from kit.text import gettext_noop

RETRY: Final = "retry"
"""The action of a line that tries waiting e-mails again."""
ONLY: Final = "only"
"""The query parameter of the address that filters the orders by what they need."""
MOST_LISTED: Final = 500
"""How many orders a page shows at most: whoever looks for an older one filters or searches."""
SETTLE: Final = "settle"
"""The action of a line whose order a person marks as settled."""


class AttentionRow(TypedDict):
    """A line of what needs somebody: what it is, what to do, and where or how."""

    key: str
    kind: str
    subject: str
    name: str
    what: str
    todo: str
    detail: str
    waits: str
    href: str
    phone: str
    action: str


class OrderRow(TypedDict):
    """An order of the list, without personal data. Source: decision D6, specification 11.4."""

    id: str
    number: str
    at: str
    kitchen: str
    campus: str
    state: str
    look: str
    total: str
    online: str
    door: str
    href: str


class TodayView(TypedDict):
    """The first page of the desk."""

    lines: list[AttentionRow]
    orders: list[OrderRow]
    end: ListEnd
    at: str


_WHAT: Final = {
    AttentionKind.UNSEEN: gettext_noop("{place} has not seen {name}"),
    AttentionKind.REFUND: gettext_noop("{amount} of {name} go back"),
    AttentionKind.REFUND_ASKED: gettext_noop("{amount} of {name} are not back yet"),
    AttentionKind.UNREADABLE: gettext_noop("The payment of {name} can’t be read"),
    AttentionKind.MENU: gettext_noop("{name}: its menu has faults"),
    AttentionKind.NOTIFICATION: gettext_noop("{name}: e-mail or call failed"),
    AttentionKind.MAIL: gettext_noop("E-mails wait: {count}"),
    AttentionKind.LEAD: gettext_noop("{name} waits for an answer"),
    AttentionKind.MORE: gettext_noop("More than {count}: {name}"),
}
_TODO: Final = {
    AttentionKind.UNSEEN: gettext_noop("Phone the kitchen."),
    AttentionKind.REFUND: gettext_noop("Open the order, and give the money back."),
    AttentionKind.REFUND_ASKED: gettext_noop(
        "Open the order and ask again, or look at the payment provider’s books."
    ),
    AttentionKind.UNREADABLE: gettext_noop("Look at the payment provider’s books."),
    AttentionKind.MENU: gettext_noop("Mend its menu: faulty rows are not sold."),
    AttentionKind.NOTIFICATION: gettext_noop("Open the order, and send again."),
    AttentionKind.MAIL: gettext_noop("Repair the mail server, then try now."),
    AttentionKind.LEAD: gettext_noop("Phone or write: 24 h are promised."),
    AttentionKind.MORE: gettext_noop("Open the list of all of them."),
}


def attention_row(line: Attention, now: datetime) -> AttentionRow:
    """Return a line of what needs somebody."""
    amount = t("an unknown amount") if line.amount is None else format_rupees(line.amount)
    name = called(FILTERS, line.name) if line.kind is AttentionKind.MORE else line.name
    return AttentionRow(
        key=f"{line.kind}-{line.subject}-{line.detail}",
        kind=line.kind,
        subject=line.subject,
        name=line.name,
        what=t(_WHAT[line.kind], place=line.place, name=name, amount=amount, count=line.count),
        todo=t(_TODO[line.kind]),
        detail=t(line.detail) if line.detail in tuple(RefundReason) else line.detail,
        waits=since(line.since, now) if line.since and line.since <= now else "",
        href=_address(line),
        phone=format_phone(line.phone) if line.kind is AttentionKind.UNSEEN else "",
        action=_action(line.kind),
    )


def order_row(listed: ListedOrder, now: datetime) -> OrderRow:
    """Return a row of the list of orders."""
    order = listed.order
    state, look = state_of(order, listed.cooking.shown_at(now))
    return OrderRow(
        id=order.id,
        number=order.number,
        at=at(order.created_at, now),
        kitchen=order.restaurant_name,
        campus=t(order.campus.place_name),
        state=state,
        look=look,
        total=format_rupees(order.grand_total),
        online=format_rupees(order.online),
        door=format_rupees(order.remaining),
        href=routes.desk_order(order.id),
    )


def today_view(lines: Sequence[Attention], orders: OrderList, now: datetime) -> TodayView:
    """Return the first page: what needs somebody, and the orders."""
    return TodayView(
        lines=[attention_row(each, now) for each in lines],
        orders=[order_row(each, now) for each in orders.lines],
        end=list_end(len(orders.lines), orders.total, LISTED, MOST_LISTED),
        at=at(now, now),
    )


def _address(line: Attention) -> str:
    if line.kind in {AttentionKind.MAIL, AttentionKind.MENU}:
        return ""
    if line.kind is AttentionKind.MORE:
        return f"{routes.DESK}?{ONLY}={line.subject}"
    is_lead = line.kind is AttentionKind.LEAD
    return routes.DESK_LEADS if is_lead else routes.desk_order(line.subject)


def _action(kind: AttentionKind) -> str:
    if kind is AttentionKind.MAIL:
        return RETRY
    return SETTLE if kind in SETTLED_BY_HAND else ""
