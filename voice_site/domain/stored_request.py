"""A demo request as it is stored, and the progress of its jobs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from voice_site.domain.demo_request import DemoRequest
from voice_site.domain.journey import Journey

LINK_PATH: Final = "/tara/request/"
"""What the path of the link in a confirmation begins with; the secret follows."""
REFERENCE_LENGTH: Final = 8
"""How much of an id people are told."""


@dataclass(frozen=True)
class StoredRequest:
    """A demo request as it is kept; `key` is what the browser called it."""

    id: str
    key: str
    request: DemoRequest
    created_at: datetime
    is_suspected: bool
    link_token: str = ""
    """The secret of the link in the confirmation; empty for requests of earlier releases."""
    journey: Journey = field(default_factory=Journey)
    lead_id: str = ""
    """The lead that it belongs to; empty until it is stored."""

    @property
    def reference(self) -> str:
        """What people are told to call it by."""
        return self.id[:REFERENCE_LENGTH]

    @property
    def link_path(self) -> str:
        """The path of the link in its confirmation; empty if it has none."""
        return f"{LINK_PATH}{self.link_token}" if self.link_token else ""


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
