"""The commands that list, show, change, retry, delete and purge demo requests and leads.

The operators' command line mounts them; the list also runs alone as `python -m voice_site.ops`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from datetime import timedelta

import click

from kit.clock import SystemClock
from kit.db.database import Database
from kit.db.errors import DatabaseUnavailable, InvalidQuery, database_problem
from kit.mail.message import OutboxFolderMailer
from kit.outbox.store import Outbox
from voice_site import ops_output
from voice_site.domain.lead import LeadField, LeadState
from voice_site.ops_output import count_text, print_json
from voice_site.services.demo_requests import UnknownRequest
from voice_site.services.request_records import COLUMN_OF, list_requests
from voice_site.settings import voice_settings
from voice_site.wiring import Shared, Site, build

Work = Callable[[Site], Awaitable[None]]
Run = Callable[[Work], None]

_MINIMUM_RETENTION = timedelta(days=30)
"""Longer than the retries of any job, so that a purged request has no unfinished job."""

_DATABASE_FAILED = (
    "The database can't be used now ({reason}). Please look at what was changed before you try"
    " again."
)
_as_json = click.option("--json", "wants_json", is_flag=True, help="Print JSON for programs.")
_reference = click.argument("reference")
_without_question = click.option("--yes", is_flag=True, help="Do not ask.")


def commands(
    run: Run, span: Callable[[str], timedelta], operator: Callable[[], str]
) -> Sequence[click.Command]:
    """Return the commands.

    Args:
        run: Calls a function with the site.
        span: Parses a duration; raises a ValueError if the text is none.
        operator: Returns the name of who runs the command, for the history of leads.
    """
    return [_list(run), _lead(run, operator), _retry(run), _delete(run), _purge(run, span)]


def _list(run: Run) -> click.Command:
    @click.command(name="demo-requests")
    @click.option("--csv", "wants_csv", is_flag=True, help="Every field, as CSV.")
    @_as_json
    def demo_requests(*, wants_csv: bool, wants_json: bool) -> None:
        """List demo requests with the state of their leads, the newest first, in campus time."""
        show = ops_output.show_csv if wants_csv else ops_output.show_table
        show = ops_output.show_json if wants_json else show

        async def work(site: Site) -> None:
            show(await list_requests(site.demo_requests, site.leads))

        run(_reported(work))

    return demo_requests


def _lead(run: Run, operator: Callable[[], str]) -> click.Command:
    @click.command(name="lead")
    @_reference
    @click.option(
        "--state", type=click.Choice([each.value for each in LeadState]), help="How far it is."
    )
    @click.option("--owner", help="Who takes care of it; empty: nobody.")
    @click.option("--note", help="A note; earlier ones stay in the history.")
    @_as_json
    def lead(
        reference: str, state: str | None, owner: str | None, note: str | None, *, wants_json: bool
    ) -> None:
        """Show a lead with its requests and history, after setting what is given."""
        values = {
            LeadField.STATE: LeadState(state) if state else None,
            LeadField.OWNER: owner,
            LeadField.NOTE: note,
        }
        changes = {field: value for field, value in values.items() if value is not None}

        async def work(site: Site) -> None:
            found = await site.leads.find(reference)
            try:
                shown = await site.leads.change(found, changes, operator())
            except ValueError as error:
                raise click.BadParameter(str(error)) from error
            file = await site.leads.file_of(shown)
            if wants_json:
                print_json(ops_output.lead_record(file))
            else:
                ops_output.show_lead(file)

        run(_reported(work))

    return lead


def _retry(run: Run) -> click.Command:
    @click.command(name="retry-demo-request")
    @_reference
    @_as_json
    def retry_demo_request(reference: str, *, wants_json: bool) -> None:
        """Retry a request's failed e-mail and spreadsheet entry."""

        async def work(site: Site) -> None:
            topics = await site.demo_requests.retry(reference)
            names = [COLUMN_OF[topic] for topic in topics]
            if wants_json:
                print_json({"reference": reference, "retried": names})
            elif names:
                click.echo(f"The server retries within seconds: {', '.join(names)}.")
            else:
                click.echo("There is nothing to retry.")

        run(_reported(work))

    return retry_demo_request


def _delete(run: Run) -> click.Command:
    @click.command(name="delete-demo-request")
    @_reference
    @click.option("--all", "whole_lead", is_flag=True, help="Every request of the same lead.")
    @_without_question
    @_as_json
    def delete_demo_request(
        reference: str, *, whole_lead: bool, yes: bool, wants_json: bool
    ) -> None:
        """Delete one demo request, as its sender may ask; with the last one, its lead."""

        async def work(site: Site) -> None:
            stored = await site.demo_requests.find(reference)
            of_lead = await site.leads.requests.of_lead(stored.lead_id) if whole_lead else ()
            others = of_lead or [stored]
            if not yes:
                sender = f"{stored.request.full_name}, {stored.request.email}"
                what = count_text(len(others)) if whole_lead else stored.reference
                question = f"Delete {what} of {sender}? This can't be undone."
                click.confirm(question, abort=True, err=True)
            for each in others:
                await site.demo_requests.delete(each)
            if wants_json:
                print_json({"deleted": stored.id})
            else:
                names = ", ".join(each.reference for each in others)
                click.echo(f"Deleted {names}. A copy in the spreadsheet is not deleted.")

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
    @_without_question
    @_as_json
    def purge_demo_requests(age: timedelta, *, yes: bool, wants_json: bool) -> None:
        """Delete old demo requests."""

        async def work(site: Site) -> None:
            requests = site.demo_requests
            before = requests.clock.now() - age
            count = await requests.count_before(before)
            if count and not yes:
                question = f"Delete {count_text(count)}? This can't be undone."
                click.confirm(question, abort=True, err=True)
            deleted = await requests.purge(before)
            if wants_json:
                until = before.isoformat(timespec="seconds")
                print_json({"before": until, "demoRequests": deleted})
            else:
                click.echo(f"Deleted {count_text(deleted)}.")

        run(_reported(work))

    return purge_demo_requests


def _reported(work: Work) -> Work:
    """Return the same function, with expected errors as click's one-line messages."""

    async def report(site: Site) -> None:
        try:
            await work(site)
        except DatabaseUnavailable as error:
            problem = _DATABASE_FAILED.format(reason=database_problem(error))
            raise click.ClickException(problem) from error
        except InvalidQuery as error:
            problem = f"A database query is wrong, which is a bug: {error}"
            raise click.ClickException(problem) from error
        except UnknownRequest as error:
            raise click.ClickException(f"There is no demo request {error}.") from error

    return report


def _with_own_site(work: Work) -> None:
    chosen, clock = voice_settings(), SystemClock()
    with closing(Database(chosen.database_url)) as database:
        mailer = OutboxFolderMailer(chosen.outbox_dir / "mail", chosen.mail_from, clock)

        async def run() -> None:
            await work(build(chosen, Shared(database, Outbox(database, clock), mailer, clock)))

        asyncio.run(run())


if __name__ == "__main__":
    _list(_with_own_site)()
