"""`ops demo-requests`: who asked for a demo, and how far each request has come.

`command` is mounted by the operator's command line; alone it runs as `python -m voice_site.ops`.
"""

import asyncio
import csv
import json
import re
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from campus_app.infrastructure.clock import SystemClock
from campus_app.infrastructure.database import Database, DatabaseUnavailable
from campus_app.infrastructure.mail import OutboxFolderMailer
from campus_app.infrastructure.outbox import Outbox
from voice_site.ports import Delivery, StoredRequest
from voice_site.services.demo_requests import Topic
from voice_site.settings import voice_settings
from voice_site.wiring import VARIANTS, Shared, Site, build

Work = Callable[[Site], Awaitable[None]]
Listed = Sequence[tuple[StoredRequest, Mapping[Topic, Delivery]]]

_WIDTH_OF_A_FILE = 200
_FORMULA = re.compile(r"[=@\t\r+-]")
_PHONE = re.compile(r"\+[\d\s().-]+")
_COLUMNS = ("Reference", "Asked at (UTC)", "Who", "Company", "Variant", "Mail", "Spreadsheet")


def command(carry_out: Callable[[Work], None]) -> click.Command:
    """Return the command; `carry_out` runs what it does with a site."""

    @click.command(name="demo-requests")
    @click.option("--csv", "wants_csv", is_flag=True, help="Every field, as CSV.")
    @click.option("--json", "wants_json", is_flag=True, help="Every field, as JSON.")
    def demo_requests(*, wants_csv: bool, wants_json: bool) -> None:
        """List the requests for a demo, the newest first."""
        show = _show_json if wants_json else _show_csv if wants_csv else _show_table

        async def work(site: Site) -> None:
            try:
                listed = await site.demo_requests.listed()
            except DatabaseUnavailable as error:
                raise click.ClickException("The database does not answer.") from error
            show(listed)

        carry_out(work)

    return demo_requests


def record(stored: StoredRequest, deliveries: Mapping[Topic, Delivery]) -> dict[str, Any]:
    """Return everything that is known of a request."""
    return {
        "id": stored.id,
        "createdAt": stored.created_at.isoformat(timespec="seconds"),
        **{_camel(name): value for name, value in asdict(stored.request).items()},
        "selectedVariant": VARIANTS[stored.request.selected_variant],
        "suspected": stored.is_suspected,
        "mail": _progress(deliveries.get(Topic.CONFIRMATION)),
        "spreadsheet": _progress(deliveries.get(Topic.SPREADSHEET)),
    }


def harmless(value: object) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    text = str(value)
    if _FORMULA.match(text) and not _PHONE.fullmatch(text):
        return f"'{text}"
    return text


def _progress(delivery: Delivery | None) -> str:
    if delivery is None:
        return "none"
    return f"{delivery.state}: {delivery.error}" if delivery.error else delivery.state


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(other.title() for other in others)


def _show_json(listed: Listed) -> None:
    click.echo(json.dumps([record(*each) for each in listed], ensure_ascii=False, indent=2))


def _show_csv(listed: Listed) -> None:
    records = [record(*each) for each in listed]
    writer = csv.writer(sys.stdout)
    names = list(records[0]) if records else ["id"]
    writer.writerow(names)
    writer.writerows([harmless(each[name]) for name in names] for each in records)


def _show_table(listed: Listed) -> None:
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _WIDTH_OF_A_FILE
    table = Table(*_COLUMNS)
    for stored, deliveries in listed:
        request = stored.request
        table.add_row(
            stored.reference + (" suspected" if stored.is_suspected else ""),
            f"{stored.created_at:%Y-%m-%d %H:%M}",
            f"{request.full_name}, {request.job_title}\n{request.email} {request.phone}".strip(),
            f"{request.company}, {request.location}\n{request.industry}, {request.company_size}",
            VARIANTS[request.selected_variant],
            _progress(deliveries.get(Topic.CONFIRMATION)),
            _progress(deliveries.get(Topic.SPREADSHEET)),
        )
    console.print(table)
    count = len(listed)
    console.print(f"{count} demo request{'' if count == 1 else 's'}")


def _with_own_site(work: Work) -> None:
    chosen, clock = voice_settings(), SystemClock()
    with closing(Database(chosen.database_url)) as database:
        mailer = OutboxFolderMailer(chosen.outbox_dir / "mail", chosen.mail_from, clock)

        async def run() -> None:
            await work(build(chosen, Shared(database, Outbox(database, clock), mailer, clock)))

        asyncio.run(run())


if __name__ == "__main__":
    command(_with_own_site)()
