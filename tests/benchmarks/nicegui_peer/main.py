"""A menu of 60 dishes and a cart on the server, written as NiceGUI's own examples are."""

import os
from collections import Counter
from functools import partial

from nicegui import ui

PRICES = [90 + 10 * (number % 12) for number in range(60)]


@ui.page("/")
def menu() -> None:
    """One visitor's menu."""
    cart: Counter[int] = Counter()

    def step(number: int, by: int) -> None:
        cart[number] = max(0, cart[number] + by)
        shown[number].text = str(cart[number])
        subtotal.text = f"Subtotal: {sum(PRICES[each] * cart[each] for each in cart)}"

    ui.label("Menu")
    subtotal = ui.label("Subtotal: 0")
    shown: list[ui.label] = []
    for number, price in enumerate(PRICES):
        ui.label(f"Dish number {number}: {price}")
        with ui.row():
            _button("-", f"Remove one Dish number {number}", partial(step, number, -1))
            shown.append(ui.label("0"))
            _button("+", f"Add one Dish number {number}", partial(step, number, 1))


def _button(sign: str, label: str, on_click: partial[None]) -> None:
    ui.button(sign, on_click=on_click).props(f'aria-label="{label}"')


ui.run(port=int(os.environ["PORT"]), show=False, reload=False, favicon="🍛")
