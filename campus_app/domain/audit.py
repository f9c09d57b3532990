"""The audit: what operators did, in lines that nobody can change."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Action(StrEnum):
    """What an operator may do that leaves a trace."""

    CLOSE_RESTAURANT = "restaurant.close"
    OPEN_RESTAURANT = "restaurant.open"
    SHOW_ORDER = "order.show"
    RETRY_NOTIFICATIONS = "notifications.retry"
    RETRY_MAIL = "mail.retry"
    PURGE_ORDERS = "orders.purge"
    REFUND_ORDER = "order.refund"


@dataclass(frozen=True)
class Actor:
    """Who did it: a user of the machine, as the system knows them, or whoever has the token.

    `via` says that somebody with the token gave the name.
    """

    name: str
    via: str = ""


OVER_HTTP = Actor("http")
"""Somebody with the operator's token who gave no name."""


@dataclass(frozen=True)
class AuditEntry:
    """One line; it holds no personal data, since it can never be removed."""

    at: datetime
    actor: str
    action: Action
    subject: str
    details: Mapping[str, str] = field(default_factory=dict[str, str])


def audited(at: datetime, actor: Actor, action: Action, subject: str, **details: str) -> AuditEntry:
    """Return the line that an action leaves."""
    via = {"via": actor.via} if actor.via else {}
    return AuditEntry(at, actor.name, action, subject, {**details, **via})
