"""The menu that is open."""

import json
from collections.abc import Mapping
from typing import Any, TypedDict

import reflex as rx
from reflex.vars import VarData

from campus_app.components.browser.binding import of_module, variable

_LIBRARY = rx.asset("js/menu.jsx").importable_path
_ASK_EARLY = """
const id = /^\\/menu\\/([^/]+)\\/?$/.exec(location.pathname)?.[1];
if (id) {
  const path = "/api/menus/" + id;
  const whole = async () => {
    const answer = await fetch(path, { signal: AbortSignal.timeout(10_000) });
    // To its end: the time-out holds for what is not yet read, however late that is.
    return new Response(await answer.arrayBuffer(), { status: answer.status });
  };
  const answer = whole().catch(() => null); // it is asked for again
  window.earlyMenu = { path, answer };
}
"""


class Dish(TypedDict):
    """A dish as `/api/menus/{id}` gives it."""

    id: str
    name: str
    description: str
    price: str
    paise: int
    diet: str


class Section(TypedDict):
    """The dishes under one tab."""

    name: str
    dishes: list[Dish]


class MenuHead(TypedDict):
    """The restaurant whose menu is open."""

    id: str
    name: str
    image: str
    rating: str
    deliveryMinutes: str
    hours: str


def menu_asked_early() -> rx.Component:
    """Lets the menu come while the page is painted: before what will show it is awake."""
    return rx.el.script(f"{{{_ASK_EARLY}}}")


open_menu = of_module(_LIBRARY, "useMenu", hook="const menu = useMenu();")
"""What a page needs that looks at the open menu."""
MENU_ID = "menu.restaurant.id"
menu_status = variable("menu.status", open_menu, str)
menu_message = variable("menu.message", open_menu, str)
"""What the server says of a menu that it can't give."""
menu_failure = variable("menu.failure", open_menu, str)
"""The status of an answer that says nothing, `none` where there was no answer."""
menu_sections = variable("menu.sections", open_menu, list[Section])
menu_section_ids = variable(
    "menu.sections.map((_, index) => sectionId(index))",
    VarData.merge(open_menu, of_module(_LIBRARY, "sectionId")),
    list[str],
)
menu_head = variable("menu.restaurant", open_menu, MenuHead)


def menu_section_names(said: Mapping[str, str]) -> Any:
    """The names of the sections; `said` has other words for some of them."""
    name = f"({json.dumps(said)}[section.name] ?? section.name)" if said else "section.name"
    return variable(f"menu.sections.map((section) => {name})", open_menu, list[str])


def section_id(index: int) -> Any:
    """The element id of a section of the menu."""
    return variable(f"sectionId({index!s})", of_module(_LIBRARY, "sectionId"), str, index)


class Picture(rx.Component):
    """An image that falls back to another."""

    library = _LIBRARY
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
