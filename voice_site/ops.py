"""The commands that list, retry, delete and purge demo requests.

The operators' command line mounts them; the list also runs alone as `python -m voice_site.ops`.
"""

import asyncio
import csv
import json
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from datetime import timedelta
from typing import Any

import click
from pydantic.alias_generators import to_camel
from rich.console import Console
from rich.table import Table

from kit.clock import SystemClock
from kit.db.database import Database
from kit.db.errors import DatabaseUnavailable, InvalidQuery
from kit.mail.message import OutboxFolderMailer
from kit.outbox.store import Outbox
from kit.spreadsheet import escape_formula
from voice_site.content.plans import VARIANTS
from voice_site.domain.stored_request import Delivery, StoredRequest
from voice_site.services.demo_requests import Topic, UnknownRequest
from voice_site.settings import voice_settings
from voice_site.wiring import Shared, Site, build

Work = Callable[[Site], Awaitable[None]]
Run = Callable[[Work], None]
Listed = Sequence[tuple[StoredRequest, Mapping[Topic, Delivery]]]

_WIDTH_OF_A_FILE = 200
_COLUMN_OF = {Topic.CONFIRMATION: "mail", Topic.SPREADSHEET: "spreadsheet"}
_MINIMUM_RETENTION = timedelta(days=30)
"""Longer than the retries of any job, so that a purged request has no unfinished job."""
_COLUMNS = ("Reference", "Asked at (UTC)", "Who", "Company", "Variant", "Mail", "Spreadsheet")

_as_json = click.option("--json", "wants_json", is_flag=True, help="Print JSON for programs.")


def commands(run: Run, span: Callable[[str], timedelta]) -> Sequence[click.Command]:
    """Return the commands.

    Args:
        run: Calls a function with the site.
        span: Parses a duration; raises a ValueError if the text is none.
    """
    return [_list(run), _retry(run), _delete(run), _purge(run, span)]


def _list(run: Run) -> click.Command:
    @click.command(name="demo-requests")
    @click.option("--csv", "wants_csv", is_flag=True, help="Every field, as CSV.")
    @_as_json
    def demo_requests(*, wants_csv: bool, wants_json: bool) -> None:
        """List demo requests, the newest first."""
        show = _show_json if wants_json else _show_csv if wants_csv else _show_table

        async def work(site: Site) -> None:
            show(await site.demo_requests.list_all())

        run(_reported(work))

    return demo_requests


def _retry(run: Run) -> click.Command:
    @click.command(name="retry-demo-request")
    @click.argument("reference")
    @_as_json
    def retry_demo_request(reference: str, *, wants_json: bool) -> None:
        """Retry a request's failed e-mail and spreadsheet entry."""

        async def work(site: Site) -> None:
            topics = await site.demo_requests.retry(reference)
            names = [_COLUMN_OF[topic] for topic in topics]
            if wants_json:
                _print_json({"reference": reference, "retried": names})
            elif names:
                click.echo(f"The server retries within seconds: {', '.join(names)}.")
            else:
                click.echo("There is nothing to retry.")

        run(_reported(work))

    return retry_demo_request


def _delete(run: Run) -> click.Command:
    @click.command(name="delete-demo-request")
    @click.argument("reference")
    @click.option("--yes", is_flag=True, help="Do not ask.")
    @_as_json
    def delete_demo_request(reference: str, *, yes: bool, wants_json: bool) -> None:
        """Delete one demo request, as its sender may ask."""

        async def work(site: Site) -> None:
            stored = await site.demo_requests.find(reference)
            if not yes:
                sender = f"{stored.request.full_name}, {stored.request.email}"
                question = f"Delete {stored.reference} of {sender}? This can't be undone."
                click.confirm(question, abort=True, err=True)
            await site.demo_requests.delete(stored)
            if wants_json:
                _print_json({"deleted": stored.id})
            else:
                click.echo(f"Deleted {stored.reference}. A copy in the spreadsheet is not deleted.")

        run(_reported(work))

    return delete_demo_request


def _purge(run: Run, span: Callable[[str], timedelta]) -> click.Command:
    def age_of(_context: click.Context, _option: click.Parameter, text: str) -> timedelta:
        try:
            age = span(text)
        except ValueError as error:
            raise click.BadParameter(str(error)) from error
        if age < _MINIMUM_RETENTION:
            raise click.BadParameter(f"the minimum is {_MINIMUM_RETENTION.days}d")
        return age

    @click.command(name="purge-demo-requests")
    @click.option(
        "--older-than",
        "age",
        required=True,
        metavar="SPAN",
        callback=age_of,
        help="Minimum age of the requests: 180d, 52w.",
    )
    @click.option("--yes", is_flag=True, help="Do not ask.")
    @_as_json
    def purge_demo_requests(age: timedelta, *, yes: bool, wants_json: bool) -> None:
        """Delete old demo requests."""

        async def work(site: Site) -> None:
            requests = site.demo_requests
            before = requests.clock.now() - age
            count = await requests.count_before(before)
            if count and not yes:
                question = f"Delete {_count(count)}? This can't be undone."
                click.confirm(question, abort=True, err=True)
            deleted = await requests.purge(before)
            if wants_json:
                until = before.isoformat(timespec="seconds")
                _print_json({"before": until, "demoRequests": deleted})
            else:
                click.echo(f"Deleted {_count(deleted)}.")

        run(_reported(work))

    return purge_demo_requests


def _reported(work: Work) -> Work:
    """Return the same function, with expected errors as click's one-line messages."""

    async def report(site: Site) -> None:
        try:
            await work(site)
        except DatabaseUnavailable as error:
            raise click.ClickException("The database does not answer.") from error
        except InvalidQuery as error:
            problem = f"A database query is wrong, which is a bug: {error}"
            raise click.ClickException(problem) from error
        except UnknownRequest as error:
            raise click.ClickException(f"There is no demo request {error}.") from error

    return report


def record(stored: StoredRequest, deliveries: Mapping[Topic, Delivery]) -> dict[str, Any]:
    """Return all members of a request, and the progress of its jobs."""
    return {
        "id": stored.id,
        "createdAt": stored.created_at.isoformat(timespec="seconds"),
        **{to_camel(name): value for name, value in asdict(stored.request).items()},
        "selectedVariant": VARIANTS[stored.request.selected_variant],
        "suspected": stored.is_suspected,
        **{name: _progress(deliveries.get(topic)) for topic, name in _COLUMN_OF.items()},
    }


def _progress(delivery: Delivery | None) -> str:
    if delivery is None:
        return "none"
    return f"{delivery.state}: {delivery.error}" if delivery.error else delivery.state


def _print_json(content: object) -> None:
    click.echo(json.dumps(content, ensure_ascii=False, indent=2))


def _show_json(listed: Listed) -> None:
    _print_json([record(*each) for each in listed])


def _show_csv(listed: Listed) -> None:
    records = [record(*each) for each in listed]
    writer = csv.writer(sys.stdout)
    names = list(records[0]) if records else ["id"]
    writer.writerow(names)
    writer.writerows([escape_formula(each[name]) for name in names] for each in records)


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
    console.print(_count(len(listed)))


def _count(requests: int) -> str:
    return f"{requests} demo request{'' if requests == 1 else 's'}"


def _with_own_site(work: Work) -> None:
    chosen, clock = voice_settings(), SystemClock()
    with closing(Database(chosen.database_url)) as database:
        mailer = OutboxFolderMailer(chosen.outbox_dir / "mail", chosen.mail_from, clock)

        async def run() -> None:
            await work(build(chosen, Shared(database, Outbox(database, clock), mailer, clock)))

        asyncio.run(run())


if __name__ == "__main__":
    _list(_with_own_site)()
