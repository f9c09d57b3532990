"""A demo request as it is stored, and the progress of its jobs."""

from dataclasses import dataclass
from datetime import datetime

from voice_site.domain.demo_request import DemoRequest


@dataclass(frozen=True)
class StoredRequest:
    """A demo request as it is kept; `key` is what the browser called it."""

    id: str
    key: str
    request: DemoRequest
    created_at: datetime
    is_suspected: bool

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
