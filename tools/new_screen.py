"""Adds a screen to a room: `make new-screen ROOM=ordering NAME=favourites`.

Writes its page, its state and the state's test, and registers the page in the route table and in
the navigation bar. Adds its texts to the translations, and prints the files to translate.
"""

import re
import subprocess
import sys
from pathlib import Path

from ruff import find_ruff_bin

from tools import translations
from tools.rooms import FEATURES

_ROOT = Path(__file__).parents[1]
_TABLE = "campus_app/campus_app.py"
_BAR = "campus_app/shell/layout.py"
_LINKS = "_LINKS = ("
_PAGE = '''"""{route}: the entries of {title}."""

import reflex as rx

from campus_app.{room}.screens.{name}_state import {state}
from campus_app.shared.translations import t
from campus_app.shell.banner import banner
from campus_app.shell.layout import screen, screen_head
from campus_app.shell.slots import CART_LINK
from kit.reflex.pages import Page
from kit.text import gettext_noop


def {name}_page() -> rx.Component:
    """Render the entries, or a sentence if there are none."""
    return screen(
        rx.el.div(
            screen_head("{number}", t("{label}"), t("{title}")),
            rx.cond(
                {state}.entries,
                rx.el.ul(rx.foreach({state}.entries, rx.el.li)),
                rx.el.p(t("There is nothing here yet.")),
            ),
            class_name="wrap",
        ),
        current="{route}",
        banner=banner(),
        cart=CART_LINK(),
    )


PAGE = Page(
    route="{route}",
    title=gettext_noop("{title} · FOOD_points"),
    description=gettext_noop("{title} on FOOD_points."),
    content={name}_page,
    on_load=[{state}.open],
)
'''
_STATE = '''"""The state of {route}."""

import reflex as rx


class {state}(rx.State):
    """The entries of {route}.

    Any client can call every public method with any arguments, and reads every public variable.
    """

    entries: list[str] = []

    @rx.event
    def open(self):
        """Load the entries when the screen opens."""
        self.entries = []
'''
_TEST = '''"""The state of {route}."""

import pytest

from campus_app.{room}.screens.{name}_state import {state}

pytestmark = pytest.mark.anyio


async def test_{name}_are_empty_when_screen_opens(tab):
    await tab.visit("{route}")
    assert tab.get({state}.entries) == []
'''


_PACKAGE = '"""This room\'s pages, their states, and their parts."""\n'
_FIXTURES = '''"""Visitors whose events run through Reflex's event processor."""

from tests.helpers.screen_fixtures import *  # noqa: F403
'''


def add_screen(room: str, name: str, root: Path = _ROOT) -> list[Path]:
    """Write and register a screen of a room below `root`, and return its new files.

    Raises:
        ValueError: if there is no such room, or the name is not made of small letters and
            underscores, or is taken.
    """
    if room not in FEATURES:
        raise ValueError(f"{room!r} is none of the rooms {', '.join(FEATURES)}")
    if not re.fullmatch(r"[a-z]+(_[a-z]+)*", name):
        raise ValueError(f"{name!r} is not made of small letters and single underscores")
    words, state = name.replace("_", " "), f"{name.title().replace('_', '')}State"
    values = {
        "room": room,
        "name": name,
        "state": state,
        "route": f"/{name.replace('_', '-')}",
        "title": words.capitalize(),
        "label": words.upper(),
        "number": f"{_links_in(root) + 1:02}",
    }
    screens = Path("campus_app", room, "screens")
    tests = Path("tests") / screens
    files = {
        root / screens / f"{name}_page.py": _PAGE,
        root / screens / f"{name}_state.py": _STATE,
        root / tests / f"test_{name}_state.py": _TEST,
    }
    if taken := [file for file in files if file.exists()]:
        raise ValueError(f"{taken[0].relative_to(root)} is there already")
    shared = {
        root / screens / "__init__.py": _PACKAGE,
        root / tests / "conftest.py": _FIXTURES,
    }
    for file, template in {**files, **shared}.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            file.write_text(template.format(**values), encoding="utf-8")
    _add_above(
        root / _TABLE, "from campus_app.", f"from campus_app.{room}.screens import {name}_page"
    )
    _add_to_block(root / _TABLE, "PAGES = [", f"    {name}_page.PAGE,")
    link = '    ("{number}/", gettext_noop("{label}"), "{route}"),'
    _add_to_block(root / _BAR, _LINKS, link.format(**values))
    _format(root / _TABLE, *files)
    return list(files)


def _format(*files: Path) -> None:
    """Sort the imports, and format."""
    for command in (["check", "--select=I", "--fix"], ["format"]):
        ruff = [find_ruff_bin(), *command, "--quiet", *map(str, files)]
        subprocess.run(ruff, check=True, cwd=_ROOT)  # noqa: S603 - our own arguments


def _links_in(root: Path) -> int:
    lines = (root / _BAR).read_text(encoding="utf-8").splitlines()
    start = lines.index(_LINKS)
    return lines.index(")", start) - start - 1


def _add_above(file: Path, beginning: str, line: str) -> None:
    """Add a line above the first one with a beginning."""
    lines = file.read_text(encoding="utf-8").splitlines()
    start = next(number for number, each in enumerate(lines) if each.startswith(beginning))
    lines.insert(start, line)
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")


def _add_to_block(file: Path, first: str, line: str) -> None:
    """Add a line to the end of the block of indented lines below its first line."""
    lines = file.read_text(encoding="utf-8").splitlines()
    start = lines.index(first) + 1
    end = next(number for number in range(start, len(lines)) if not lines[number].startswith(" "))
    lines.insert(end, line)
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")


def main() -> None:
    """Add the screen that the command line names, and its texts to the languages' files."""
    try:
        room, name = sys.argv[1:]
        files = add_screen(room, name)
    except ValueError as error:
        sys.exit(f"make new-screen ROOM=ordering NAME=favourites: {error}")
    for file in files:
        print(file.relative_to(_ROOT))
    translations.main([])


if __name__ == "__main__":
    main()
