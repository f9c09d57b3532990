"""The options and arguments of the commands, and the validation of their values."""

from collections.abc import Callable
from datetime import date, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from campus_app.catalogue.rules.menu_version import MenuSource
from campus_app.operators.rules.desk import DeskRole
from campus_app.operators.rules.order_admin import OrderFilter
from campus_app.shared.rules import periods
from campus_app.shared.rules.constants import MAXIMUM_STATUS_CHARACTERS, MINIMUM_RETENTION_HOURS
from campus_app.shared.rules.messages import OperatorMessage
from campus_app.shared.rules.money import parse_reported_amount
from kit.text import normalize_text

_LONGEST_PAUSE = timedelta(hours=24)

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]

as_json = click.option("--json", "wants_json", is_flag=True, help="Print JSON for programs.")
restaurant_id = click.argument("restaurant_id", metavar="ID", type=click.IntRange(min=1))
order_name = click.argument("order", metavar="ORDER")
dish_id = click.argument("dish_id", metavar="DISH")
optional_restaurant_id = click.argument(
    "restaurant_id", metavar="[ID]", type=click.IntRange(min=1), required=False
)
menu_source = click.argument(
    "source", metavar="[file|desk]", type=click.Choice([*map(str, MenuSource)]), required=False
)
publish_file = click.option(
    "--publish",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Publish the offers of this JSON file.",
)
note = click.option("--note", default="", metavar="TEXT", help="Why they change.")
undo = click.option("--undo", is_flag=True, help="Publish the former offers again.")
device_id = click.argument("device_id", metavar="DEVICE")
desk_role = click.option(
    "--role",
    required=True,
    type=click.Choice([each.value for each in DeskRole]),
    help="What the person may do.",
)
desk_name = click.option(
    "--name", required=True, metavar="NAME", help="The person, for the audit trail."
)
without_question = click.option("--yes", is_flag=True, help="Do not ask.")
since = click.option("--since", help="Only newer ones: 12h, 7d, 2026-11-18, 2026-11-18T13:00.")


def confirm(question: str) -> None:
    """Ask on stderr for a confirmation.

    Raises:
        click.Abort: If it is not given.
    """
    click.confirm(question, abort=True, err=True)


def limit(most: int) -> Decorator:
    """Return the option that limits the number of lines, `most` by default."""
    return click.option(
        "--limit",
        type=click.IntRange(min=1, max=1_000_000),
        default=most,
        show_default=True,
        help="Maximum number, the newest first.",
    )


def message(_context: click.Context, _option: click.Parameter, text: str) -> str:
    """Return a closed restaurant's message, on one line.

    Raises:
        click.BadParameter: If it is too long.
    """
    line = normalize_text(text)
    if len(line) > MAXIMUM_STATUS_CHARACTERS:
        too_long = OperatorMessage.MESSAGE_TOO_LONG.of(most=MAXIMUM_STATUS_CHARACTERS)
        raise click.BadParameter(too_long)
    return line


def file(name: str) -> Decorator:
    """Return the option `name` for a file to write."""
    kind = click.Path(dir_okay=False, path_type=Path)
    return click.option(name, type=kind, metavar="FILE", help="Also write it to this file.")


def day(_context: click.Context, _option: click.Parameter, text: str | None) -> date | None:
    """Return a day, or None for the current one.

    Raises:
        click.BadParameter: If it is not a day.
    """
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is not a day like 2026-11-18") from error


def amount(_context: click.Context, _option: click.Parameter, text: str | None) -> Decimal | None:
    """Return a positive amount of rupees, or None.

    Raises:
        click.BadParameter: If it is not one.
    """
    value = parse_reported_amount(text) if text else None
    if text is not None and not value:
        raise click.BadParameter(f"{text!r} is not an amount in rupees like 20 or 20.50")
    return value


def time_of_day(name: str, variable: str, help_: str) -> Decorator:
    """Return the option `name` for a time of day."""

    def parsed(_context: click.Context, _option: click.Parameter, text: str | None) -> time | None:
        found = periods.time_of_day(text)
        if text is not None and found is None:
            raise click.BadParameter(f"{text!r} is not a time like 18:00")
        return found

    return click.option(name, variable, metavar="TIME", callback=parsed, help=help_)


def usual(help_: str) -> Decorator:
    """Return the flag that takes a change of today back."""
    return click.option("--usual", is_flag=True, help=help_)


def pause(_context: click.Context, _option: click.Parameter, text: str | None) -> timedelta | None:
    """Return how long a restaurant takes no orders; None without an end.

    Raises:
        click.BadParameter: If it is not a duration, or longer than a day.
    """
    if text is None:
        return None
    try:
        length = periods.span(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    if length > _LONGEST_PAUSE:
        raise click.BadParameter("the maximum is 24h")
    return length


def retention(_context: click.Context, _option: click.Parameter, text: str) -> timedelta:
    """Return the age from which orders lose their personal data.

    Raises:
        click.BadParameter: If it is not a duration, or too short.
    """
    try:
        age = periods.span(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    if age < timedelta(hours=MINIMUM_RETENTION_HOURS):
        raise click.BadParameter(f"the minimum is {MINIMUM_RETENTION_HOURS}h")
    return age


def order_filters(command: Command) -> Command:
    """Add a flag for each filter of orders."""
    helps = {
        OrderFilter.UNPAID: "Only orders that are not paid.",
        OrderFilter.REFUND: "Only orders with a refund due.",
        OrderFilter.FAILED_NOTIFICATIONS: "Only orders with a failed e-mail or call.",
        OrderFilter.UNREADABLE: "Only orders reported as paid with unreadable amounts.",
        OrderFilter.PAID_LATE: "Only orders that were paid after they had lapsed.",
        OrderFilter.UNSEEN: "Only paid orders that the kitchen has not seen for five minutes.",
    }
    for kind in reversed(OrderFilter):  # click lists first what is added last
        command = click.option(f"--{kind}", is_flag=True, help=helps[kind])(command)
    return command


def only(flags: dict[str, bool]) -> OrderFilter | None:
    """Return the chosen filter, or None.

    Raises:
        click.UsageError: If several are chosen.
    """
    chosen = [kind for kind in OrderFilter if flags[kind.replace("-", "_")]]
    if len(chosen) > 1:
        raise click.UsageError("choose one of " + ", ".join(f"--{kind}" for kind in OrderFilter))
    return chosen[0] if chosen else None
