"""Leads: found, shown with their requests, changed by the sales team.

Source: specification V10.1 to V10.5.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from kit.clock import Clock
from kit.text import normalize_text
from voice_site.adapters.sql_demo_requests import SqlDemoRequests
from voice_site.adapters.sql_leads import SqlLeads
from voice_site.domain.lead import KEPT_FOR, SPAM_KEPT_FOR, Changes, Lead, LeadField, LeadFile
from voice_site.domain.stored_request import StoredRequest
from voice_site.services.demo_requests import UnknownRequest, only_one

_LONGEST_TEXT = 2_000


@dataclass(frozen=True)
class Leads:
    """Shows and changes leads; the operators' commands and desks call it.

    Raises:
        DatabaseUnavailable: By every method.
    """

    store: SqlLeads
    requests: SqlDemoRequests
    clock: Clock

    async def find(self, reference: str) -> Lead:
        """Return the lead whose own id, or that of one of its requests, begins with `reference`.

        Raises:
            UnknownRequest: If no lead has this reference, or several have.
        """
        return await only_one(reference, self.store.by_reference)

    async def file_of(self, lead: Lead) -> LeadFile:
        """Return a lead with its requests, its history and related leads."""
        return LeadFile(
            lead,
            await self.requests.of_lead(lead.id),
            await self.store.history(lead.id),
            await self.store.related(lead.id),
        )

    async def list_all(self) -> Sequence[LeadFile]:
        """Return every lead with its requests, without histories.

        The lead with the latest request is the first; a lead's own requests are oldest first.
        """
        leads = await self.store.all()
        by_lead: dict[str, list[StoredRequest]] = {}
        for request in await self.requests.all():  # newest first
            by_lead.setdefault(request.lead_id, []).insert(0, request)
        return [LeadFile(leads[id_], each) for id_, each in by_lead.items() if id_ in leads]

    async def purge_expired(self) -> int:
        """Delete leads 24 months, spam 30 days after its last change; return how many requests."""
        now = self.clock.now()
        return await self.requests.remove_expired(now - KEPT_FOR, now - SPAM_KEPT_FOR)

    async def change(
        self, lead: Lead, changes: Changes, by: str, seen: Changes | None = None
    ) -> Lead:
        """Set fields, each with a line of history that says who set it and when.

        A text is normalized to one line; one of more than 2,000 characters is refused.

        Raises:
            LeadChanged: If a field has not the value whose digest is in `seen`.
            UnknownRequest: If the lead was deleted meanwhile.
            ValueError: If a text is too long.
        """
        tidied = {
            field: value if field is LeadField.STATE else _line(value)
            for field, value in changes.items()
        }
        changed = await self.store.change(lead.id, tidied, by, self.clock.now(), seen or {})
        if changed is None:
            raise UnknownRequest(lead.reference)
        return changed


def _line(text: str) -> str:
    if len(text) > _LONGEST_TEXT:
        raise ValueError(f"the maximum is {_LONGEST_TEXT} characters")
    return normalize_text(text)
