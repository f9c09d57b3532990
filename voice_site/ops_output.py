"""What the commands about demo requests print: tables for people, CSV, and JSON for programs."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from voice_site.content.plans import VARIANTS
from voice_site.domain.lead import PROMISED_WITHIN, Lead, LeadFile
from voice_site.services.request_lines import (
    history_lines,
    lead_line,
    request_lines,
    time_text,
)
from voice_site.services.request_records import (
    COLUMN_OF,
    Listed,
    campus_time,
    csv_of,
    lead_members,
    members_of,
    progress_text,
    record_of,
)

_WIDTH_OF_A_FILE = 200
_HOUR_SECONDS = 3_600
_COLUMNS = ("Reference", "Asked at", "State", "Who", "Company", "Variant", "Jobs")


def print_json(content: object) -> None:
    """Print JSON, indented."""
    click.echo(json.dumps(content, ensure_ascii=False, indent=2))


def show_json(listed: Sequence[Listed]) -> None:
    """Print every member of each request."""
    print_json([record_of(each) for each in listed])


def show_csv(listed: Sequence[Listed]) -> None:
    """Print the same as CSV, of which no cell is a formula."""
    click.echo(csv_of(listed), nl=False)


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
        **lead_members(file.lead),
        "createdAt": campus_time(file.lead.created_at),
        "changedAt": campus_time(file.lead.changed_at),
        "requests": [members_of(each) for each in file.requests],
        "history": [
            {"at": campus_time(each.at), "by": each.actor, "set": each.field, "to": each.value}
            for each in file.history
        ],
        "related": [each.reference for each in file.related],
    }


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
                f"{name} {progress_text(each.deliveries.get(topic))}"
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
