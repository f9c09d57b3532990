"""Adds a screen: `make new-screen NAME=favourites`.

Writes its page, its state and the state's test, and registers the page in the route table and in
the navigation bar. Adds its texts to the translations, and prints the files to translate.
"""

import re
import sys
from pathlib import Path

from tools import translations

_ROOT = Path(__file__).parents[1]
_TABLE = "campus_app/campus_app.py"
_BAR = "campus_app/shell/layout.py"
_LINKS = "_LINKS = ("
_PAGE = '''"""{route}: the entries of {title}."""

import reflex as rx

from campus_app.shell.layout import screen, screen_head
from campus_app.shell.banner import banner
from campus_app.ordering.screens.cart_link import cart_link
from campus_app.states.{name} import {state}
from campus_app.shared.translations import t
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
        cart=cart_link(),
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

from campus_app.states.{name} import {state}

pytestmark = pytest.mark.anyio


async def test_{name}_are_empty_when_screen_opens(tab):
    await tab.visit("{route}")
    assert tab.get({state}.entries) == []
'''


def add_screen(name: str, root: Path = _ROOT) -> list[Path]:
    """Write and register a screen below `root`, and return its new files.

    Raises:
        ValueError: if the name is not made of small letters and underscores, or is taken.
    """
    if not re.fullmatch(r"[a-z]+(_[a-z]+)*", name):
        raise ValueError(f"{name!r} is not made of small letters and single underscores")
    words, state = name.replace("_", " "), f"{name.title().replace('_', '')}State"
    values = {
        "name": name,
        "state": state,
        "route": f"/{name.replace('_', '-')}",
        "title": words.capitalize(),
        "label": words.upper(),
        "number": f"{_links_in(root) + 1:02}",
    }
    files = {
        root / "campus_app" / "pages" / f"{name}.py": _PAGE,
        root / "campus_app" / "states" / f"{name}.py": _STATE,
        root / "tests" / "campus_app" / "states" / f"test_{name}.py": _TEST,
    }
    if taken := [file for file in files if file.exists()]:
        raise ValueError(f"{taken[0].relative_to(root)} is there already")
    for file, template in files.items():
        file.write_text(template.format(**values), encoding="utf-8")
    _add_to_block(root / _TABLE, "from campus_app.pages import (", f"    {name},", is_sorted=True)
    _add_to_block(root / _TABLE, "PAGES = [", f"    {name}.PAGE,")
    link = '    ("{number}/", gettext_noop("{label}"), "{route}"),'
    _add_to_block(root / _BAR, _LINKS, link.format(**values))
    return list(files)


def _links_in(root: Path) -> int:
    lines = (root / _BAR).read_text(encoding="utf-8").splitlines()
    start = lines.index(_LINKS)
    return lines.index(")", start) - start - 1


def _add_to_block(file: Path, first: str, line: str, *, is_sorted: bool = False) -> None:
    """Add a line to the block of indented lines below its first line."""
    lines = file.read_text(encoding="utf-8").splitlines()
    start = lines.index(first) + 1
    end = next(number for number in range(start, len(lines)) if not lines[number].startswith(" "))
    block = [*lines[start:end], line]
    lines[start:end] = sorted(block) if is_sorted else block
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")


def main() -> None:
    """Add the screen that the command line names, and its texts to the languages' files."""
    try:
        (name,) = sys.argv[1:]
        files = add_screen(name)
    except ValueError as error:
        sys.exit(f"make new-screen NAME=favourites: {error}")
    for file in files:
        print(file.relative_to(_ROOT))
    translations.main([])


if __name__ == "__main__":
    main()
