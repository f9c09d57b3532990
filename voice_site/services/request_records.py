"""Demo requests with their leads as records, for JSON and CSV."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from pydantic.alias_generators import to_camel

from kit.spreadsheet import escape_formula
from voice_site.content.plans import VARIANTS
from voice_site.domain.constants import TIME_ZONE
from voice_site.domain.estimate import FIGURES
from voice_site.domain.journey import CAMPAIGN
from voice_site.domain.lead import Lead
from voice_site.domain.stored_request import Delivery, StoredRequest
from voice_site.services.demo_requests import DemoRequests, Topic
from voice_site.services.leads import Leads
from voice_site.services.request_lines import estimate_of

COLUMN_OF = {Topic.CONFIRMATION: "mail", Topic.SPREADSHEET: "spreadsheet", Topic.SALES: "sales"}
"""What a request's jobs are called."""


@dataclass(frozen=True)
class Listed:
    """A request with the progress of its jobs and its lead, which has been read at `now`.

    The lead is None for a moment if the previous release stored the request.
    """

    stored: StoredRequest
    deliveries: Mapping[Topic, Delivery]
    lead: Lead | None
    now: datetime


async def list_requests(requests: DemoRequests, leads: Leads) -> Sequence[Listed]:
    """Return every request with its jobs and its lead, the newest first."""
    listed, found = await requests.list_all(), await leads.store.all()
    now = leads.clock.now()
    return [Listed(*each, found.get(each[0].lead_id), now) for each in listed]


def csv_of(listed: Sequence[Listed]) -> str:
    """Return requests as CSV, of which no cell is a formula."""
    records = [record_of(each) for each in listed]
    text = io.StringIO()
    writer = csv.writer(text)
    names = list(records[0]) if records else ["id"]
    writer.writerow(names)
    writer.writerows([escape_formula(each[name]) for name in names] for each in records)
    return text.getvalue()


def record_of(each: Listed) -> dict[str, Any]:
    """Return every member of a request, with the progress of its jobs and its lead."""
    return {
        **members_of(each.stored),
        **{name: progress_text(each.deliveries.get(topic)) for topic, name in COLUMN_OF.items()},
        **(lead_members(each.lead) if each.lead else dict.fromkeys(LEAD_MEMBERS, "")),
    }


def members_of(stored: StoredRequest) -> dict[str, Any]:
    """Return every field of a request, and what travelled with it."""
    return {
        "id": stored.id,
        "reference": stored.reference,
        "createdAt": campus_time(stored.created_at),
        **{to_camel(name): value for name, value in asdict(stored.request).items()},
        "selectedVariant": VARIANTS[stored.request.selected_variant],
        "suspected": stored.is_suspected,
        **_journeymembers_of(stored),
    }


def _journeymembers_of(stored: StoredRequest) -> dict[str, Any]:
    """Return what travelled with a request; members without a value are empty texts."""
    journey, result = stored.journey, estimate_of(stored.journey)
    return {
        "language": journey.language,
        "consentVersion": journey.consent,
        "consentedAt": campus_time(stored.created_at) if journey.consent else "",
        "lastCall": journey.call,
        "referrer": journey.referrer,
        **{name: journey.campaign.get(name, "") for name in CAMPAIGN},
        **{each.name: journey.figures.get(each.name, "") for each in FIGURES},
        "estimatePlan": result.plan if result else "",
        "estimateToday": result.today if result else "",
        "estimateWithTara": result.with_tara if result else "",
    }


LEAD_MEMBERS = ("lead", "state", "owner", "note")


def lead_members(lead: Lead) -> dict[str, Any]:
    """Return what became of a lead."""
    return dict(zip(LEAD_MEMBERS, (lead.reference, lead.state, lead.owner, lead.note), strict=True))


def campus_time(at: datetime) -> str:
    """Return a time in campus time, as ISO 8601."""
    return at.astimezone(TIME_ZONE).isoformat(timespec="seconds")


def progress_text(delivery: Delivery | None) -> str:
    """Return how far a notice has come."""
    if delivery is None:
        return "none"
    return f"{delivery.state}: {delivery.error}" if delivery.error else delivery.state
