"""What the site's service needs of the world."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from kit.clock import Clock as Clock
from kit.mail.message import Mail as Mail
from kit.mail.message import Mailer as Mailer
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


class DemoRequestStore(Protocol):
    """Keeps demo requests, and with each, in one transaction, what is to be done about it."""

    async def add(self, new: StoredRequest, notices: Mapping[str, str], limit: DailyLimit) -> str:
        """Keep a request unless its key is known; return the id of the one that has the key.

        `notices` are topics by the key under which each is done once. Concurrent requests may
        exceed the limit by their number.

        Raises:
            DatabaseUnavailable: If it could not be kept.
            InvalidQuery: If the table is not what this code expects.
        """
        ...

    async def by_id(self, id_: str) -> StoredRequest | None: ...

    async def all(self) -> Sequence[StoredRequest]:
        """Return every request, the newest first."""
        ...

    async def by_reference(self, reference: str) -> Sequence[StoredRequest]:
        """Return the requests that people call so; nearly always one."""
        ...

    async def requeue(self, id_: str, topics: Sequence[str], at: datetime) -> Sequence[str]:
        """Let what was given up about a request, or waits after a failure, be tried at a moment.

        Return which of the topics that is.
        """
        ...

    async def remove(self, id_: str) -> None:
        """Remove a request, and all about it."""
        ...

    async def count_before(self, before: datetime) -> int:
        """Return how many requests came before then."""
        ...

    async def remove_before(self, before: datetime) -> int:
        """Remove the requests that came before then, and all about them; return how many."""
        ...

    async def deliveries(self) -> Mapping[tuple[str, str], Delivery]:
        """Return how far each notice has come, by the request's id and the topic."""
        ...


class DemoRequestSink(Protocol):
    """Takes demo requests on, outside our house."""

    async def forward(self, stored: StoredRequest, variant_name: str) -> None:
        """Hand a request over.

        Raises:
            DeliveryRejected: If it will never be taken.
            DeliveryPostponed: If it may be taken later.
        """
        ...
