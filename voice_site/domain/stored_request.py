"""A demo request as it is stored, and the progress of its jobs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from voice_site.domain.demo_request import DemoRequest


@dataclass(frozen=True)
class StoredRequest:
    """A demo request as it is kept; `key` is what the browser called it."""

    id: str
    key: str
    request: DemoRequest
    created_at: datetime
    is_suspected: bool
    lead_id: str = ""
    """The lead that it belongs to; empty until it is stored."""

    @property
    def reference(self) -> str:
        """What people are told to call it by."""
        return self.id[:8]


@dataclass(frozen=True)
class Delivery:
    """How far a notice has come: the outbox's state of it, and what went wrong last."""

    state: str
    error: str


@dataclass(frozen=True)
class DailyLimit:
    """At most so many notices whose keys begin with a prefix are enqueued; others are left out."""

    prefix: str
    maximum: int


@dataclass(frozen=True)
class Jobs:
    """The jobs of a new request.

    `topics` has the topic of each by the key under which it is done only once. `of_lead` has the
    topics of the jobs of its lead, if that is new, with the time after which each runs.
    """

    topics: Mapping[str, str]
    limit: DailyLimit
    of_lead: Mapping[str, timedelta]
