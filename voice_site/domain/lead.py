"""A lead: the demo requests of one person, what became of them, and who did what.

Source: specification V10.1 to V10.5.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from voice_site.domain.stored_request import REFERENCE_LENGTH, StoredRequest

MERGED_WITHIN: Final = timedelta(days=30)
"""A request of the same person, at most this long after the last one, belongs to the same lead."""
REMINDED_AFTER: Final = timedelta(hours=20)
"""A lead that is still new after this time is mailed to the sales team again."""
PROMISED_WITHIN: Final = timedelta(hours=24)
"""The confirmation promises contact within this time. Source: specification V9.4."""

KEPT_FOR: Final = timedelta(days=731)
"""24 months: a lead is deleted this long after its last change."""
SPAM_KEPT_FOR: Final = timedelta(days=30)
"""A lead that is spam is deleted this long after its last change."""
LONGEST_ADDITION: Final = 500
"""The most characters of a sentence that a visitor adds to a request."""
MOST_ADDITIONS: Final = 10
"""The most sentences that are added to a lead."""
VISITOR: Final = "visitor "
"""Who added a sentence, for the history; the reference of the request follows."""

_SUBSCRIBER_DIGITS = 10
"""The digits of an Indian number without its country code."""


class LeadState(StrEnum):
    """How far a lead is."""

    NEW = "new"
    CONTACTED = "contacted"
    QUALIFIED = "qualified"
    WON = "won"
    LOST = "lost"
    SPAM = "spam"


class LeadField(StrEnum):
    """What is changed in a lead, each change with a line in its history."""

    STATE = "state"
    OWNER = "owner"
    NOTE = "note"
    ADDITION = "addition"
    """What the visitor added to a request later."""


CHANGEABLE: Final = (LeadField.STATE, LeadField.OWNER, LeadField.NOTE)
"""What people set of a lead."""


def digest_of(text: str) -> str:
    """Return what names a text without containing it."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Lead:
    """A lead; its id is that of its first request."""

    id: str
    state: LeadState
    owner: str
    """Who takes care of it; empty as long as nobody does."""
    note: str
    created_at: datetime
    changed_at: datetime
    """When it was changed last, or got a request."""

    @property
    def reference(self) -> str:
        """What people are told to call it by."""
        return self.id[:REFERENCE_LENGTH]

    @property
    def digests(self) -> dict[LeadField, str]:
        """The digests of what people set."""
        return {each: digest_of(getattr(self, each)) for each in CHANGEABLE}

    def overdue(self, now: datetime) -> timedelta | None:
        """Return how long a new lead has waited beyond the promised time; negative before it.

        None if it is not new.
        """
        is_new = self.state is LeadState.NEW
        return now - self.created_at - PROMISED_WITHIN if is_new else None


class LeadChanged(Exception):
    """A field of a lead has another value than the one that somebody has seen and changed."""


@dataclass(frozen=True)
class LeadEvent:
    """A line of a lead's history: who set what, and when."""

    at: datetime
    actor: str
    field: LeadField
    value: str


class LeadJob(StrEnum):
    """The outbox topics of a lead's jobs; the subject of each is the lead."""

    REMINDER = "lead.reminder"
    """Mails a lead again that is still new."""
    ADDITION = "lead.addition"
    """Mails what a visitor added; the payload has its `digest`, as sentences may be deleted."""
    WITHDRAWN = "lead.withdrawn"
    """Mails that a request was withdrawn; its subject is the reference, all that is left of it."""


@dataclass(frozen=True)
class LeadFile:
    """Everything about a lead: its requests and history, the oldest first, and related leads."""

    lead: Lead
    requests: Sequence[StoredRequest]
    history: Sequence[LeadEvent] = ()
    related: Sequence[Lead] = ()
    """Other leads of the same company, mailbox or phone."""


Changes = Mapping[LeadField, str]
"""The new values of the fields that are set."""


def phone_key(phone: str) -> str:
    """Return what two spellings of a phone number have in common: its last ten digits.

    The country code or a leading 0 is left out.
    """
    return "".join(filter(str.isdecimal, phone))[-_SUBSCRIBER_DIGITS:]


def company_key(company: str) -> str:
    """Return what two spellings of a company's name have in common."""
    return " ".join(company.casefold().split()).rstrip(" .,")
