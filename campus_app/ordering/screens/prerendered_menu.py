"""Menus as complete HTML pages, readable before any script has loaded.

The build turns the menu screen into a template (`kit/reflex/page_templates.py`). The first request
after a change of a menu's CSV renders its page, which also contains the menu as JSON, so that the
browser hydrates the same screen.
"""

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.catalogue.rules.menu import Menu
from campus_app.catalogue.services.restaurants import find_restaurant
from campus_app.ordering import wiring
from campus_app.ordering.screens.menu_metadata import with_metadata
from campus_app.ordering.screens.menu_page import OUR_SECTIONS
from campus_app.shared.rules import routes
from campus_app.shared.rules.errors import Conflict
from campus_app.shared.translations import t
from kit.http.csp import escape_script_json
from kit.reflex.page_templates import template_environment
from kit.translations import language

logger = logging.getLogger(__name__)

_HEAD_END = "</head>"
_BODY_END = "</body>"
_CLOSED_STYLE = "<style>:root{--first-stepper:hidden}</style>"
"""Hides the buttons that add dishes until the browser knows whether the kitchen is open.

`assets/css/screens.css` reads it in a menu of the class `unknown`.
"""


class _Rendered(NamedTuple):
    menu: Menu
    offers: int
    """The number of the offers' version: the metadata lists them, so a new one needs a new page."""
    built_at: float
    head: str
    rest: str
    """The page from `</head>` on; empty if the template could not be rendered."""


class PrerenderedMenus:
    """The pages of all menus, rendered once for each version of a menu and language."""

    def __init__(
        self,
        templates: Path,
        menu_data: Callable[[str], Mapping[str, Any]],
        initial_data: Callable[[], str],
        origin: str,
    ) -> None:
        """Use the folder of `templates` that the build has written.

        `menu_data` returns the menu of a restaurant's id, as `/api/menus/{id}` does; `initial_data`
        returns the HTML that each response has in its head. `origin` is the site's.
        """
        self._folder = templates
        self._templates = template_environment(templates)
        self._menu_data = menu_data
        self._initial_data = initial_data
        self._origin = origin
        self._pages: dict[tuple[int, str], _Rendered] = {}

    def page(self, path: str) -> str | None:
        """Return the page at a path, or None.

        It is None if the path is not a menu's, or the template can't be rendered. The caller then
        serves the built page, which fetches the menu.
        """
        restaurant_id = routes.restaurant_id_in(path)
        if restaurant_id is None:
            return None
        services = wiring.services()
        try:
            menu = services.catalogue.menu(restaurant_id)
        except MenuUnavailable:
            return None
        rendered = self._rendered(restaurant_id, menu)
        data = self._initial_data() + self._closed_style(restaurant_id)
        return f"{rendered.head}{data}{rendered.rest}" if rendered.rest else None

    @staticmethod
    def _closed_style(restaurant_id: int) -> str:
        """Return the style that hides the buttons of a closed menu until hydration."""
        try:
            wiring.services().ordering.require_open_id(restaurant_id)
        except Conflict:
            return _CLOSED_STYLE
        return ""

    def _rendered(self, restaurant_id: int, menu: Menu) -> _Rendered:
        key = (restaurant_id, language())
        known, version = self._pages.get(key), (wiring.services().offers.number, self._built_at())
        if known is None or known.menu is not menu or (known.offers, known.built_at) != version:
            known = self._pages[key] = _Rendered(menu, *version, *self._render(restaurant_id, menu))
        return known

    def _built_at(self) -> float:
        """Return when the newest template was written; a build replaces files, not their folder."""
        files = (f"{language()}{address}.html" for address in routes.MENU_TEMPLATES)
        try:
            return max(self._folder.joinpath(file).stat().st_mtime for file in files)
        except OSError:
            return 0.0

    def _render(self, restaurant_id: int, menu: Menu) -> tuple[str, str]:
        catalogue = wiring.services().catalogue
        try:
            data = self._menu_data(str(restaurant_id))
            address = routes.MENU_TEMPLATES[data["restaurant"]["hasTables"]]
            template = self._templates.get_template(f"{language()}{address}.html")
            sections = [{**each, "name": _section_name(each["name"])} for each in data["sections"]]
            page = template.render(restaurant=data["restaurant"], sections=sections)
            page = with_metadata(
                page, find_restaurant(catalogue, restaurant_id), menu, self._origin
            )
        except Exception:
            logger.exception(
                "menu %s can't be prerendered: the built page fetches it instead", restaurant_id
            )
            return "", ""
        menu_json = escape_script_json(json.dumps(data, ensure_ascii=False, separators=(",", ":")))
        script = f"<script>window.openMenu={menu_json}</script>"
        head, head_end, rest = page.replace(_BODY_END, f"{script}{_BODY_END}", 1).partition(
            _HEAD_END
        )
        return head, f"{head_end}{rest}"


def _section_name(name: str) -> str:
    """Return a section's name, translated if it is one of ours."""
    return t(name) if name in OUR_SECTIONS else name
