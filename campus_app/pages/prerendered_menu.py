"""The menu in the page that it is asked for with: its dishes are read before a script has come.

The build draws the screen with blanks in place of what a menu holds (`assets/js/menu.jsx`); here
they are filled in. The menu itself goes along, so that the screen wakes up as it is.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, Template

from campus_app import routes, wiring
from campus_app.domain.errors import Conflict, MenuUnavailable
from campus_app.pages.menu import OUR_SECTIONS
from campus_app.translations import language, t
from kit.http.csp import in_script

_BLANKS = Environment(
    autoescape=True,
    variable_start_string="⟦",
    variable_end_string="⟧",
    block_start_string="⟦%",
    block_end_string="%⟧",
    comment_start_string="⟦#",
    comment_end_string="#⟧",
)


class _Repeated(NamedTuple):
    """What is drawn for each of some things.

    The first example is for those of which the first of the `cases` holds, and so on; the one
    behind these is for all others.
    """

    tag: str
    look: str
    each: str
    cases: Sequence[str]
    inside: "_Repeated | None" = None


_TABS = _Repeated("button", "tab", "section in sections", ["loop.first"])
_DISHES = _Repeated(
    "li", "item-card", "dish in section.dishes", ["dish.diet == 'veg'", "dish.diet == 'non_veg'"]
)
_SECTIONS = _Repeated(
    "section",
    "menu-section",
    "section in sections",
    ["section.count > 1"],
    inside=_DISHES,
)


class DrawnMenus:
    """Writes the page of each menu that can be given."""

    def __init__(
        self,
        templates: Path,
        menu: Callable[[str], Mapping[str, Any]],
        first_words: Callable[[], str],
    ) -> None:
        """Prepare.

        `templates` is the folder of what the build has drawn; `menu` returns a restaurant's menu
        as the screen shows it, or raises MenuUnavailable; `first_words` are for the page's head.
        """
        self._templates = templates
        self._menu = menu
        self._first_words = first_words

    def write(self, path: str) -> str | None:
        """Return the page at a path, if it is that of a menu from which can be ordered."""
        restaurant_id = routes.whose_menu(path)
        if restaurant_id is None:
            return None
        try:
            menu = self._menu(restaurant_id)
            wiring.services().ordering.require_open_id(int(menu["restaurant"]["id"]))
        except (MenuUnavailable, Conflict):  # the page that was built says why, or turns away
            return None
        template = routes.MENU_TEMPLATES[menu["restaurant"]["hasTables"]]
        file = self._templates / language() / f"{template.strip('/')}.html"
        page = _template(file, file.stat().st_mtime).render(
            restaurant=menu["restaurant"],
            sections=[{**section, "name": _said(section["name"])} for section in menu["sections"]],
        )
        data = json.dumps(menu, ensure_ascii=False, separators=(",", ":"))
        along = f"<script>window.openMenu={in_script(data)}</script>"
        page = page.replace("</head>", f"{self._first_words()}</head>", 1)
        return page.replace("</body>", f"{along}</body>", 1)


def _said(name: str) -> str:
    """Return a section's name in the language that is spoken: a kitchen's own stays as it is."""
    return t(name) if name in OUR_SECTIONS else name


@lru_cache
def _template(file: Path, _drawn_at: float) -> Template:
    page = file.read_text(encoding="utf-8")
    return _BLANKS.from_string(_looped(_looped(page, _TABS), _SECTIONS))


def _looped(page: str, repeated: _Repeated) -> str:
    """Return a page in which one loop stands for the elements that were drawn as examples.

    Raises:
        RuntimeError: If they are not there one behind the other.
    """
    tag, look, each, cases, inside = repeated
    element = re.compile(rf'<{tag}\b[^>]*\bclass="{look}"[^>]*>.*?</{tag}>', re.DOTALL)
    examples = element.findall(page)
    drawn = "".join(examples)
    if len(examples) <= len(cases) or drawn not in page:
        raise RuntimeError(f"The page of a menu is drawn otherwise than {__name__} knows: {look}")
    if inside:
        examples = [_looped(one, inside) if inside.look in one else one for one in examples]
    *others, last = examples[: len(cases) + 1]
    chosen = "".join(
        f"⟦% {'elif' if number else 'if'} {case} %⟧{example}"
        for number, (case, example) in enumerate(zip(cases, others, strict=True))
    )
    return page.replace(drawn, f"⟦% for {each} %⟧{chosen}⟦% else %⟧{last}⟦% endif %⟧⟦% endfor %⟧")
