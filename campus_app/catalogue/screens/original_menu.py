"""VERIFY OUR PRICES: a dialog with the pictures of a restaurant's printed menu."""

from typing import Any

import reflex as rx

from campus_app.catalogue.screens import menus_react
from campus_app.shared.translations import t
from campus_app.shell import choices_react
from campus_app.shell.button import button, close_button
from campus_app.shell.icon import icon
from kit.reflex.modal import Modal

_DIALOG = "original_menu"
_TITLE_ID = "original-menu-title"


def verify_button() -> rx.Component:
    """Render the button that opens the dialog."""
    return button(
        icon("bill"),
        t("VERIFY OUR PRICES"),
        aria_haspopup="dialog",
        on_click=choices_react.choose(_DIALOG, "open"),
    )


def original_menu_dialog() -> rx.Component:
    """Render the dialog: the pictures, or today's prices for a restaurant without pictures."""
    has_images = menus_react.menu_images.length() > 0
    heading = rx.cond(has_images, t("The original menu"), t("Today's prices"))
    close = choices_react.choose(_DIALOG, "closed")
    return Modal.create(
        rx.el.div(
            rx.el.h2(heading, id=_TITLE_ID),
            close_button(t("Close"), close),
            class_name="sheet-head",
        ),
        rx.cond(has_images, _images(), _todays_prices()),
        open=choices_react.chosen(_DIALOG, "closed") == "open",
        on_dismiss=close,
        class_name="sheet original-menu",
        # By the heading's id, since its text depends on the pictures.
        aria_labelledby=_TITLE_ID,
    )


def _images() -> rx.Component:
    def figure(image: Any, index: Any) -> rx.Component:
        alt = t(
            "The original menu of {restaurant}, picture {number}",
            restaurant=menus_react.menu_head["name"],
            number=index + 1,
        )
        return rx.el.figure(
            rx.el.figcaption(t("Picture taken on {day}", day=image["takenOn"])),
            rx.el.img(src=image["src"], alt=alt),
        )

    return rx.el.div(rx.foreach(menus_react.menu_images, figure), class_name="original-menu-images")


def _todays_prices() -> rx.Component:
    def price(dish: Any) -> rx.Component:
        return rx.el.li(
            rx.el.span(dish["name"]),
            rx.el.span(class_name="leader", aria_hidden="true"),
            rx.el.b(dish["price"]),
        )

    def category(each: Any) -> rx.Component:
        dishes = each["dishes"].to(list[menus_react.Dish])
        return rx.fragment(
            rx.el.h3(each["name"]), rx.el.ul(rx.foreach(dishes, price), class_name="price-list")
        )

    return rx.fragment(
        rx.el.p(
            t("This restaurant has given us no picture of its menu. These are the prices here.")
        ),
        rx.foreach(menus_react.menu_categories, category),
    )
