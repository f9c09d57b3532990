"""The restaurant of the stored cart."""

from typing import Any, NamedTuple

import reflex as rx
from reflex.vars import VarData

from campus_app.shell.clock_react import CLOCK
from kit.reflex.binding import of_module, variable

_LIBRARY = rx.asset("js/campus_app/ordering/cart_kitchen.js").importable_path


class Kitchen(NamedTuple):
    """A restaurant: its name, and when it closes: as text and in ms since 1970 (closed: "", 0)."""

    name: Any
    closes: Any
    closes_ms: Any


def kitchen_of(cart: Any) -> Kitchen:
    """Return the restaurant of the stored text of a cart, once the clock is known."""
    hook = "const kitchens = useKitchens();"
    data = VarData.merge(
        of_module(CLOCK, "useKitchens", hook=hook), of_module(_LIBRARY, "kitchenOf")
    )
    kitchen = f"kitchenOf(kitchens, {cart})"
    return Kitchen(
        name=variable(f"{kitchen}.name", data, str),
        closes=variable(f"{kitchen}.closes", data, str),
        closes_ms=variable(f"{kitchen}.closesMs", data, int),
    )
