"""The commands. To add one: write an async function that calls a service, below `@command`.

Those of what needs somebody are in `attention_commands.py`, those of devices in
`device_commands.py`, those of menus in `menu_commands.py`, those of today's hours and seats in
`day_commands.py`, that of offers in `offer_commands.py`, that of the figures in
`figure_commands.py`.
"""

from collections.abc import Collection
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import click

from campus_app.operators import (
    attention_commands,
    day_commands,
    device_commands,
    figure_commands,
    json_output,
    menu_commands,
    offer_commands,
    options,
    output,
)
from campus_app.operators.command import Answer, command, ops
from campus_app.operators.day_sheet_files import write_csv, write_xlsx
from campus_app.operators.entry import operator
from campus_app.operators.posters import write_posters
from campus_app.operators.rules.order_admin import OrderQuery
from campus_app.operators.wiring import Services
from campus_app.ordering.rules.customer import contact_of
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.refund import RefundPart, left_to_refund
from campus_app.shared.rules.money import format_rupees
from campus_app.shared.rules.periods import moment
from kit.mail.message import MAIL_CHANNEL

__all__ = [
    "attention_commands",
    "day_commands",
    "device_commands",
    "figure_commands",
    "menu_commands",
    "offer_commands",
    "ops",
]

_ORDERS, _AUDIT_LINES = 200, 100
_CONFIRM_REFUND = "Order {order} is confirmed. Cancel it and refund {amount}? This can't be undone."
_CONFIRM_PART = "Give back {amount} of {order}? {left} of its payment is left."
_CONFIRM_PURGE = "Delete the personal data of {orders}? This can't be undone."


@command()
async def restaurants(services: Services) -> Answer:
    """List the restaurants with their state."""
    statuses = await services.operations.load_statuses()
    known = {restaurant.id: restaurant for restaurant in services.catalogue.restaurants()}
    return Answer(
        json_output.restaurants(known, statuses),
        lambda: output.show_restaurants(known, statuses),
    )


@command(
    options.restaurant_id,
    click.option(
        "--message", default="", callback=options.message, help="The message that visitors see."
    ),
    click.option(
        "--for",
        "pause",
        metavar="SPAN",
        callback=options.pause,
        help="Take orders again after this time: 15m, 1h.",
    ),
)
async def close(
    services: Services, restaurant_id: int, message: str, pause: timedelta | None
) -> Answer:
    """Close a restaurant, whatever its hours."""
    now = services.clock.now().replace(microsecond=0)
    until = now + pause if pause else None
    return await _override(services, restaurant_id, is_open=False, message=message, until=until)


@command(options.restaurant_id, name="open")
async def open_again(services: Services, restaurant_id: int) -> Answer:
    """Open a restaurant again, within its hours."""
    return await _override(services, restaurant_id, is_open=True, message="")


@command(options.restaurant_id, options.dish_id)
async def sold_out(services: Services, restaurant_id: int, dish_id: str) -> Answer:
    """Mark a dish as sold out, until the kitchen opens next."""
    return await _set_sold_out(services, restaurant_id, dish_id, is_sold_out=True)


@command(options.restaurant_id, options.dish_id)
async def available(services: Services, restaurant_id: int, dish_id: str) -> Answer:
    """Sell a sold-out dish again."""
    return await _set_sold_out(services, restaurant_id, dish_id, is_sold_out=False)


@command(options.since, options.order_filters, options.limit(_ORDERS))
async def orders(services: Services, since: str | None, limit: int, **flags: bool) -> Answer:
    """List orders, the newest first, without personal data."""
    query = OrderQuery(limit, _since(services, since), options.only(flags))
    page = await services.operations.order_admin.list_orders(query)
    return Answer(json_output.orders(page), lambda: output.show_orders(page))


@command(options.order_name)
async def order(services: Services, order: str) -> Answer:
    """Show an order by its number (AS_482) or key, or list those of a phone number or e-mail."""
    if contact := contact_of(order):
        page = await services.operations.orders_of(contact, _ORDERS, operator())
        return Answer(json_output.orders(page), lambda: output.show_orders(page))
    details = await services.operations.order_details(order, operator())
    return Answer(json_output.order(details), lambda: output.show_order(details))


@command(options.order_name)
async def retry_notifications(services: Services, order: str) -> Answer:
    """Retry an order's failed e-mails and call; a call that may have rung is not repeated."""
    topics = await services.operations.retry_notifications(order, operator())
    message = (
        f"The server retries within seconds: {', '.join(topics)}."
        if topics
        else "There is nothing to retry."
    )
    return Answer({"order": order, "retried": list(topics)}, lambda: output.say(message))


@command()
async def mail(services: Services) -> Answer:
    """List the e-mails that wait or were given up, by reason."""
    failed = await services.outbox.failed(_mail_topics(services))
    return Answer(json_output.failed_mails(failed), lambda: output.show_failed_mails(failed))


@command()
async def retry_mail(services: Services) -> Answer:
    """Retry waiting e-mails now, after the mail server was repaired."""
    waiting = await services.operations.retry_mail(_mail_topics(services), operator())
    message = f"The server retries {output.count(waiting, 'e-mail')} within seconds."
    return Answer({"waiting": waiting}, lambda: output.say(message))


@command(
    options.order_name,
    click.option(
        "--force", is_flag=True, help="Refund the whole payment, even of a confirmed order."
    ),
    click.option(
        "--part",
        metavar="RUPEES",
        callback=options.amount,
        help="Give back a part of the payment; the order stays as it is.",
    ),
    options.without_question,
)
async def refund(
    services: Services, order: str, *, force: bool, part: Decimal | None, yes: bool
) -> Answer:
    """Refund the due part of an order's payment; repeated, show the refund's state."""
    if force and part:
        raise click.UsageError("choose one of --force and --part")
    found = await services.operations.find_order(order)
    number, paid = found.order.number, format_rupees(found.order.bill.online)
    if force and not yes and found.order.state is OrderState.CONFIRMED:
        options.confirm(_CONFIRM_REFUND.format(amount=paid, order=number))
    wanted = None
    if part:
        before = await services.operations.refunds.store.of_payment(found.payment.id)
        wanted = RefundPart(part, after=len(before))
        if not yes:
            left = left_to_refund(found.payment.paid, before)
            shown = "An unknown amount" if left is None else format_rupees(left)
            amount = format_rupees(part)
            options.confirm(_CONFIRM_PART.format(amount=amount, order=number, left=shown))
    report = await services.operations.refund(order, operator(), force=force, part=wanted)
    return Answer(json_output.refunds(report), lambda: output.show_refunds(report))


@command(
    click.option(
        "--pdf",
        "file",
        default="posters.pdf",
        show_default=True,
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="The file to write.",
    ),
)
async def posters(services: Services, file: Path) -> Answer:
    """Write a PDF with a poster for each kitchen's door, whose QR code opens the menu."""
    known, origin = services.catalogue.restaurants(), services.settings.origin
    write_posters(file, known, origin)
    return Answer(
        json_output.posters(file, known, origin), lambda: output.show_posters(file, known, origin)
    )


@command(
    click.option(
        "--restaurant", "restaurant_id", type=click.IntRange(min=1), help="Only this one."
    ),
    click.option(
        "--date",
        "day",
        metavar="DAY",
        callback=options.day,
        help="Another day than the current one: 2026-11-18.",
    ),
    options.file("--csv"),
    options.file("--xlsx"),
)
async def day_sheet(
    services: Services,
    restaurant_id: int | None,
    day: date | None,
    csv: Path | None,
    xlsx: Path | None,
) -> Answer:
    """Show a day's account: paid orders, and what was paid, is to be collected and goes back."""
    sheet = await services.day_sheets.of(day, restaurant_id)
    try:
        if csv:
            write_csv(csv, sheet)
        if xlsx:
            write_xlsx(xlsx, sheet)
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from error
    return Answer(json_output.day_sheet(sheet), lambda: output.show_day_sheet(sheet))


@command(
    click.option(
        "--older-than",
        "age",
        required=True,
        metavar="SPAN",
        callback=options.retention,
        help="Minimum age of the orders: 180d, 26w.",
    ),
    options.without_question,
)
async def purge(services: Services, age: timedelta, *, yes: bool) -> Answer:
    """Delete the personal data of old orders; amounts, states, numbers and times stay."""
    before = _time_before(services, age)
    count = await services.operations.order_admin.count_personal(before)
    if count and not yes:
        options.confirm(_CONFIRM_PURGE.format(orders=output.count(count, "order")))
    purged = await _purge(services, before, count)
    message = f"Deleted the personal data of {output.count(purged, 'order')}."
    return Answer({"before": before, "orders": purged}, lambda: output.say(message))


async def _purge(services: Services, before: datetime, count: int) -> int:
    purged = 0
    with output.progress() as bar:
        task = bar.add_task("Orders", total=count)
        async for batch in services.operations.purge(before, operator()):
            purged += batch
            bar.update(task, completed=purged)
    return purged


@command(options.since, options.limit(_AUDIT_LINES))
async def audit(services: Services, since: str | None, limit: int) -> Answer:
    """Show the audit trail, the newest entries first."""
    entries = await services.operations.audit.entries(since=_since(services, since), limit=limit)
    return Answer(json_output.audit(entries), lambda: output.show_audit(entries))


def _mail_topics(services: Services) -> list[str]:
    """Return the outbox topics of both products' e-mails."""
    other_topics: Collection[str] = click.get_current_context().obj or ()
    return sorted({*services.worker.topics_of(MAIL_CHANNEL), *other_topics})


async def _override(
    services: Services,
    restaurant_id: int,
    *,
    is_open: bool,
    message: str,
    until: datetime | None = None,
) -> Answer:
    result = await services.operations.set_override(
        restaurant_id, is_open=is_open, message=message, until=until, by=operator()
    )
    restaurant = services.catalogue.restaurant(restaurant_id)
    name = restaurant.name if restaurant else str(restaurant_id)
    return Answer(json_output.override(result), lambda: output.show_override(name, result))


async def _set_sold_out(
    services: Services, restaurant_id: int, dish_id: str, *, is_sold_out: bool
) -> Answer:
    result = await services.operations.set_sold_out(
        restaurant_id, dish_id, is_sold_out=is_sold_out, by=operator()
    )
    menu = services.catalogue.menu(restaurant_id)
    names = [menu.by_id[each].name for each in result.status.sold_out if each in menu.by_id]
    return Answer(json_output.sold_out(result), lambda: output.show_sold_out(names, result))


def _since(services: Services, text: str | None) -> datetime | None:
    try:
        return moment(text, services.clock.now()) if text else None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--since") from error


def _time_before(services: Services, age: timedelta) -> datetime:
    try:
        return services.clock.now() - age
    except OverflowError as error:
        raise click.BadParameter("there was no such day", param_hint="--older-than") from error
