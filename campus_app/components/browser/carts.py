"""The cart beside the open menu: as its visitor means it, settled by the server's word."""

from typing import Any, TypedDict

import reflex as rx
from reflex.vars import VarData

from campus_app.components.browser.binding import of_module, variable
from campus_app.components.browser.menus import MENU_ID, open_menu

_LIBRARY = rx.asset("js/cart.jsx").importable_path


class SlipLine(TypedDict):
    """A line of the cart beside the menu."""

    id: str
    name: str
    times: str
    total: str


class CartFeed(rx.Component):
    """Takes in the server's word: the cart, the last turn that is in it, the most of one dish.

    Until the page is hydrated there is none, and what the browser has kept is shown.
    """

    library = _LIBRARY
    tag = "CartFeed"
    cart: rx.Var[str]
    turn: rx.Var[int]
    most: rx.Var[int]
    hydrated: rx.Var[bool]


def quantity_of(dish: Any) -> Any:
    """How many of a dish are meant to be in the cart; one dish in each memo that asks."""
    hook = f"const quantity = useQuantity({MENU_ID}, {dish['id']!s});"
    data = VarData.merge(open_menu, of_module(_LIBRARY, "useQuantity", hook=hook))
    return variable("quantity", data, int, dish)


def line_total(dish: Any) -> Any:
    """What the cart holds of a dish, in rupees."""
    quantity, data = quantity_of(dish), of_module(_LIBRARY, "lineTotal")
    return variable(f"lineTotal({quantity!s}, {dish!s})", data, str, quantity, dish)


def step(dish: Any, by: int) -> Any:
    """Take one more of a dish, or one less, in what is shown; its turn goes to the server."""
    data = VarData.merge(open_menu, of_module(_LIBRARY, "step"))
    return variable(f"step({MENU_ID}, {dish['id']!s}, {by})", data, int, dish)


_meant = VarData.merge(
    open_menu, of_module(_LIBRARY, "useMeantCart", hook="const meantCart = useMeantCart();")
)
has_lost_steps = variable(
    "hasLostSteps",
    of_module(_LIBRARY, "useHasLostSteps", hook="const hasLostSteps = useHasLostSteps();"),
    bool,
)
is_cart_awaited = variable(
    "isCartAwaited",
    of_module(_LIBRARY, "useIsAwaited", hook="const isCartAwaited = useIsAwaited();"),
    bool,
)
slip_lines = variable(
    "cartLines(menu, meantCart)",
    VarData.merge(_meant, of_module(_LIBRARY, "cartLines")),
    list[SlipLine],
)
dish_count = variable(
    f"dishCount(meantCart, {MENU_ID})", VarData.merge(_meant, of_module(_LIBRARY, "dishCount")), int
)


def own_figures(cart: str, figures: Any, empty: Any) -> Any:
    """The figures of the server's cart, if it is the cart of the menu that is open."""
    data = VarData.merge(open_menu, of_module(_LIBRARY, "ownFigures"))
    nothing = rx.Var.create(empty)
    expression = f"ownFigures({cart!s}, {MENU_ID}, {figures!s}, {nothing!s})"
    return variable(expression, data, list[float], cart, figures, nothing)


def kept_dish_count(cart: Any) -> Any:
    """How many dishes a cart holds, as the browser keeps it."""
    expression = f"keptDishCount({cart!s})"
    return variable(expression, of_module(_LIBRARY, "keptDishCount"), int, cart)


def rupees(amount: Any) -> Any:
    """An amount of rupees as people in India read it."""
    return variable(f"formatRupees({amount!s})", of_module(_LIBRARY, "formatRupees"), str, amount)
