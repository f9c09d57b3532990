"""A demo request and its lead as lines of text, for the sales team and for operators."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from kit.translations import own_name
from voice_site.content.plans import PLANS, VARIANTS, format_number, format_rupees
from voice_site.content.samples import call_titles
from voice_site.domain.constants import BUTTONS, TIME_ZONE
from voice_site.domain.estimate import Estimate, PlanLimit, estimate
from voice_site.domain.journey import Journey
from voice_site.domain.lead import Lead, LeadFile
from voice_site.domain.stored_request import StoredRequest

_PLANS = [PlanLimit(each.name, each.price_rupees, each.monthly_interactions) for each in PLANS]


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
        Line("E-mail", request.email, f"mailto:{quote(request.email, safe='@')}"),
        Line("Phone", request.phone, phone_link(request.phone)),
        Line("Company", request.company),
        Line("Company size", request.company_size),
        Line("Industry", request.industry),
        Line("City", request.location),
        Line("Variant", VARIANTS[request.selected_variant]),
        Line("Callers ask for", request.use_case),
        Line("Notes", request.additional_notes),
        Line("Button", BUTTONS.get(request.source, "")),
        *_journey_lines(stored),
        Line("Asked at", time_text(stored.created_at)),
        Line("Reference", stored.reference),
    )
    return [line for line in lines if line.value]


def _journey_lines(stored: StoredRequest) -> Sequence[Line]:
    journey = stored.journey
    agreed = f"version {journey.consent}, {time_text(stored.created_at)}"
    return (
        Line("Calculator", calculator_text(journey)),
        Line("Last call heard", call_text(journey)),
        Line("Demonstration", "tried" if journey.tried else ""),
        Line("Came from", journey.referrer),
        Line("Campaign", campaign_text(journey)),
        Line("Language of the page", own_name(journey.language) if journey.language else ""),
        Line("Consent", agreed if journey.consent else ""),
    )


def calculator_text(journey: Journey) -> str:
    """Return the calculator's figures and their result in a sentence; empty without figures."""
    figures, result = journey.figures, estimate_of(journey)
    if result is None:
        return ""
    return (
        f"{format_number(figures['conversations'])} conversations a month,"
        f" {format_number(figures['agents'])} agents at {format_rupees(figures['cost'])},"
        f" {figures['attrition']}% leave a year, {format_rupees(figures['replacement'])} to replace"
        f" one, {figures['share']}% for TARA: {result.plan} fits; {format_rupees(result.today)} a"
        f" month today, {format_rupees(result.with_tara)} with TARA"
    )


def estimate_of(journey: Journey) -> Estimate | None:
    """Return the result of the calculator's figures; None without figures."""
    return estimate(journey.figures, _PLANS) if journey.figures else None


def call_text(journey: Journey) -> str:
    """Return the title and the language of the last call that was heard; empty if none was."""
    return call_titles().get(journey.call, "")


def campaign_text(journey: Journey) -> str:
    """Return the advertisement's parameters: `utm_source=news, utm_term=voice`."""
    return ", ".join(f"{name}={value}" for name, value in journey.campaign.items())


def spreadsheet_cells(stored: StoredRequest) -> dict[str, str]:
    """Return what the spreadsheet gets besides the fields of the form, by names of its own."""
    journey = stored.journey
    return {
        "reference": stored.reference,
        "source": stored.request.source,
        "calculator": calculator_text(journey),
        "lastCall": call_text(journey),
        "triedDemo": "yes" if journey.tried else "no",
        "referrer": journey.referrer,
        "campaign": campaign_text(journey),
        "language": journey.language,
        "consent": journey.consent,
    }


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
