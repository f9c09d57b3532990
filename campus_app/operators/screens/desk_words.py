"""How the desk calls states and actions, for people."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, TypedDict

from campus_app.operators.rules.desk import DeskArea, DeskRole
from campus_app.operators.rules.order_admin import OrderFilter, OrderSummary
from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.notification import Notification
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.refund import RefundState
from campus_app.shared.rules.audit import AuditAction
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE, MAXIMUM_COUNTED, MAXIMUM_VERSIONS
from campus_app.shared.rules.money import format_count
from campus_app.shared.translations import t
from kit.text import gettext_noop
from kit.translations import date_words

ROLES: Final[Mapping[str, str]] = {
    DeskRole.OWNER: gettext_noop("Owner"),
    DeskRole.SUPPORT: gettext_noop("Support"),
    DeskRole.SALES: gettext_noop("Sales"),
}
AREAS: Final[Mapping[str, str]] = {
    DeskArea.ORDERS: gettext_noop("Today"),
    DeskArea.RESTAURANTS: gettext_noop("Kitchens"),
    DeskArea.MENUS: gettext_noop("Menus"),
    DeskArea.FIGURES: gettext_noop("Figures"),
    DeskArea.LEADS: gettext_noop("Leads"),
    DeskArea.DEVICES: gettext_noop("Devices"),
    DeskArea.AUDIT: gettext_noop("Audit"),
}
COOKING: Final[Mapping[str, str]] = {
    CookingState.SENT: gettext_noop("Sent to the kitchen"),
    CookingState.SEEN: gettext_noop("Seen by the kitchen"),
    CookingState.READY: gettext_noop("Ready"),
    CookingState.HANDED_OVER: gettext_noop("Handed over"),
}
ORDERS: Final[Mapping[str, str]] = {
    OrderState.PENDING: gettext_noop("Not paid yet"),
    OrderState.REFUND_DUE: gettext_noop("Money goes back"),
    OrderState.REPLACED: gettext_noop("Ordered again"),
    OrderState.LAPSED: gettext_noop("Not paid in time"),
    OrderState.CONFIRMED: gettext_noop("Paid"),
}
FILTERS: Final[Mapping[str, str]] = {
    OrderFilter.UNSEEN: gettext_noop("Not seen by the kitchen"),
    OrderFilter.REFUND: gettext_noop("Money goes back"),
    OrderFilter.FAILED_NOTIFICATIONS: gettext_noop("E-mail or call failed"),
    OrderFilter.UNREADABLE: gettext_noop("Payment unreadable"),
    OrderFilter.PAID_LATE: gettext_noop("Paid late"),
    OrderFilter.UNPAID: gettext_noop("Not paid"),
}
NOTIFICATIONS: Final[Mapping[str, str]] = {
    Notification.CUSTOMER_MAIL: gettext_noop("E-mail to the customer"),
    Notification.VENDOR_MAIL: gettext_noop("E-mail to the kitchen"),
    Notification.VENDOR_CALL: gettext_noop("Missed call to the kitchen"),
}
REFUNDS: Final[Mapping[str, str]] = {
    RefundState.DUE: gettext_noop("due"),
    RefundState.ASKED: gettext_noop("asked for at the payment provider"),
    RefundState.PENDING: gettext_noop("accepted by the payment provider"),
    RefundState.CONTRADICTED: gettext_noop("unclear: look at the payment provider's dashboard"),
    RefundState.DONE: gettext_noop("done"),
    RefundState.FAILED: gettext_noop("failed"),
}


ACTIONS: Final[Mapping[str, str]] = {
    AuditAction.CLOSE_RESTAURANT: gettext_noop("Closed a kitchen"),
    AuditAction.OPEN_RESTAURANT: gettext_noop("Opened a kitchen"),
    AuditAction.CHANGE_HOURS: gettext_noop("Changed today’s hours of a kitchen"),
    AuditAction.CHANGE_SEATS: gettext_noop("Changed today’s seats of a kitchen"),
    AuditAction.MARK_SOLD_OUT: gettext_noop("Marked a dish as sold out"),
    AuditAction.MARK_AVAILABLE: gettext_noop("Sold a dish again"),
    AuditAction.PUBLISH_MENU: gettext_noop("Published a menu"),
    AuditAction.PUBLISH_OFFERS: gettext_noop("Published offers"),
    AuditAction.CHANGE_MENU_SOURCE: gettext_noop("Changed where a menu comes from"),
    AuditAction.SHOW_ORDER: gettext_noop("Looked at the contact"),
    AuditAction.FIND_ORDERS: gettext_noop("Searched for orders"),
    AuditAction.DOWNLOAD_LEADS: gettext_noop("Downloaded the leads"),
    AuditAction.RETRY_NOTIFICATIONS: gettext_noop("Sent e-mails and call again"),
    AuditAction.RETRY_MAIL: gettext_noop("Tried waiting e-mails again"),
    AuditAction.PURGE_ORDERS: gettext_noop("Deleted personal data"),
    AuditAction.REFUND_ORDER: gettext_noop("Gave money back"),
    AuditAction.REPORT_SHORTAGE: gettext_noop("Reported what can’t be cooked"),
    AuditAction.UNDO_SHORTAGE: gettext_noop("Took the report back"),
    AuditAction.ANSWER_SHORTAGE: gettext_noop("Chose instead of the dish"),
    AuditAction.CREATE_KITCHEN_LINK: gettext_noop("Made a link to a kitchen’s board"),
    AuditAction.ENROL_KITCHEN_DEVICE: gettext_noop("Enrolled a kitchen’s device"),
    AuditAction.REVOKE_KITCHEN_DEVICE: gettext_noop("Revoked a kitchen’s device"),
    AuditAction.CREATE_DESK_LINK: gettext_noop("Made a link to the desk"),
    AuditAction.ENROL_DESK_DEVICE: gettext_noop("Enrolled a device of the desk"),
    AuditAction.REVOKE_DESK_DEVICE: gettext_noop("Revoked a device of the desk"),
    AuditAction.SETTLE_ORDER: gettext_noop("Marked as settled"),
}
"""What an entry of the audit trail says that somebody did."""


def called(names: Mapping[str, str], key: str) -> str:
    """Return the translated name of a key; the key itself if it has none."""
    return t(names[key]) if key in names else key


VERSIONS: Final = 20
"""How many versions are shown at first, and by how many more at a time."""


class ListEnd(TypedDict, total=False):
    """What stands below a list: how much of it is shown, empty for all; and what adds lines."""

    words: str
    more: str


def list_end(shown: int, total: int, step: int, most: int) -> ListEnd:
    """Return the end of a list of the newest lines that grows by `step` up to `most` lines."""
    if shown >= total:
        return ListEnd(words="", more="")
    many = t("more than {count}", count=format_count(MAXIMUM_COUNTED))
    of = many if total > MAXIMUM_COUNTED else format_count(total)
    return ListEnd(
        words=t("Newest {shown} of {total}", shown=format_count(shown), total=of),
        more=t("Show {count} more", count=min(step, total - shown)) if shown < most else "",
    )


def versions_end(shown: int, number: int) -> ListEnd:
    """Return the end of a list of the versions before the one with a number, and of it."""
    if shown == MAXIMUM_VERSIONS < number:
        return ListEnd(words=t("Older versions are not kept"), more="")
    return list_end(shown, min(number, MAXIMUM_VERSIONS), VERSIONS, MAXIMUM_VERSIONS)


def state_of(order: OrderSummary, cooking: CookingState) -> tuple[str, str]:
    """Return how an order stands, and the look of its badge: `good`, `bad` or `quiet`."""
    if order.state is OrderState.CONFIRMED:
        return called(COOKING, cooking), "good"
    look = "bad" if order.state is OrderState.REFUND_DUE else "quiet"
    return called(ORDERS, order.state), look


def at(moment: datetime, now: datetime) -> str:
    """Return a campus time: `13:05`, with its day if that is not today's."""
    local = moment.astimezone(CAMPUS_TIME_ZONE)
    if local.date() == now.astimezone(CAMPUS_TIME_ZONE).date():
        return f"{local:%H:%M}"
    return f"{date_words(local.date(), 'd MMM')} {local:%H:%M}"


def since(moment: datetime, now: datetime) -> str:
    """Return how long something waits: `7 min`, `3 h`, `2 days`."""
    waited = max(now - moment, timedelta(0))
    minutes = int(waited.total_seconds() // 60)
    if minutes < 120:
        return t("{count} min", count=minutes)
    if minutes < 48 * 60:
        return t("{count} h", count=minutes // 60)
    return t("{count} days", count=minutes // (24 * 60))
