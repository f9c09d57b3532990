"""The events of the desk's page of leads: for the sales team and the owner."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypedDict

import reflex as rx

from campus_app.operators import wiring
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_entry import DeskEntry, actor_of, text_in
from campus_app.operators.screens.desk_words import ListEnd, list_end, since
from campus_app.shared.rules import routes
from campus_app.shared.rules.messages import DeskMessage
from campus_app.shared.translations import t
from voice_site.domain.lead import (
    CHANGEABLE,
    Changes,
    LeadChanged,
    LeadField,
    LeadFile,
    LeadState,
    digest_of,
)
from voice_site.services.demo_requests import UnknownRequest
from voice_site.services.request_lines import history_lines, request_lines
from voice_site.services.request_records import csv_of, list_requests

_LEADS = 200
_MOST_LEADS = 1_000
_STATES = tuple(LeadState)
STATE = "state"
"""The query parameter of the address that filters the leads."""


class LeadLine(TypedDict):
    """A label, its value, and the address that the value leads to, or ""."""

    label: str
    value: str
    link: str


class LeadRow(TypedDict):
    """A lead with what its last request says; `late` is how long it waits beyond the promise."""

    reference: str
    who: str
    company: str
    state: str
    owner: str
    note: str
    form: str
    """Differs when the form is to show other values; others' changes do not replace its own."""
    waits: str
    isLate: bool
    requests: str
    lines: list[LeadLine]
    history: list[str]


class DeskLeads(DeskEntry, mixin=True):
    """The leads; nothing of them is pushed."""

    leads: list[LeadRow] = []
    leads_end: ListEnd = {}
    _leads_shown: int = _LEADS
    lead_state: str = ""
    """The state whose leads are shown; empty for all but spam."""
    has_leads: bool = False
    """Whether the leads have been read."""
    _seen: dict[str, dict[LeadField, str]] = {}
    """The digests of what the form of each lead shows, by reference.

    A form keeps what it shows when others change its lead, whose changes must not be overwritten.
    """

    @rx.event
    async def open_leads(self):
        """Show the leads of the state in the address."""
        if await self._entered(DeskArea.LEADS) is None:
            return
        self._say()
        asked = self.router.url.query_parameters.get(STATE, "")
        self.lead_state = asked if asked in _STATES else ""
        await self._show_leads()

    @rx.event
    async def filter_leads(self, state: str):
        """Show the leads of a state; empty for all but spam."""
        if await self._entered(DeskArea.LEADS) is None:
            return None
        self._leads_shown = _LEADS
        query = f"?{STATE}={state}" if isinstance(state, str) and state in _STATES else ""
        return rx.redirect(routes.DESK_LEADS + query, replace=True)

    @rx.event
    async def change_lead(self, form: dict[str, Any]):
        """Set what a person has changed of a lead, unless another person has changed it too."""
        device = await self._entered(DeskArea.LEADS)
        leads = wiring.services().desk.leads
        state = text_in(form, "state")
        if device is None or leads is None or state not in _STATES:
            return
        try:
            lead = await leads.find(text_in(form, "reference"))
            seen = self._seen.get(lead.reference, lead.digests)
            typed = {each: text_in(form, each) for each in CHANGEABLE}
            changes = {each: text for each, text in typed.items() if digest_of(text) != seen[each]}
            kept: Changes = {}
            try:
                await leads.change(
                    lead, changes, device.name, {each: seen[each] for each in changes}
                )
                self._say(done=t(DeskMessage.STORED))
            except LeadChanged:
                self._say(problem=t(DeskMessage.LEAD_CHANGED))
                kept = changes
            self._seen.pop(lead.reference, None)
            await self._show_leads({lead.reference: kept})
        except ValueError:  # the page keeps what was typed
            self._say(problem=t(DeskMessage.NOT_STORED))
        except UnknownRequest:
            self._say(problem=t(DeskMessage.NOT_STORED))
            await self._show_leads()

    @rx.event
    async def download_leads(self):
        """Give the browser every demo request as a CSV file, of which no cell is a formula.

        The audit trail keeps who had how many.
        """
        desk, device = wiring.services().desk, await self._entered(DeskArea.LEADS)
        if device is None or not desk.leads or not desk.requests:
            return None
        listed = await list_requests(desk.requests, desk.leads)
        await desk.record_download(len(listed), actor_of(device))
        return rx.download(data=csv_of(listed).encode("utf-8-sig"), filename="demo-requests.csv")

    @rx.event
    async def show_more_leads(self):
        """Show further leads below the others."""
        if await self._entered(DeskArea.LEADS) is not None:
            self._leads_shown = min(self._leads_shown + _LEADS, _MOST_LEADS)
            await self._show_leads()

    async def _show_leads(self, typed: Mapping[str, Changes] | None = None) -> None:
        """Show the leads; `typed` is what a form shows instead of a lead's own values."""
        desk = wiring.services().desk
        now = wiring.services().clock.now()
        found = await desk.leads.list_all() if desk.leads else []
        listed = [each for each in found if self._is_shown(each)]
        shown = listed[: self._leads_shown]
        whole = [await desk.leads.file_of(each.lead) for each in shown] if desk.leads else []
        seen = {each.lead.reference: each.lead.digests for each in whole}
        self._seen = {each: self._seen.get(each, digests) for each, digests in seen.items()}
        kept = typed or {}
        rows = [
            _row(each, self._seen[reference], kept.get(reference, {}), now)
            for each in whole
            for reference in [each.lead.reference]
        ]
        self._push("leads", rows)
        self._push("leads_end", list_end(len(shown), len(listed), _LEADS, _MOST_LEADS))
        self._push("has_leads", True)

    def _is_shown(self, file: LeadFile) -> bool:
        if self.lead_state:
            return file.lead.state == self.lead_state
        return file.lead.state is not LeadState.SPAM


def _row(file: LeadFile, seen: Changes, typed: Changes, now: datetime) -> LeadRow:
    lead, last = file.lead, file.requests[-1]
    overdue = lead.overdue(now)
    return LeadRow(
        reference=lead.reference,
        who=last.request.full_name,
        company=last.request.company,
        state=typed.get(LeadField.STATE, lead.state),
        owner=typed.get(LeadField.OWNER, lead.owner),
        note=typed.get(LeadField.NOTE, lead.note),
        form=" ".join(seen.values()),
        waits="" if overdue is None else since(lead.created_at, now),
        isLate=overdue is not None and overdue.total_seconds() > 0,
        requests="" if len(file.requests) == 1 else str(len(file.requests)),
        lines=_lines(file),
        history=list(history_lines(file)),
    )


def _lines(file: LeadFile) -> list[LeadLine]:
    return [
        LeadLine(label=each.label, value=each.value, link=each.link)
        for each in request_lines(file.requests[-1])
    ]
