"""The menu that is open."""

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
"""What a Var needs that reads the open menu."""
MENU_ID = "menu.restaurant.id"
menu_status = variable("menu.status", open_menu, str)
menu_message = variable("menu.message", open_menu, str)
"""The server's message where it has no such menu."""
menu_failure = variable("menu.failure", open_menu, str)
"""The status of a response without a message, `none` without a response."""
menu_sections = variable("menu.sections", open_menu, list[Section])
menu_section_ids = variable("menu.sections.map(({ id }) => id)", open_menu, list[str])
menu_categories = variable(
    f"menu.sections.filter(({{ name }}) => name !== {json.dumps(TRENDING)})",
    open_menu,
    list[Section],
)
"""The kitchen's own sections, in which every dish stands."""
menu_images = variable("(menu.restaurant.menuImages ?? [])", open_menu, list[MenuImage])
menu_head = variable("menu.restaurant", open_menu, MenuHead)


def menu_section_names(translations: Mapping[str, str]) -> Any:
    """Return the names of the sections; `translations` has other words for some of them."""
    name = "section.name"
    if translations:
        name = f"({json.dumps(translations)}[{name}] ?? {name})"
    return variable(f"menu.sections.map((section) => {name})", open_menu, list[str])


class Picture(rx.Component):
    """An image that falls back to another."""

    library = rx.asset("js/campus_app/picture.jsx").importable_path
    tag = "Picture"
    src: rx.Var[str]
    fallback: rx.Var[str]
    alt: rx.Var[str]
    width: rx.Var[str]
    height: rx.Var[str]
    loading: rx.Var[str]


def picture(src: str, **props: Any) -> rx.Component:
    """A restaurant's picture; decoration beside its name."""
    return Picture.create(
        src=src, fallback="/images/default.svg", alt="", width="400", height="300", **props
    )
