"""`ops figures`: how it went in a span of days."""

from datetime import date
from pathlib import Path

import click

from campus_app.kitchen.rules.day_sheet import day_of
from campus_app.operators import json_output, options, output
from campus_app.operators.command import Answer, command
from campus_app.operators.figure_files import figures_csv, figures_xlsx
from campus_app.operators.rules.figures import Span
from campus_app.operators.wiring import Services


@command(
    click.option("--first", metavar="DAY", callback=options.day, help="By default 6 days before."),
    click.option("--last", metavar="DAY", callback=options.day, help="By default the current one."),
    options.file("--csv"),
    options.file("--xlsx"),
)
async def figures(
    services: Services, first: date | None, last: date | None, csv: Path | None, xlsx: Path | None
) -> Answer:
    """Show how it went: orders, revenue, dishes, visits, refunds; beside the span before."""
    today = day_of(services.clock.now())
    begins, ends = (each.isoformat() if each else "" for each in (first, last))
    span = Span.read(begins, ends, today)
    found = await services.figures.of(span)
    if csv:
        _write(csv, figures_csv(found))
    if xlsx:
        _write(xlsx, figures_xlsx(found))
    return Answer(json_output.figures(found), lambda: output.show_figures(found))


def _write(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from error
