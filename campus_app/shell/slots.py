"""Places in screens that other rooms fill, since those know what belongs there."""

from collections.abc import Callable
from typing import Any

import reflex as rx


class Slot:
    """A place in a screen; empty until a room fills it."""

    def __init__(self) -> None:
        self._render: Callable[..., rx.Component] = rx.fragment

    def fill(self, render: Callable[..., rx.Component]) -> None:
        """Show what `render` returns, from now on."""
        self._render = render

    def __call__(self, *arguments: Any) -> rx.Component:
        """Render the content."""
        return self._render(*arguments)


CART_LINK = Slot()
"""The link to the cart, on screens that are no step of an order."""
FOOT_FACTS = Slot()
"""How many kitchens there are, in the footer."""
OFFER_TITLES = Slot()
"""The weekly offers in one line, on the lists of restaurants."""
