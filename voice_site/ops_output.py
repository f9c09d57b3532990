"""What the commands about demo requests print: tables for people, CSV, and JSON for programs."""

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import click
from pydantic.alias_generators import to_camel
from rich.console import Console
from rich.table import Table

from kit.spreadsheet import escape_formula
from voice_site.content.plans import VARIANTS
from voice_site.domain.constants import TIME_ZONE
from voice_site.domain.estimate import FIGURES
from voice_site.domain.journey import CAMPAIGN
from voice_site.domain.lead import PROMISED_WITHIN, Lead, LeadFile
from voice_site.domain.stored_request import Delivery, StoredRequest
from voice_site.services.demo_requests import Topic
from voice_site.services.request_lines import (
    estimate_of,
    history_lines,
    lead_line,
    request_lines,
    time_text,
)

_WIDTH_OF_A_FILE = 200
_HOUR_SECONDS = 3_600
COLUMN_OF = {Topic.CONFIRMATION: "mail", Topic.SPREADSHEET: "spreadsheet", Topic.SALES: "sales"}
"""What a request's jobs are called."""
_COLUMNS = ("Reference", "Asked at", "State", "Who", "Company", "Variant", "Jobs")


@dataclass(frozen=True)
class Listed:
    """A request with the progress of its jobs and its lead, which has been read at `now`.

    The lead is None for a moment if the previous release stored the request.
    """

    stored: StoredRequest
    deliveries: Mapping[Topic, Delivery]
    lead: Lead | None
    now: datetime


def print_json(content: object) -> None:
    """Print JSON, indented."""
    click.echo(json.dumps(content, ensure_ascii=False, indent=2))


def show_json(listed: Sequence[Listed]) -> None:
    """Print every member of each request."""
    print_json([_record(each) for each in listed])


def show_csv(listed: Sequence[Listed]) -> None:
    """Print the same as CSV, of which no cell is a formula."""
    records = [_record(each) for each in listed]
    writer = csv.writer(sys.stdout)
    names = list(records[0]) if records else ["id"]
    writer.writerow(names)
    writer.writerows([escape_formula(each[name]) for name in names] for each in records)


def show_table(listed: Sequence[Listed]) -> None:
    """Print the genuine requests, then those that are suspected to be a program's."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _WIDTH_OF_A_FILE
    console.print(_table([each for each in listed if not each.stored.is_suspected]))
    if suspected := [each for each in listed if each.stored.is_suspected]:
        console.print("Suspected to come from a program; nobody was told:")
        console.print(_table(suspected))
    console.print(count_text(len(listed)))


def count_text(requests: int) -> str:
    """Return a number of requests in words: `2 demo requests`."""
    return f"{requests} demo request{'' if requests == 1 else 's'}"


def show_lead(file: LeadFile) -> None:
    """Print everything about a lead; of its requests the last one whole."""
    lines = [lead_line(file.lead), *([f"Note: {file.lead.note}"] if file.lead.note else []), ""]
    lines += [f"{line.label}: {line.value}" for line in request_lines(file.requests[-1])]
    lines += ["", *history_lines(file)]
    if file.related:
        lines += ["", "Related leads:", *map(lead_line, file.related)]
    click.echo("\n".join(lines))


def lead_record(file: LeadFile) -> dict[str, Any]:
    """Return everything about a lead for JSON."""
    return {
        **_lead_members(file.lead),
        "createdAt": _campus_time(file.lead.created_at),
        "changedAt": _campus_time(file.lead.changed_at),
        "requests": [_members(each) for each in file.requests],
        "history": [
            {"at": _campus_time(each.at), "by": each.actor, "set": each.field, "to": each.value}
            for each in file.history
        ],
        "related": [each.reference for each in file.related],
    }


def _record(each: Listed) -> dict[str, Any]:
    return {
        **_members(each.stored),
        **{name: _progress(each.deliveries.get(topic)) for topic, name in COLUMN_OF.items()},
        **(_lead_members(each.lead) if each.lead else dict.fromkeys(_LEAD_MEMBERS, "")),
    }


def _members(stored: StoredRequest) -> dict[str, Any]:
    return {
        "id": stored.id,
        "reference": stored.reference,
        "createdAt": _campus_time(stored.created_at),
        **{to_camel(name): value for name, value in asdict(stored.request).items()},
        "selectedVariant": VARIANTS[stored.request.selected_variant],
        "suspected": stored.is_suspected,
        **_journey_members(stored),
    }


def _journey_members(stored: StoredRequest) -> dict[str, Any]:
    """Return what travelled with a request; members without a value are empty texts."""
    journey, result = stored.journey, estimate_of(stored.journey)
    return {
        "language": journey.language,
        "consentVersion": journey.consent,
        "consentedAt": _campus_time(stored.created_at) if journey.consent else "",
        "lastCall": journey.call,
        "referrer": journey.referrer,
        **{name: journey.campaign.get(name, "") for name in CAMPAIGN},
        **{each.name: journey.figures.get(each.name, "") for each in FIGURES},
        "estimatePlan": result.plan if result else "",
        "estimateToday": result.today if result else "",
        "estimateWithTara": result.with_tara if result else "",
    }


_LEAD_MEMBERS = ("lead", "state", "owner", "note")


def _lead_members(lead: Lead) -> dict[str, Any]:
    return dict(
        zip(_LEAD_MEMBERS, (lead.reference, lead.state, lead.owner, lead.note), strict=True)
    )


def _campus_time(at: datetime) -> str:
    return at.astimezone(TIME_ZONE).isoformat(timespec="seconds")


def _progress(delivery: Delivery | None) -> str:
    if delivery is None:
        return "none"
    return f"{delivery.state}: {delivery.error}" if delivery.error else delivery.state


def _table(listed: Sequence[Listed]) -> Table:
    table = Table(*_COLUMNS)
    for each in listed:
        stored, request = each.stored, each.stored.request
        table.add_row(
            _reference(each),
            time_text(stored.created_at),
            _state(each.lead, each.now),
            f"{request.full_name}, {request.job_title}\n{request.email} {request.phone}".strip(),
            f"{request.company}, {request.location}\n{request.industry}, {request.company_size}",
            VARIANTS[request.selected_variant],
            "\n".join(
                f"{name} {_progress(each.deliveries.get(topic))}"
                for topic, name in COLUMN_OF.items()
            ),
        )
    return table


def _reference(each: Listed) -> str:
    """Return a request's reference, and its lead's if that is another one."""
    if each.lead is None or each.lead.id == each.stored.id:
        return each.stored.reference
    return f"{each.stored.reference}\nof {each.lead.reference}"


def _state(lead: Lead | None, now: datetime) -> str:
    """Return state, owner and, of a new lead, the hours that it has waited of the promised ones."""
    if lead is None:
        return ""
    lines = [lead.state, lead.owner]
    if (overdue := lead.overdue(now)) is not None:
        waited, promised = (
            int(each.total_seconds()) // _HOUR_SECONDS
            for each in (overdue + PROMISED_WITHIN, PROMISED_WITHIN)
        )
        lines[0] += f", {waited} of {promised} h" + (
            ", late" if overdue.total_seconds() > 0 else ""
        )
    return "\n".join(filter(None, lines))
