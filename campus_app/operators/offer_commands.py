"""The command about offers: what they are, publishing a list, and undoing that."""

import json
from pathlib import Path
from typing import Any, cast

import click

from campus_app.operators import json_output, options, output
from campus_app.operators.command import Answer, command
from campus_app.operators.entry import operator
from campus_app.operators.wiring import Services
from campus_app.shared.rules.errors import Invalid


@command(options.publish_file, options.note, options.undo)
async def offers(services: Services, publish: Path | None, note: str, *, undo: bool) -> Answer:
    """Show the offers; --publish a FILE that --json printed and you edited, or --undo that."""
    if publish and undo:
        raise click.UsageError("choose one of --publish and --undo")
    versions = services.offers
    if publish:
        base, value = _read(publish)
        try:
            await versions.publish(value, base, note=note, by=operator())
        except Invalid as error:
            faults = " ".join(f"{name}: {fault}" for name, fault in error.fields.items())
            raise Invalid(f"{error.message} {faults}", error.fields, code=error.code) from error
    elif undo:
        await versions.undo(versions.number, operator())
    latest = next(iter(versions.history()), None)
    names = {each.id: each.name for each in services.catalogue.restaurants()}
    return Answer(
        json_output.offers(versions.offers, latest),
        lambda: output.show_offers(versions.offers, latest, names),
    )


def _read(file: Path) -> tuple[int, object]:
    """Return the version that a file was edited on, and its offers.

    Raises:
        click.BadParameter: If it is not what `ops offers --json` prints.
    """
    try:
        content: Any = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"it can't be read: {error}", param_hint="--publish") from error
    members = cast("dict[str, object]", content) if isinstance(content, dict) else {}
    version = members.get("version")
    if type(version) is not int or "offers" not in members:
        raise click.BadParameter("it needs 'version' and 'offers'", param_hint="--publish")
    return version, members["offers"]
