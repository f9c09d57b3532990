"""A menu of 60 dishes and a cart for each visitor, in the style of NiceGUI's own examples."""

import os

from nicegui import ui

MENU = [
    (
        f"Dish number {number}",
        "Rice, beans, greens and a house sauce with lime",
        90 + 10 * (number % 12),
    )
    for number in range(60)
]


@ui.page("/")
def menu() -> None:
    cart: dict[str, int] = {}

    def step(dish: str, by: int) -> None:
        cart[dish] = max(0, cart.get(dish, 0) + by)
        quantities[dish].set_text(str(cart[dish]))
        subtotal.set_text(str(sum(price * cart.get(name, 0) for name, _, price in MENU)))

    ui.label("Menu").classes("text-3xl")
    with ui.row():
        ui.label("Subtotal:")
        subtotal = ui.label("0").classes("subtotal")
    quantities: dict[str, ui.label] = {}
    for name, description, price in MENU:
        with ui.row().classes("w-full justify-between border-b p-2"):
            with ui.column():
                ui.label(name).classes("font-semibold")
                ui.label(description)
                ui.label(str(price))
            with ui.row():
                ui.button("-", on_click=lambda name=name: step(name, -1))
                quantities[name] = ui.label("0")
                ui.button("+", on_click=lambda name=name: step(name, 1)).classes("add")


ui.run(host="127.0.0.1", port=int(os.environ["PORT"]), reload=False, show=False, title="Menu")
