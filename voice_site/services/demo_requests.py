"""Demo requests: stored, then confirmed by e-mail and forwarded to the company's spreadsheet.

Source: specification S7.
"""

import hashlib
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import parseaddr
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from kit.clock import Clock
from kit.mail.message import Mail, Mailer
from kit.templates import mail_templates
from kit.text import gettext_noop
from kit.translations import ENGLISH, language, page_language, use_locale
from voice_site.adapters.spreadsheet_form import SpreadsheetForm
from voice_site.adapters.sql_demo_requests import SqlDemoRequests
from voice_site.content.company import COMPANY
from voice_site.content.plans import NO_PLAN, VARIANTS
from voice_site.domain.demo_request import DemoRequest, greeted_name, mailbox_of
from voice_site.domain.journey import Journey
from voice_site.domain.lead import REMINDED_AFTER, LeadJob
from voice_site.domain.stored_request import DailyLimit, Delivery, Jobs, StoredRequest
from voice_site.translations import t

_TEMPLATES = mail_templates(Path(__file__).parents[1] / "templates" / "mail", {"t": t})
_SUBJECT = gettext_noop("We have your demo request")
_NEXT_STEPS = (
    gettext_noop("Somebody of our team reads your request, and writes to this address or calls."),
    gettext_noop("In the demo we begin with the questions that your own callers ask."),
    gettext_noop("The request costs nothing and makes no contract."),
)
Found = TypeVar("Found")
_KEY_BYTES = 16
_REFERENCE = re.compile(r"[0-9a-f]{8,32}", re.ASCII)
"""The id of a request, or its beginning."""


class Topic(StrEnum):
    """The outbox jobs that a request can have."""

    CONFIRMATION = "demo.confirmation"
    SPREADSHEET = "demo.spreadsheet"
    SALES = "demo.sales"
    """The mail to the sales team."""


class KeyReused(Exception):
    """The idempotency key belongs to a request with other contents."""


class UnknownRequest(Exception):
    """No request has this reference, or several have."""


@dataclass(frozen=True)
class DemoRequests:
    """Stores, confirms and forwards demo requests; without a form they are not forwarded.

    If `tells_sales`, each is mailed to the sales team, and its lead again while it is new.
    """

    store: SqlDemoRequests
    mailer: Mailer
    clock: Clock
    form: SpreadsheetForm | None
    sender: str
    """The From of confirmations, to which visitors reply: an address with or without a name."""
    origin: str = ""
    """The URL of the site, for the link in a confirmation."""
    confirmations_per_day: int = 200
    tells_sales: bool = False

    async def submit(
        self,
        request: DemoRequest,
        key: str = "",
        *,
        is_suspected: bool = False,
        journey: Journey | None = None,
    ) -> str:
        """Store a request and what travels with it, once per key, and return its id.

        A suspected bot's request is stored for the operator, without an e-mail or a forward.

        Raises:
            KeyReused: If the key belongs to a request with other contents; nothing is stored.
            DatabaseUnavailable: If it could not be stored.
            InvalidQuery: If the table has another schema.
        """
        new = StoredRequest(
            id=secrets.token_hex(_KEY_BYTES),
            key=_digest(key) if key else secrets.token_hex(_KEY_BYTES),
            request=request,
            created_at=self.clock.now(),
            is_suspected=is_suspected,
            journey=journey or Journey(),
            link_token=secrets.token_urlsafe(_KEY_BYTES),
        )
        id_ = await self.store.add(new, self._jobs(new))
        # Another id is that of the request which has the key already, perhaps the same one.
        if id_ != new.id and (await self._load(id_)).request != request:
            raise KeyReused
        return id_

    async def adopt(self) -> int:
        """Give a lead and its jobs to each request that the previous release stored; count them."""
        return await self.store.adopt(self._jobs)

    async def confirm(self, id_: str) -> None:
        """E-mail the visitor, in the language of the page, that the request was received."""
        stored = await self._load(id_)
        with use_locale(stored.journey.language or ENGLISH):
            mail = self._confirmation(stored)
        await self.mailer.send(mail)

    def _confirmation(self, stored: StoredRequest) -> Mail:
        name = greeted_name(stored.request.full_name)
        chosen = stored.request.selected_variant
        values = {
            "subject": t(_SUBJECT),
            "language": page_language(language()),
            "name": name,
            "reference": stored.reference,
            # The use case is left out: the form must not send anybody's texts to strangers.
            "plan": "" if chosen == NO_PLAN.id else VARIANTS[chosen],
            "steps": _NEXT_STEPS,
            "link": f"{self.origin}{stored.link_path}" if stored.link_path else "",
            "company": COMPANY,
            "address": parseaddr(self.sender)[1],
        }
        text, html = (
            _TEMPLATES.get_template(f"confirmation.{kind}").render(values)
            for kind in ("txt", "html")
        )
        return Mail(
            key=f"{Topic.CONFIRMATION}:{stored.id}",
            to=stored.request.email,
            to_name=name,
            subject=f"{t(_SUBJECT)}, {stored.reference}",
            text=text,
            html=html,
            sender=self.sender,
        )

    async def forward(self, id_: str) -> None:
        """Forward a request to the company's spreadsheet."""
        stored = await self._load(id_)
        if self.form:
            await self.form.forward(stored, VARIANTS[stored.request.selected_variant])

    async def list_all(self) -> Sequence[tuple[StoredRequest, Mapping[Topic, Delivery]]]:
        """Return every request with the progress of its jobs, the newest first."""
        deliveries = await self.store.deliveries()
        return [
            (
                stored,
                {topic: each for topic in Topic if (each := deliveries.get((stored.id, topic)))},
            )
            for stored in await self.store.all()
        ]

    async def retry(self, reference: str) -> Sequence[Topic]:
        """Requeue the failed and waiting jobs of a request; return their topics.

        Raises:
            UnknownRequest: If no request has this reference, or several have.
        """
        stored = await self.find(reference)
        requeued = await self.store.requeue(stored.id, list(Topic), self.clock.now())
        return [topic for topic in Topic if topic in requeued]

    async def find(self, reference: str) -> StoredRequest:
        """Return the request with a reference or an id.

        Raises:
            UnknownRequest: If no request has this reference, or several have.
        """
        return await only_one(reference, self.store.by_reference)

    async def delete(self, stored: StoredRequest) -> None:
        """Delete one request with its jobs; a copy in the spreadsheet stays."""
        await self.store.remove(stored.id)

    async def count_before(self, before: datetime) -> int:
        """Return how many requests were stored before then."""
        return await self.store.count_before(before)

    async def purge(self, before: datetime) -> int:
        """Delete the requests that were stored before then; return how many."""
        return await self.store.remove_before(before)

    def _jobs(self, new: StoredRequest) -> Jobs:
        """Return the jobs of a request; a suspected one has none."""
        limit = DailyLimit(_day_prefix(new), self.confirmations_per_day)
        if new.is_suspected:
            return Jobs({}, limit, {})
        return Jobs(
            self._topics(new), limit, {LeadJob.REMINDER: REMINDED_AFTER} if self.tells_sales else {}
        )

    def _topics(self, new: StoredRequest) -> dict[str, str]:
        """Return the topic of each job by the key under which it is done only once."""
        # One confirmation per day and mailbox, so that the form cannot be used to send spam.
        mailbox = _digest(mailbox_of(new.request.email))
        topics = {f"{_day_prefix(new)}{mailbox}": Topic.CONFIRMATION.value}
        if self.form:
            topics[f"{Topic.SPREADSHEET}:{new.id}"] = Topic.SPREADSHEET.value
        if self.tells_sales:
            topics[f"{Topic.SALES}:{new.id}"] = Topic.SALES.value
        return topics

    async def _load(self, id_: str) -> StoredRequest:
        stored = await self.store.by_id(id_)
        if stored is None:
            raise LookupError(f"there is no demo request {id_}")
        return stored


async def only_one(
    reference: str, by_reference: Callable[[str], Awaitable[Sequence[Found]]]
) -> Found:
    """Return what has a reference or an id: a request, or a lead.

    Raises:
        UnknownRequest: If nothing has this reference, or several have.
    """
    name = reference.strip().lower()
    found = await by_reference(name) if _REFERENCE.fullmatch(name) else ()
    if len(found) != 1:
        raise UnknownRequest(reference)
    return found[0]


def _day_prefix(new: StoredRequest) -> str:
    """Return what the keys of all confirmations of the request's day begin with."""
    return f"{Topic.CONFIRMATION}:{new.created_at.date().isoformat()}:"


def _digest(text: str) -> str:
    """Return 32 hexadecimal digits; lone surrogates, which UTF-8 cannot encode, count as `?`."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
