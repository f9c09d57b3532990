"""Running a command: its services, its operator, and one line for an error."""

import asyncio
import json
import os
import pwd
import sys
from collections.abc import Awaitable, Callable
from typing import Any, NoReturn, TypeVar

import click

from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.operators import wiring
from campus_app.operators.wiring import Services
from campus_app.ordering.rules.errors import PaymentError, ProviderRejected
from campus_app.shared.migrations import VERSIONS
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.errors import OrderingError
from campus_app.shared.rules.messages import OperatorMessage
from kit.db.errors import DatabaseUnavailable, InvalidQuery, database_problem
from kit.db.schema_version import schema_problem
from kit.text import normalize_text

Result = TypeVar("Result")

_FAILED, _USAGE = 1, 2


class Commands(click.Group):
    """Commands that print an error as one line: on stderr, or with --json as JSON on stdout."""

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run a command, and exit with 0, 1 if it failed, or 2 for wrong usage."""
        extra["standalone_mode"] = False
        given = extra.get("args") or (args[0] if args else None) or sys.argv[1:]
        wants_json = "--json" in given
        try:
            code = super().main(*args, **extra)
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            code = _USAGE
        except click.UsageError as error:
            code = _report("usage", error.format_message(), _USAGE, as_json=wants_json)
        except click.ClickException as error:
            code = _report("failed", error.format_message(), _FAILED, as_json=wants_json)
        except (
            OrderingError,
            MenuUnavailable,
            PaymentError,
            DatabaseUnavailable,
            InvalidQuery,
        ) as error:
            code = _report(*_code_and_message(error), _FAILED, as_json=wants_json)
        except click.Abort:
            message = OperatorMessage.NOT_CONFIRMED
            code = _report("not_confirmed", message, _FAILED, as_json=wants_json)
        sys.exit(code if isinstance(code, int) else 0)


def _code_and_message(
    error: OrderingError | MenuUnavailable | PaymentError | DatabaseUnavailable | InvalidQuery,
) -> tuple[str, str]:
    """Return the code and the message of an error."""
    if isinstance(error, OrderingError):
        return error.code, error.message
    if isinstance(error, MenuUnavailable):
        return "menu_unavailable", error.message
    if isinstance(error, ProviderRejected):
        return "provider_refused", OperatorMessage.REFUND_REFUSED
    if isinstance(error, PaymentError):
        return "provider_unavailable", OperatorMessage.REFUND_LATER
    if isinstance(error, InvalidQuery):
        return "database_query", OperatorMessage.DATABASE_QUERY.format(problem=error)
    return "database", OperatorMessage.DATABASE_FAILED.format(reason=database_problem(error))


def _report(code: str, message: str, exit_code: int, *, as_json: bool) -> int:
    line = normalize_text(message)
    if as_json:
        click.echo(json.dumps({"error": {"code": code, "message": line}}, ensure_ascii=False))
    else:
        click.echo(f"ops: {line}", err=True)
    return exit_code


def run(work: Callable[[Services], Awaitable[Result]]) -> Result:
    """Call a function with the services of this installation, and return its result.

    Raises:
        click.ClickException: If the data files or the database cannot be used.
    """
    try:
        services = wiring.services()
    except ValueError as error:
        raise click.ClickException(f"{error} (see: ops check-menus)") from error
    except OSError as error:
        problem = OperatorMessage.DATA_UNREADABLE.of(file=error.filename, problem=error.strerror)
        raise click.ClickException(problem) from error
    return asyncio.run(_with_database(services, work))


async def _with_database(
    services: Services, work: Callable[[Services], Awaitable[Result]]
) -> Result:
    try:
        await services.database.check()
    except (DatabaseUnavailable, InvalidQuery) as error:
        problem = OperatorMessage.DATABASE_UNAVAILABLE.format(reason=database_problem(error))
        raise click.ClickException(problem) from error
    if problem := schema_problem(services.settings.database_url, VERSIONS):
        raise click.ClickException(OperatorMessage.DATABASE_OUTDATED.format(problem=problem))
    try:
        await services.menu_versions.load()
        await services.offers.load()
        return await work(services)
    finally:
        await services.pubsub.close()


def operator() -> Actor:
    """Return the user who runs the command, from the user id: the environment can be forged."""
    user = os.getuid()
    try:
        return Actor(pwd.getpwuid(user).pw_name)
    except KeyError:  # a container's user without a name
        return Actor(f"user {user}")
