"""A menu of 60 dishes and a cart, in the style of Reflex's own examples."""

from dataclasses import dataclass

import reflex as rx


@dataclass
class Dish:
    """A dish of the constant menu."""

    id: str
    name: str
    description: str
    price: int


MENU = [
    Dish(
        id=f"m{number:02d}",
        name=f"Dish number {number}",
        description="Rice, beans, greens and a house sauce with lime",
        price=90 + 10 * (number % 12),
    )
    for number in range(60)
]
PRICES = {dish.id: dish.price for dish in MENU}


class CartState(rx.State):
    """The quantity of each dish."""

    cart: dict[str, int] = {}

    @rx.var
    def subtotal(self) -> int:
        return sum(PRICES[id_] * quantity for id_, quantity in self.cart.items())

    @rx.event
    def add_dish(self, dish_id: str):
        self.cart[dish_id] = self.cart.get(dish_id, 0) + 1

    @rx.event
    def remove_dish(self, dish_id: str):
        if self.cart.get(dish_id, 0) <= 1:
            self.cart.pop(dish_id, None)
        else:
            self.cart[dish_id] -= 1


def button(sign: str, label: str, on_click) -> rx.Component:
    return rx.el.button(
        sign, on_click=on_click, aria_label=label, class_name="w-11 h-11 border rounded"
    )


def row(dish: Dish) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.span(dish.name, class_name="font-semibold"),
            rx.el.p(dish.description, class_name="text-sm text-gray-700"),
            rx.el.span(dish.price),
        ),
        rx.el.div(
            button("-", f"Remove one {dish.name}", CartState.remove_dish(dish.id)),
            rx.el.output(CartState.cart[dish.id], class_name="w-8 text-center"),
            button("+", f"Add one {dish.name}", CartState.add_dish(dish.id)),
            class_name="flex items-center gap-2",
        ),
        class_name="flex justify-between p-3 border-b",
    )


def menu_page() -> rx.Component:
    return rx.el.main(
        rx.el.h1("Menu", class_name="text-3xl font-bold"),
        rx.el.p("Subtotal: ", rx.el.span(CartState.subtotal)),
        rx.el.ul(rx.foreach(rx.Var.create(MENU).to(list[Dish]), row)),
        class_name="container mx-auto p-4",
    )


# Without an icon, browsers would request one and get a page.
app = rx.App(head_components=[rx.el.link(rel="icon", href="data:,")])
app.add_page(menu_page, route="/menu", title="Menu")
