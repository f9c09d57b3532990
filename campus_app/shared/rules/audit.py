"""The audit trail: an append-only record of what operators did."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class AuditAction(StrEnum):
    """An operator's action that is recorded in the audit trail."""

    CLOSE_RESTAURANT = "restaurant.close"
    OPEN_RESTAURANT = "restaurant.open"
    CHANGE_HOURS = "restaurant.hours"
    CHANGE_SEATS = "restaurant.seats"
    MARK_SOLD_OUT = "dish.sold_out"
    MARK_AVAILABLE = "dish.available"
    PUBLISH_MENU = "menu.publish"
    CHANGE_MENU_SOURCE = "menu.source"
    PUBLISH_OFFERS = "offers.publish"
    SHOW_ORDER = "order.show"
    FIND_ORDERS = "orders.find"
    DOWNLOAD_LEADS = "leads.download"
    RETRY_NOTIFICATIONS = "notifications.retry"
    RETRY_MAIL = "mail.retry"
    PURGE_ORDERS = "orders.purge"
    REFUND_ORDER = "order.refund"
    REPORT_SHORTAGE = "shortage.report"
    UNDO_SHORTAGE = "shortage.undo"
    ANSWER_SHORTAGE = "shortage.answer"
    CREATE_KITCHEN_LINK = "kitchen.link"
    ENROL_KITCHEN_DEVICE = "kitchen.enrol"
    REVOKE_KITCHEN_DEVICE = "kitchen.revoke"
    CREATE_DESK_LINK = "desk.link"
    ENROL_DESK_DEVICE = "desk.enrol"
    REVOKE_DESK_DEVICE = "desk.revoke"
    SETTLE_ORDER = "order.settle"


@dataclass(frozen=True)
class Actor:
    """Who acted: a user of the operating system, a client with the operator's token, or a device.

    `via` is set when the name was given by a client with the token.
    """

    name: str
    via: str = ""


CUSTOMER_ACTOR = Actor("customer")
"""Whoever has the secret address of an order."""
CLOCK_ACTOR = Actor("time is up")
"""Nobody: what happens by itself when a customer does not choose."""
HTTP_ACTOR = Actor("http")
"""A client with the operator's token that gave no name."""


@dataclass(frozen=True)
class AuditEntry:
    """One entry of the audit trail. It holds no personal data, since it can never be deleted."""

    at: datetime
    actor: str
    action: AuditAction
    subject: str
    details: Mapping[str, str] = field(default_factory=dict[str, str])


def audit_entry(
    at: datetime, actor: Actor, action: AuditAction, subject: str, **details: str
) -> AuditEntry:
    """Return the audit entry of an action; `details` are its extra fields."""
    via = {"via": actor.via} if actor.via else {}
    return AuditEntry(at, actor.name, action, subject, {**details, **via})
