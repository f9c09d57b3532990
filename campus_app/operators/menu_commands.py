"""The commands about menus: where they come from, and the checks of their files."""

from collections.abc import Sequence
from pathlib import Path

import click

from campus_app.catalogue.csv.checks import (
    CheckedFile,
    check_files,
    file_faults,
    find_price_differences,
)
from campus_app.catalogue.csv.last_good import LastGoodCopies
from campus_app.catalogue.rules.menu_version import MenuSource
from campus_app.catalogue.services.menu_versions import CurrentMenu
from campus_app.operators import json_output, options, output
from campus_app.operators.command import Answer, command, ops
from campus_app.operators.entry import operator, run
from campus_app.operators.wiring import Services
from campus_app.shared.settings import settings
from kit.db.errors import DatabaseUnavailable
from voice_site.adapters.fact_file import FILE, read_facts

_FAULTY = 1
_IMAGES = Path(__file__).parents[2] / "assets" / "images"


@command(options.optional_restaurant_id, options.menu_source)
async def menu_source(services: Services, restaurant_id: int | None, source: str | None) -> Answer:
    """Show where menus come from; with ID and 'file' or 'desk', sell that one from now on."""
    if restaurant_id is not None and source is not None:
        await services.menu_versions.set_source(restaurant_id, MenuSource(source), operator())
    menus = _current_menus(services, restaurant_id)
    names = {each.id: each.name for each in services.catalogue.restaurants()}
    return Answer(
        {"menus": json_output.menu_sources(menus, names)},
        lambda: output.show_menu_sources(menus, names),
    )


@ops.command()
@options.as_json
@click.pass_context
def check_menus(context: click.Context, *, wants_json: bool) -> None:
    """Check every CSV file; exit with 1 if there is a fault. Says which menus the desk has."""
    chosen = settings()
    files = [
        *check_files(chosen.data_dir, LastGoodCopies(chosen.last_good_dir), _IMAGES),
        *_check_facts(chosen.data_dir),
    ]
    of_desk = [each for each in _known_menus() if each.source is MenuSource.DESK]
    published = {each.restaurant_id: each.menu for each in of_desk if each.menu}
    differences = find_price_differences(chosen.data_dir, published)
    if wants_json:
        json_output.print_json(json_output.files(files, differences, of_desk))
    else:
        output.show_files(files)
        output.show_price_differences(differences)
        for each in of_desk:
            output.say(_NOT_READ.format(id=each.restaurant_id, number=each.number))
    if any(file.faults for file in files):
        context.exit(_FAULTY)


def _check_facts(folder: Path) -> list[CheckedFile]:
    """Return the result of the file of facts about TARA, if there is one."""
    read = read_facts(folder)
    if read is None:
        return []
    return [CheckedFile(FILE, read.valid_rows, tuple(file_faults(FILE, read.faults)))]


_NOT_READ = "menu_{id}.csv is not sold: version {number} of the desk is (see: ops menu-source {id})"


def _known_menus() -> Sequence[CurrentMenu]:
    """Return what is sold, or nothing if the restaurants or the database can't be read."""

    async def work(services: Services) -> Sequence[CurrentMenu]:
        return _current_menus(services, None)

    try:
        return run(work)
    except (click.ClickException, DatabaseUnavailable):
        return []


def _current_menus(services: Services, restaurant_id: int | None) -> Sequence[CurrentMenu]:
    ids = [each.id for each in services.catalogue.restaurants()]
    chosen = ids if restaurant_id is None else [restaurant_id]
    return [services.menu_versions.current(each) for each in chosen]
