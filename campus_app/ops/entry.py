"""What all commands share: services to work with, and one line for whatever goes wrong."""

import asyncio
import json
import os
import pwd
import sys
from collections.abc import Awaitable, Callable
from typing import Any, NoReturn, TypeVar

import click

from campus_app import wiring
from campus_app.domain.audit import Actor
from campus_app.domain.customer import normalize_text
from campus_app.domain.errors import OrderingError, PaymentError, ProviderRejected
from campus_app.domain.messages import OperatorMessage
from campus_app.migrations import VERSIONS
from campus_app.wiring import Services
from kit.db.errors import DatabaseUnavailable, InvalidQuery
from kit.db.schema_version import schema_problem

Answer = TypeVar("Answer")

_WRONG, _USAGE = 1, 2


class Commands(click.Group):
    """Commands whose every refusal is one line: on stderr, or with --json as JSON on stdout."""

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Carry out a command, and end with its exit code: 1 for wrong, 2 for wrongly asked."""
        extra["standalone_mode"] = False
        given = extra.get("args") or (args[0] if args else None) or sys.argv[1:]
        wants_json = "--json" in given
        try:
            code = super().main(*args, **extra)
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            code = _USAGE
        except click.UsageError as error:
            code = _refuse("usage", error.format_message(), _USAGE, as_json=wants_json)
        except click.ClickException as error:
            code = _refuse("failed", error.format_message(), _WRONG, as_json=wants_json)
        except (OrderingError, PaymentError, DatabaseUnavailable, InvalidQuery) as error:
            code = _refuse(*_words(error), _WRONG, as_json=wants_json)
        except click.Abort:
            message = OperatorMessage.NOT_CONFIRMED
            code = _refuse("not_confirmed", message, _WRONG, as_json=wants_json)
        sys.exit(code if isinstance(code, int) else 0)


def _words(
    error: OrderingError | PaymentError | DatabaseUnavailable | InvalidQuery,
) -> tuple[str, str]:
    """Return the code and the sentence of what went wrong."""
    if isinstance(error, OrderingError):
        return error.code, error.message
    if isinstance(error, ProviderRejected):
        return "provider_refused", OperatorMessage.REFUND_REFUSED
    if isinstance(error, PaymentError):
        return "provider_unavailable", OperatorMessage.REFUND_LATER
    if isinstance(error, InvalidQuery):
        return "database_query", OperatorMessage.DATABASE_QUERY.format(problem=error)
    return "database", OperatorMessage.DATABASE_UNREACHABLE


def _refuse(code: str, message: str, exit_code: int, *, as_json: bool) -> int:
    line = normalize_text(message)
    if as_json:
        click.echo(json.dumps({"error": {"code": code, "message": line}}, ensure_ascii=False))
    else:
        click.echo(f"ops: {line}", err=True)
    return exit_code


def carry_out(work: Callable[[Services], Awaitable[Answer]]) -> Answer:
    """Return what work brings about with the services of these settings."""
    try:
        services = wiring.services()
    except ValueError as error:
        raise click.ClickException(f"{error} (see: ops check-menus)") from error
    return asyncio.run(_on_a_sound_database(services, work))


async def _on_a_sound_database(
    services: Services, work: Callable[[Services], Awaitable[Answer]]
) -> Answer:
    if not await services.database.is_up():
        raise click.ClickException(OperatorMessage.DATABASE_UNREACHABLE)
    if problem := schema_problem(services.settings.database_url, VERSIONS):
        raise click.ClickException(OperatorMessage.DATABASE_OUTDATED.format(problem=problem))
    try:
        return await work(services)
    finally:
        await services.pubsub.close()


def operator() -> Actor:
    """Return who runs the command, as the system knows them: the environment may say anything."""
    user = os.getuid()
    try:
        return Actor(pwd.getpwuid(user).pw_name)
    except KeyError:  # a container's user without a name
        return Actor(f"user {user}")
