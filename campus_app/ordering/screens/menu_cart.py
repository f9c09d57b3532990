"""The cart beside the menu, and the dialog that starts a new one."""

from typing import Any

import reflex as rx

from campus_app.catalogue.screens import menus_react, statuses_react
from campus_app.catalogue.screens.restaurant_card import why_closed
from campus_app.ordering.rules.offers import OFFERS, PRE_RESERVATION_DISCOUNT
from campus_app.ordering.screens import cart_react
from campus_app.ordering.screens.bill_slip import slip_lines, sum_line
from campus_app.ordering.screens.cart_link import other_cart_link
from campus_app.ordering.screens.cart_state import NO_TOTALS, CartState
from campus_app.ordering.screens.new_cart_dialog import new_cart_dialog
from campus_app.shared.rules.constants import MINIMUM_ORDER, MINIMUM_PRE_RESERVED_ORDER
from campus_app.shared.rules.messages import OrderMessage
from campus_app.shared.rules.money import format_rupees
from campus_app.shared.translations import t
from campus_app.shell import focus_react
from campus_app.shell.button import button
from campus_app.shell.icon import icon
from campus_app.shell.layout import numbered_label
from campus_app.shell.sentence import sentence, translated

_DISCOUNTS = (*(offer.title for offer in OFFERS), PRE_RESERVATION_DISCOUNT)
_MINIMUM = format_rupees(MINIMUM_ORDER)
_RESERVED_MINIMUM = format_rupees(MINIMUM_PRE_RESERVED_ORDER)
_PROCEED = "proceed"


def cart_slip() -> rx.Component:
    """Render the cart: its number of dishes, their lines, and the sums of `cart_bar`."""
    count = cart_react.dish_count
    title = rx.match(
        count,
        (0, t("Nothing yet")),
        (1, t("1 dish")),
        t("{count} dishes", count=count),
    )
    return rx.el.aside(
        rx.el.div(numbered_label("00", t("YOUR CART")), rx.el.h2(title), class_name="cart-head"),
        slip_lines(cart_react.cart_lines(t("sold out")), "cart-lines"),
        cart_bar(),
        cart_react.StepAnnouncement.create(words=t("{dish}: {quantity} in your cart")),
        class_name=rx.cond(cart_react.is_cart_pending, "cart awaited", "cart"),
        aria_label=t("Your cart"),
    )


def cart_bar() -> rx.Component:
    """Render the sums of the cart, the shortfall to the minimum, and the button to proceed."""
    is_reserved = CartState.is_reserved
    totals = cart_react.totals_here(CartState.cart, CartState.totals, NO_TOTALS)
    subtotal, discount, total, shortfall = (totals[index] for index in range(4))
    minimum = rx.cond(is_reserved, _RESERVED_MINIMUM, _MINIMUM)
    return rx.el.div(
        rx.el.progress(
            class_name="cart-minimum",
            max=rx.cond(is_reserved, int(MINIMUM_PRE_RESERVED_ORDER), int(MINIMUM_ORDER)),
            value=total,
            aria_label=t("Towards the {minimum} minimum", minimum=minimum),
        ),
        rx.el.dl(
            sum_line(t("Subtotal"), cart_react.sum_text(subtotal), test_id="subtotal"),
            sum_line(
                t("Discount"),
                cart_react.sum_text(discount),
                test_id="discount",
                look=rx.cond(discount > 0, "minus", ""),
            ),
            sum_line(t("Total"), cart_react.sum_text(total), test_id="total"),
            class_name="cart-sums",
        ),
        rx.cond(
            (CartState.offer != "") & (discount > 0),
            rx.el.p(translated(CartState.offer, _DISCOUNTS), class_name="offer-line"),
        ),
        rx.el.p(
            cart_react.new_prices(t("New prices: {dishes}."), t("{dish} {now} (was {before})")),
            class_name="offer-line",
            role="status",
        ),
        other_cart_link(
            otherwise=rx.fragment(
                rx.cond(
                    statuses_react.is_menu_closed, closed_line(), shortfall_line(shortfall, minimum)
                ),
                button(
                    t("PROCEED TO CART"),
                    icon("arrow"),
                    look="primary wide asks",
                    id=_PROCEED,
                    disabled=statuses_react.is_menu_closed | (shortfall > 0),
                    on_click=CartState.proceed,
                ),
            )
        ),
        class_name=rx.cond(cart_react.dish_count > 0, "cart-bar", "cart-bar empty"),
    )


def closed_line() -> rx.Component:
    """Render beside the button that the kitchen takes no orders; without a cart only when or why.

    The banner above the menu is out of view when the menu is scrolled. Screen readers announce the
    banner alone, so that they say it once.
    """
    id_ = menus_react.menu_head["id"]
    back_at = statuses_react.back_at(id_)
    paused = rx.fragment(t("Paused, back at {time}.", time=back_at), _cart_kept())
    why = why_closed(id_, menus_react.opens_at)
    not_paused = rx.cond(cart_react.dish_count > 0, closed_words(), why)
    return rx.el.p(
        rx.cond(back_at != "", paused, not_paused),
        class_name="shortfall",
        data_testid="cart-closed",
    )


def closed_words() -> rx.Component:
    """Render that the kitchen of the open menu takes no orders, and when or why."""
    return rx.fragment(
        t("This kitchen takes no orders now."),
        _cart_kept(),
        " ",
        why_closed(menus_react.menu_head["id"], menus_react.opens_at),
    )


def _cart_kept() -> Any:
    return rx.cond(cart_react.dish_count > 0, " " + t(OrderMessage.CART_KEPT), "")


def shortfall_line(shortfall: Any, minimum: Any) -> rx.Component:
    """Render what is missing to the minimum order with a dish that closes the gap, or 'reached'."""
    is_short, missing = shortfall > 0, cart_react.sum_text(shortfall)
    words = rx.cond(
        CartState.is_reserved,
        rx.fragment(
            t("Add {missing} more.", missing=missing),
            # Hidden on phones: the banner of the table states it, too.
            rx.el.span(
                " ",
                t(
                    "Pre-reserved orders start at {minimum} after the discount.",
                    minimum=_RESERVED_MINIMUM,
                ),
                class_name="rule",
            ),
        ),
        t("Add {missing} more to reach the {minimum} minimum.", missing=missing, minimum=_MINIMUM),
    )
    dish = cart_react.closing_dish(CartState.cart, shortfall)
    return rx.el.div(
        rx.el.p(
            rx.cond(is_short, words, t("Minimum {minimum} reached.", minimum=minimum)),
            class_name=rx.cond(is_short, "shortfall", "shortfall met"),
            role="status",
            data_testid="shortfall",
        ),
        rx.cond(dish, closing_offer(dish=dish)),
        class_name=rx.cond(is_short, "to-minimum", "contents"),
    )


@rx.memo
def closing_offer(dish: rx.Var[menus_react.Dish]) -> rx.Component:
    """Render the button that adds the dish that closes the gap. Source: specification 10.61."""
    shown: Any = dish
    add = CartState.add_dish(menus_react.menu_id, shown["id"], cart_react.step(shown, 1))
    is_added = cart_react.quantity_of(shown) > 0
    return focus_react.FocusNext.create(
        button(
            rx.cond(is_added, icon("tick"), icon("plus")),
            rx.el.span(shown["name"]),
            rx.el.b(shown["price"], class_name="figure"),
            look="closing-dish",
            aria_label=t("Add {dish} {price}", dish=shown["name"], price=shown["price"]),
            # The button stays until the server has answered: a second tap adds no second one.
            on_click=rx.cond(is_added, rx.noop(), add),
            data_testid="closing-dish",
        ),
        target=_PROCEED,
    )


def other_restaurant_dialog() -> rx.Component:
    """Render the dialog for a dish of another restaurant than the cart's."""
    state = CartState
    return new_cart_dialog(
        sentence(
            "One order comes from one kitchen. "
            "A new cart empties the one with your dishes of {restaurant}.",
            restaurant=rx.el.b(state.other_restaurant),
        ),
        is_open=state.asked_dish != "",
        on_start=state.start_new_cart,
        on_keep=state.keep_cart,
    )
