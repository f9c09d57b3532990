"""How an async function becomes a command."""

import functools
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import click

from campus_app.operators import json_output, options
from campus_app.operators.entry import Commands, run

Work = Callable[..., Awaitable["Answer"]]


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
def ops() -> None:
    """Operate the product: restaurants, orders, menus and the audit trail."""


class Answer(NamedTuple):
    """The result of a command: JSON for programs, and a function that prints it for people."""

    json: json_output.Json
    show: Callable[[], None]


def command(*parameters: options.Decorator, name: str | None = None) -> Callable[[Work], Work]:
    """Make a function a command: `ops {name}`, by default the function's name.

    The function gets the services and the values of its click `parameters`, and returns an
    `Answer`; its docstring is the command's help. Every command takes `--json`.
    """

    def register(work: Work) -> Work:
        def invoke(*, wants_json: bool, **values: Any) -> None:
            answer = run(lambda services: work(services, **values))
            if wants_json:
                json_output.print_json(answer.json)
            else:
                answer.show()

        handler: options.Command = functools.wraps(work)(invoke)
        for parameter in (options.as_json, *reversed(parameters)):
            handler = parameter(handler)
        ops.command(name or work.__name__.replace("_", "-"))(handler)
        return work

    return register
