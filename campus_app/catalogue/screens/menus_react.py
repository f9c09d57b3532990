"""The open menu."""

import json
from collections.abc import Mapping
from typing import Any, TypedDict

import reflex as rx

from campus_app.catalogue.rules.menu import TRENDING
from kit.reflex.binding import of_module, variable

_LIBRARY = rx.asset("js/campus_app/catalogue/menu.jsx").importable_path


class Dish(TypedDict):
    """A dish as `/api/menus/{id}` gives it; the OpenAPI description explains the members."""

    id: str
    testId: str
    name: str
    localName: str
    description: str
    price: str
    paise: int
    diet: str
    spice: str
    facts: str


class Section(TypedDict):
    """The dishes under one tab."""

    id: str
    number: str
    name: str
    count: int
    dishes: list[Dish]


class MenuImage(TypedDict):
    """A picture of the original menu: its address, and its day in the page's language."""

    src: str
    takenOn: str


class MenuHead(TypedDict):
    """The restaurant whose menu is open."""

    id: str
    name: str
    image: str
    rating: str
    deliveryMinutes: str
    hours: str
    hasTables: bool
    menuImages: list[MenuImage]


open_menu = of_module(_LIBRARY, "useMenu", hook="const menu = useMenu();")
"""The import and the hook of a variable that reads the open menu."""
_shown_menu = of_module(_LIBRARY, "useShownMenu", hook="const shownMenu = useShownMenu();")
"""The import and the hook of a variable that reads what the visitor's filter leaves of the menu."""
MENU_ID = "menu.restaurant.id"
"""The JavaScript expression of the restaurant's id; it needs the hook of `open_menu`."""
menu_id = variable(MENU_ID, open_menu, int)
menu_status = variable("menu.status", open_menu, str)
menu_message = variable("menu.message", open_menu, str)
"""The server's message if it cannot return the menu."""
menu_failure = variable("menu.failure", open_menu, str)
"""The HTTP status of an error without a message; `none` if there was no response."""
shown_sections = variable("shownMenu.sections", _shown_menu, list[Section])
"""The sections with the dishes that the visitor's filter leaves."""
shown_section_ids = variable("shownMenu.sections.map(({ id }) => id)", _shown_menu, list[str])
shown_count = variable("shownMenu.count", _shown_menu, int)
hidden_count = variable("shownMenu.hidden", _shown_menu, int)
"""The number of dishes that only 'Veg only' hides."""
is_list = variable("shownMenu.isList", _shown_menu, bool)
"""Whether all shown dishes are in one section: the visitor searches, or orders them by price."""
menu_categories = variable(
    f"menu.sections.filter(({{ name }}) => name !== {json.dumps(TRENDING)})",
    open_menu,
    list[Section],
)
"""The restaurant's own sections, which contain every dish once."""
menu_images = variable("(menu.restaurant.menuImages ?? [])", open_menu, list[MenuImage])
menu_head = variable("menu.restaurant", open_menu, MenuHead)
opens_at = variable('(menu.restaurant.hours ?? "").split("-")[0]', open_menu, str)
"""The time at which the restaurant of the open menu opens, `10:30`."""


def shown_section_names(translations: Mapping[str, str]) -> Any:
    """Return the names of the shown sections, with `translations` for some of them."""
    name = "section.name"
    if translations:
        name = f"({json.dumps(translations)}[{name}] ?? {name})"
    return variable(f"shownMenu.sections.map((section) => {name})", _shown_menu, list[str])


class Picture(rx.Component):
    """A restaurant's picture, decoration beside its name; `fallback` replaces a missing one."""

    library = rx.asset("js/campus_app/catalogue/picture.jsx").importable_path
    tag = "Picture"
    src: rx.Var[str]
    fallback: rx.Var[str] = rx.Var.create("/images/default.svg")
    alt: rx.Var[str] = rx.Var.create("")
    width: rx.Var[str] = rx.Var.create("400")
    height: rx.Var[str] = rx.Var.create("300")
