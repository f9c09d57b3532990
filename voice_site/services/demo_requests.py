"""Demo requests: kept first, then confirmed to the visitor and handed on.

Source: specification S7.
"""

import hashlib
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from kit.templates import mail_templates
from voice_site.content.company import COMPANY
from voice_site.domain.demo_request import DemoRequest, greeted_name
from voice_site.ports import (
    Clock,
    Delivery,
    DemoRequestSink,
    DemoRequestStore,
    Mail,
    Mailer,
    StoredRequest,
)

_TEMPLATES = mail_templates(Path(__file__).parents[1] / "templates" / "mail")
_SUBJECT = "We have your demo request"
_KEY_BYTES = 16
_REFERENCE = re.compile(r"[0-9a-f]{8,32}", re.ASCII)


class Topic(StrEnum):
    """What the outbox does about a request."""

    CONFIRMATION = "demo.confirmation"
    SPREADSHEET = "demo.spreadsheet"


class UnknownRequest(Exception):
    """Nobody's request is called so, or those of several."""


@dataclass(frozen=True)
class DemoRequests:
    """Takes, confirms and hands on demo requests; without a sink they stay here."""

    store: DemoRequestStore
    mailer: Mailer
    clock: Clock
    variants: Mapping[str, str]
    sink: DemoRequestSink | None

    async def take(self, request: DemoRequest, key: str = "", *, is_suspected: bool = False) -> str:
        """Keep a request, once per key, and return its id.

        What a machine seems to have sent is kept for the operator's eyes, and nobody is told.

        Raises:
            DatabaseUnavailable: If it could not be kept.
            InvalidQuery: If the table is not what this code expects.
        """
        new = StoredRequest(
            id=secrets.token_hex(_KEY_BYTES),
            key=_digest(key) if key else secrets.token_hex(_KEY_BYTES),
            request=request,
            created_at=self.clock.now(),
            is_suspected=is_suspected,
        )
        return await self.store.add(new, {} if is_suspected else self._notices(new))

    async def confirm(self, id_: str) -> None:
        """Tell the visitor that the request is here."""
        stored = await self._look_up(id_)
        name = greeted_name(stored.request.full_name)
        values = {
            "subject": _SUBJECT,
            "name": name,
            "reference": stored.reference,
            "variant": self.variants[stored.request.selected_variant],
            "company": COMPANY,
        }
        text, html = (
            _TEMPLATES.get_template(f"confirmation.{kind}").render(values)
            for kind in ("txt", "html")
        )
        await self.mailer.send(
            Mail(
                key=f"{Topic.CONFIRMATION}:{stored.id}",
                to=stored.request.email,
                to_name=name,
                subject=f"{_SUBJECT}, {stored.reference}",
                text=text,
                html=html,
                sender=COMPANY.mail_sender,
            )
        )

    async def hand_on(self, id_: str) -> None:
        """Hand a request on to where the company keeps its requests."""
        stored = await self._look_up(id_)
        if self.sink:
            await self.sink.forward(stored, self.variants[stored.request.selected_variant])

    async def listed(self) -> Sequence[tuple[StoredRequest, Mapping[Topic, Delivery]]]:
        """Return every request with how far its notices have come, the newest first."""
        deliveries = await self.store.deliveries()
        return [
            (
                stored,
                {topic: found for topic in Topic if (found := deliveries.get((stored.id, topic)))},
            )
            for stored in await self.store.all()
        ]

    async def retry(self, reference: str) -> Sequence[Topic]:
        """Try again what was given up about a request; return what that is.

        Raises:
            UnknownRequest: If no request is called so, or several are.
        """
        name = reference.strip().lower()
        found = await self.store.by_reference(name) if _REFERENCE.fullmatch(name) else ()
        if len(found) != 1:
            raise UnknownRequest(reference)
        requeued = await self.store.requeue(found[0].id, list(Topic), self.clock.now())
        return [topic for topic in Topic if topic in requeued]

    async def count_before(self, before: datetime) -> int:
        """Return how many requests came before then."""
        return await self.store.count_before(before)

    async def purge(self, before: datetime) -> int:
        """Remove the requests that came before then; return how many."""
        return await self.store.remove_before(before)

    def _notices(self, new: StoredRequest) -> dict[str, str]:
        # One confirmation a day and address: nobody can have us bother a stranger.
        address = _digest(new.request.email.casefold())
        day = new.created_at.date().isoformat()
        notices = {f"{Topic.CONFIRMATION}:{address}:{day}": Topic.CONFIRMATION.value}
        if self.sink:
            notices[f"{Topic.SPREADSHEET}:{new.id}"] = Topic.SPREADSHEET.value
        return notices

    async def _look_up(self, id_: str) -> StoredRequest:
        stored = await self.store.by_id(id_)
        if stored is None:
            raise LookupError(f"there is no demo request {id_}")
        return stored


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
