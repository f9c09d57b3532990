"""The open menu."""

import json
from collections.abc import Mapping
from typing import Any, TypedDict

import reflex as rx

from campus_app.domain.menu import TRENDING
from kit.reflex.binding import of_module, variable

_LIBRARY = rx.asset("js/campus_app/menu.jsx").importable_path


class Dish(TypedDict):
    """A dish as `/api/menus/{id}` gives it."""

    id: str
    testId: str
    name: str
    description: str
    price: str
    paise: int
    diet: str


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
MENU_ID = "menu.restaurant.id"
menu_status = variable("menu.status", open_menu, str)
menu_message = variable("menu.message", open_menu, str)
"""The server's message if it cannot return the menu."""
menu_failure = variable("menu.failure", open_menu, str)
"""The HTTP status of an error without a message; `none` if there was no response."""
menu_sections = variable("menu.sections", open_menu, list[Section])
menu_section_ids = variable("menu.sections.map(({ id }) => id)", open_menu, list[str])
menu_categories = variable(
    f"menu.sections.filter(({{ name }}) => name !== {json.dumps(TRENDING)})",
    open_menu,
    list[Section],
)
"""The restaurant's own sections, which contain every dish once."""
menu_images = variable("(menu.restaurant.menuImages ?? [])", open_menu, list[MenuImage])
menu_head = variable("menu.restaurant", open_menu, MenuHead)


def menu_section_names(translations: Mapping[str, str]) -> Any:
    """Return the names of the sections, with `translations` for some of them."""
    name = "section.name"
    if translations:
        name = f"({json.dumps(translations)}[{name}] ?? {name})"
    return variable(f"menu.sections.map((section) => {name})", open_menu, list[str])


class Picture(rx.Component):
    """A restaurant's picture, decoration beside its name; `fallback` replaces a missing one."""

    library = rx.asset("js/campus_app/picture.jsx").importable_path
    tag = "Picture"
    src: rx.Var[str]
    fallback: rx.Var[str] = rx.Var.create("/images/default.svg")
    alt: rx.Var[str] = rx.Var.create("")
    width: rx.Var[str] = rx.Var.create("400")
    height: rx.Var[str] = rx.Var.create("300")
