"""The commands: parse, call one service, print."""

import json
from collections.abc import Collection
from datetime import datetime, timedelta
from pathlib import Path

import click

from campus_app.adapters.csv.checks import check_files, find_price_differences
from campus_app.adapters.csv.last_good import LastGoodCopies
from campus_app.domain.order_admin import OrderQuery
from campus_app.domain.periods import moment
from campus_app.ops import options, output, wire
from campus_app.ops.entry import Commands, carry_out, operator
from campus_app.settings import settings
from campus_app.wiring import Services
from kit.mail.message import MAIL_CHANNEL

_ORDERS, _AUDIT_LINES = 200, 100
_FAULTY = 1
_IMAGES = Path(__file__).parents[2] / "assets" / "images"
_ARE_YOU_SURE = "Remove who placed {orders}? This can't be undone."


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
def ops() -> None:
    """Run the place: restaurants, orders, menus, the audit."""


@ops.command()
@options.as_json
def restaurants(*, wants_json: bool) -> None:
    """List the restaurants with their state."""

    async def work(services: Services) -> None:
        statuses = await services.operations.statuses()
        known = {restaurant.id: restaurant for restaurant in services.catalogue.restaurants()}
        if wants_json:
            _print_json(wire.restaurants_json(known, statuses))
        else:
            output.show_restaurants(known, statuses)

    carry_out(work)


@ops.command()
@options.restaurant_id
@click.option("--message", default="", callback=options.message, help="What visitors are told.")
@options.as_json
def close(restaurant_id: int, message: str, *, wants_json: bool) -> None:
    """Close a restaurant, whatever its hours."""
    _turn(restaurant_id, is_open=False, message=message, wants_json=wants_json)


@ops.command(name="open")
@options.restaurant_id
@options.as_json
def open_again(restaurant_id: int, *, wants_json: bool) -> None:
    """Let a restaurant follow its hours again."""
    _turn(restaurant_id, is_open=True, message="", wants_json=wants_json)


@ops.command()
@options.since
@options.order_filters
@options.limit(_ORDERS)
@options.as_json
def orders(since: str | None, limit: int, *, wants_json: bool, **flags: bool) -> None:
    """List orders, the newest first, without who ordered."""
    only = options.only(flags)

    async def work(services: Services) -> None:
        query = OrderQuery(limit, _since(services, since), only)
        page = await services.operations.list_orders(query)
        if wants_json:
            _print_json(wire.orders_json(page))
        else:
            output.show_orders(page)

    carry_out(work)


@ops.command()
@options.order_name
@options.as_json
def order(order: str, *, wants_json: bool) -> None:
    """Show all about an order: its number (AS_482) or its key."""

    async def work(services: Services) -> None:
        file = await services.operations.order_details(order, operator())
        if wants_json:
            _print_json(wire.order_json(file))
        else:
            output.show_order(file)

    carry_out(work)


@ops.command()
@options.order_name
@options.as_json
def retry_notifications(order: str, *, wants_json: bool) -> None:
    """Try an order's failed mails and call again; a call that may have rung is left alone."""

    async def work(services: Services) -> None:
        topics = await services.operations.retry_notifications(order, operator())
        if wants_json:
            _print_json(wire.retried_json(order, topics))
        elif topics:
            output.say(f"Tried again within seconds: {', '.join(topics)}.")
        else:
            output.say("Nothing is left to try again.")

    carry_out(work)


@ops.command()
@options.as_json
@click.pass_obj
def retry_mail(other_topics: Collection[str] | None, *, wants_json: bool) -> None:
    """Try the mails that wait for a mail server now: after it was mended."""

    async def work(services: Services) -> None:
        topics = {*services.worker.topics_of(MAIL_CHANNEL), *(other_topics or ())}
        waiting = await services.operations.retry_mail(sorted(topics), operator())
        if wants_json:
            _print_json(wire.mail_retried_json(waiting))
        else:
            output.say(f"{output.count(waiting, 'waiting mail')}: the server tries within seconds.")

    carry_out(work)


@ops.command()
@options.order_name
@click.option("--force", is_flag=True, help="Give back all of it, though it is confirmed.")
@options.as_json
def refund(order: str, *, force: bool, wants_json: bool) -> None:
    """Give back what is due of an order's money; repeated, say how that stands."""

    async def work(services: Services) -> None:
        report = await services.operations.refund(order, operator(), force=force)
        if wants_json:
            _print_json(wire.refunded_json(report))
        else:
            output.show_refunds(report)

    carry_out(work)


@ops.command()
@options.as_json
@click.pass_context
def check_menus(context: click.Context, *, wants_json: bool) -> None:
    """Look through every CSV; exit with 1 when something is wrong."""
    chosen = settings()
    files = list(check_files(chosen.data_dir, LastGoodCopies(chosen.last_good_dir), _IMAGES))
    differences = find_price_differences(chosen.data_dir)
    if wants_json:
        _print_json(wire.files_json(files, differences))
    else:
        output.show_files(files)
        output.show_price_differences(differences)
    if any(file.faults for file in files):
        context.exit(_FAULTY)


@ops.command()
@click.option(
    "--older-than",
    "age",
    required=True,
    metavar="SPAN",
    callback=options.retention,
    help="For how long orders keep their names: 180d, 26w.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@options.as_json
def purge(age: timedelta, *, yes: bool, wants_json: bool) -> None:
    """Remove from old orders who ordered; amounts, states, numbers and times stay."""

    async def work(services: Services) -> None:
        before = _long_ago(services, age)
        found = await services.operations.count_purgeable(before)
        if found and not yes:
            question = _ARE_YOU_SURE.format(orders=output.count(found, "order"))
            click.confirm(question, abort=True, err=True)
        purged = await _purge(services, before, found)
        if wants_json:
            _print_json(wire.purged_json(before, purged))
        else:
            output.say(f"Removed who placed {output.count(purged, 'order')}.")

    carry_out(work)


async def _purge(services: Services, before: datetime, found: int) -> int:
    purged = 0
    with output.progress() as bar:
        task = bar.add_task("Orders", total=found)
        async for batch in services.operations.purge(before, operator()):
            purged += batch
            bar.update(task, completed=purged)
    return purged


@ops.command()
@options.since
@options.limit(_AUDIT_LINES)
@options.as_json
def audit(since: str | None, limit: int, *, wants_json: bool) -> None:
    """Show what operators did."""

    async def work(services: Services) -> None:
        entries = await services.operations.audit_entries(_since(services, since), limit)
        if wants_json:
            _print_json(wire.audit_json(entries))
        else:
            output.show_audit(entries)

    carry_out(work)


def _turn(restaurant_id: int, *, is_open: bool, message: str, wants_json: bool) -> None:
    async def work(services: Services) -> None:
        turned = await services.operations.set_override(
            restaurant_id, is_open=is_open, message=message, by=operator()
        )
        restaurant = services.catalogue.restaurant(restaurant_id)
        if wants_json:
            _print_json(wire.turned_json(turned))
        elif restaurant:
            output.show_turned(restaurant.name, turned)

    carry_out(work)


def _since(services: Services, text: str | None) -> datetime | None:
    try:
        return moment(text, services.clock.now()) if text else None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--since") from error


def _long_ago(services: Services, age: timedelta) -> datetime:
    try:
        return services.clock.now() - age
    except OverflowError as error:
        raise click.BadParameter("there was no such day", param_hint="--older-than") from error


def _print_json(answer: wire.Json) -> None:
    click.echo(json.dumps(answer, ensure_ascii=False, indent=2))
