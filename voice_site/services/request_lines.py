"""A demo request and its lead as lines of text, for the sales team and for operators."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from voice_site.content.plans import VARIANTS
from voice_site.domain.constants import BUTTONS, TIME_ZONE
from voice_site.domain.lead import Lead, LeadFile
from voice_site.domain.stored_request import StoredRequest


@dataclass(frozen=True)
class Line:
    """A label and its value; `link` is the address that the value leads to, or empty."""

    label: str
    value: str
    link: str = ""


def time_text(at: datetime) -> str:
    """Return a time in campus time: `18 Nov 2026, 13:00`."""
    return f"{at.astimezone(TIME_ZONE):%d %b %Y, %H:%M}"


def request_lines(stored: StoredRequest) -> Sequence[Line]:
    """Return every field of a request that has a value."""
    request = stored.request
    lines = (
        Line("Name", request.full_name),
        Line("Job title", request.job_title),
        Line("E-mail", request.email, f"mailto:{request.email}"),
        Line("Phone", request.phone, phone_link(request.phone)),
        Line("Company", request.company),
        Line("Company size", request.company_size),
        Line("Industry", request.industry),
        Line("City", request.location),
        Line("Variant", VARIANTS[request.selected_variant]),
        Line("Callers ask for", request.use_case),
        Line("Notes", request.additional_notes),
        Line("Button", BUTTONS.get(request.source, "")),
        Line("Asked at", time_text(stored.created_at)),
        Line("Reference", stored.reference),
    )
    return [line for line in lines if line.value]


def lead_line(lead: Lead) -> str:
    """Return a lead in one line: reference, state, owner, first request."""
    owner = f", {lead.owner}" if lead.owner else ""
    return f"{lead.reference}, {lead.state}{owner}, since {time_text(lead.created_at)}"


def history_lines(file: LeadFile) -> Sequence[str]:
    """Return the requests and changes of a lead, the oldest first."""
    asked = [
        (each.created_at, f"asked for {VARIANTS[each.request.selected_variant]} ({each.reference})")
        for each in file.requests
    ]
    changed = [(each.at, f"{each.field}: {each.value} ({each.actor})") for each in file.history]
    return [
        f"{time_text(at)}  {what}" for at, what in sorted(asked + changed, key=lambda each: each[0])
    ]


def phone_link(phone: str) -> str:
    """Return the `tel:` address of a phone number; empty without one."""
    return (
        "tel:" + "".join(each for each in phone if each.isdecimal() or each == "+") if phone else ""
    )
