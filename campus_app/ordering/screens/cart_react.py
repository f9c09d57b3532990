"""The cart beside the open menu, with steps that the server has not confirmed yet."""

import json
from typing import Any, TypedDict

import reflex as rx
from reflex.vars import VarData

from campus_app.catalogue.screens.menus_react import MENU_ID, Dish, open_menu
from campus_app.catalogue.screens.statuses_react import all_statuses
from kit.reflex.binding import of_module, variable

_LIBRARY = rx.asset("js/campus_app/ordering/cart.jsx").importable_path
_STORE = rx.asset("js/campus_app/ordering/cart_store.js").importable_path


class CartLineView(TypedDict):
    """A line of the cart beside the menu; `times` is its quantity as `2×`, `total` its amount."""

    id: str
    name: str
    times: str
    total: str


class ConfirmedCart(rx.Component):
    """Passes the server's cart to the browser, which shows the stored cart until `hydrated`."""

    library = _LIBRARY
    tag = "ConfirmedCart"
    cart: rx.Var[str]
    sequence: rx.Var[str]
    """The number of the last step that the server has processed; empty before the first one."""
    most: rx.Var[int]
    """The maximum quantity of one dish."""
    most_dishes: rx.Var[int]
    """The maximum number of different dishes."""
    hydrated: rx.Var[bool]


class StepAnnouncement(rx.Component):
    """Announces the last step to screen readers, in `words` with `{dish}` and `{quantity}`."""

    library = rx.asset("js/campus_app/ordering/step_announcement.jsx").importable_path
    tag = "StepAnnouncement"
    words: rx.Var[str]


class ShareLink(rx.Component):
    """A button that shares a `path` of this site; `copied` is shown if it was copied.

    `look` are its style classes, by default those of a text button.
    """

    library = rx.asset("js/campus_app/ordering/share_link.jsx").importable_path
    tag = "ShareLink"
    path: rx.Var[str]
    copied: rx.Var[str]
    look: rx.Var[str]


def shared_cart_path(cart: Any) -> Any:
    """Return the path of the link that brings the dishes of a cart's stored text."""
    library = rx.asset("js/campus_app/ordering/share_link.jsx").importable_path
    return variable(f"cartPath({cart})", of_module(library, "cartPath"), str)


def quantity_of(dish: Any) -> Any:
    """Return the quantity of a dish; its hook allows one dish per `rx.memo` component."""
    hook = f"const quantity = useQuantity({MENU_ID}, {dish['id']!s});"
    data = VarData.merge(open_menu, of_module(_LIBRARY, "useQuantity", hook=hook))
    return variable("quantity", data, int)


def line_total(dish: Any, quantity: Any) -> Any:
    """Return the formatted amount of so many units of a dish; an empty text for none."""
    data = of_module(_LIBRARY, "lineTotal")
    return variable(f"lineTotal({quantity}, {dish})", data, str)


def step(dish: Any, by: int) -> Any:
    """Return the step's sequence number; evaluating it changes the shown quantity by `by`."""
    data = VarData.merge(open_menu, of_module(_STORE, "step"))
    return variable(f"step({MENU_ID}, {dish['id']}, {by})", data, int)


def _from_hook(name: str, hook: str, of: Any) -> Any:
    return variable(name, of_module(_LIBRARY, hook, hook=f"const {name} = {hook}();"), of)


is_cart_pending = _from_hook("isCartPending", "useIsPending", bool)
_cart = VarData.merge(
    open_menu, of_module(_STORE, "useCart", hook="const optimisticCart = useCart();")
)


def cart_lines(sold_out: str) -> Any:
    """Return the lines of the cart; `sold_out` is added to the names of sold-out dishes."""
    return variable(
        f"cartLines(menu, optimisticCart, statuses, {json.dumps(sold_out)})",
        VarData.merge(_cart, all_statuses, of_module(_LIBRARY, "cartLines")),
        list[CartLineView],
    )


dish_count = variable(
    f"dishCount(optimisticCart, {MENU_ID})",
    VarData.merge(_cart, of_module(_LIBRARY, "dishCount")),
    int,
)


def sum_text(amount: Any) -> Any:
    """Return a sum of the open menu's cart, formatted; `₹…` while no server can say it."""
    data = VarData.merge(_cart, of_module(_LIBRARY, "sumText"))
    return variable(f"sumText({amount}, optimisticCart, {MENU_ID})", data, str)


def new_prices(words: str, each: str) -> Any:
    """Return which dishes of the cart have other prices than when the menu was opened.

    Args:
        words: The sentence, with the place `{dishes}`; the result is empty if no price differs.
        each: A dish in it, with the places `{dish}`, `{now}` and `{before}`.
    """
    library = rx.asset("js/campus_app/ordering/new_prices.js").importable_path
    data = VarData.merge(_cart, of_module(library, "newPricesText"))
    texts = f"{json.dumps(words)}, {json.dumps(each)}"
    return variable(f"newPricesText(optimisticCart, menu, {texts})", data, str)


def totals_here(cart: str, totals: Any, empty: Any) -> Any:
    """Return `totals`; `empty` if the stored text `cart` is of another menu than the open one."""
    data = VarData.merge(open_menu, of_module(_LIBRARY, "totalsHere"))
    expression = f"totalsHere({cart}, {MENU_ID}, {totals}, {rx.Var.create(empty)})"
    return variable(expression, data, list[float])


def closing_dish(cart: Any, shortfall: Any) -> Any:
    """Return the cheapest dish of the open menu that alone makes up for a shortfall, or null.

    Args:
        cart: the stored text of the cart that the server has confirmed.
        shortfall: what it lacks to the minimum order, in rupees.
    """
    hook = "const isVegOnly = useIsVegOnly();"
    data = of_module(_LIBRARY, "offeredDish", "useIsVegOnly", hook=hook)
    expression = f"offeredDish(menu, {cart}, statuses, isVegOnly, {shortfall})"
    return variable(expression, VarData.merge(open_menu, all_statuses, data), Dish)


def is_elsewhere(cart: Any) -> Any:
    """Return whether the stored text of a cart is of another restaurant than the open menu's."""
    data = VarData.merge(open_menu, of_module(_LIBRARY, "isElsewhere"))
    return variable(f"isElsewhere({cart}, {MENU_ID})", data, bool)


def stored_dish_count(cart: Any) -> Any:
    """Return the number of dishes in the stored text of a cart."""
    return variable(f"storedDishCount({cart})", of_module(_LIBRARY, "storedDishCount"), int)


def rupees(amount: Any) -> Any:
    """Return an amount of rupees, formatted for India."""
    return variable(f"formatRupees({amount})", of_module(_LIBRARY, "formatRupees"), str)
