"""The menu that is open, and the cart beside it."""

from typing import Any, TypedDict

import reflex as rx
from reflex.vars import VarData

from campus_app.components.browser.binding import of_module, variable

_LIBRARY = rx.asset("js/menu.jsx").importable_path


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


class SlipLine(TypedDict):
    """A line of the cart beside the menu."""

    id: str
    name: str
    times: str
    total: str


_menu = of_module(_LIBRARY, "useMenu", hook="const menu = useMenu();")
menu_status = variable("menu.status", _menu, str)
menu_message = variable("menu.message", _menu, str)
menu_sections = variable("menu.sections", _menu, list[Section])
menu_section_names = variable("menu.sections.map((section) => section.name)", _menu, list[str])
menu_section_ids = variable(
    "menu.sections.map((_, index) => sectionId(index))",
    VarData.merge(_menu, of_module(_LIBRARY, "sectionId")),
    list[str],
)
menu_head = variable("menu.restaurant", _menu, MenuHead)
_menu_id = "menu.restaurant.id"


def section_id(index: int) -> Any:
    """The element id of a section of the menu."""
    return variable(f"sectionId({index!s})", of_module(_LIBRARY, "sectionId"), str, index)


def quantity_of(cart: str, dish_id: str) -> Any:
    """How many of a dish are in the cart."""
    data = VarData.merge(_menu, of_module(_LIBRARY, "quantityOf"))
    return variable(f"quantityOf({cart!s}, {_menu_id}, {dish_id!s})", data, int, cart, dish_id)


def line_total(cart: str, dish: Any) -> Any:
    """What the cart holds of a dish, in rupees."""
    data = VarData.merge(_menu, of_module(_LIBRARY, "lineTotal"))
    return variable(f"lineTotal({cart!s}, {_menu_id}, {dish!s})", data, str, cart, dish)


def slip_lines(cart: str) -> Any:
    """The lines of the cart that belong to the menu that is open."""
    data = VarData.merge(_menu, of_module(_LIBRARY, "cartLines"))
    return variable(f"cartLines(menu, {cart!s})", data, list[SlipLine], cart)


def dish_count(cart: str) -> Any:
    """How many units of the menu that is open are in the cart."""
    data = VarData.merge(_menu, of_module(_LIBRARY, "dishCount"))
    return variable(f"dishCount({cart!s}, {_menu_id})", data, int, cart)


def own_figures(cart: str, figures: Any, empty: Any) -> Any:
    """The cart's figures, if it is the cart of the menu that is open."""
    data = VarData.merge(_menu, of_module(_LIBRARY, "ownFigures"))
    nothing = rx.Var.create(empty)
    expression = f"ownFigures({cart!s}, {_menu_id}, {figures!s}, {nothing!s})"
    return variable(expression, data, list[str], cart, figures, nothing)


def amount_in(text: str) -> Any:
    """The number of rupees that a text shows."""
    return variable(f"amountIn({text!s})", of_module(_LIBRARY, "amountIn"), float, text)


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
