"""The last step of a screen: the button NEXT, and on phones what it leads to paying."""

from typing import Any

import reflex as rx

from campus_app.shared.translations import t


def pay_bar(online: Any, next_button: rx.Component) -> rx.Component:
    """Render NEXT below the slip; on phones in a bar at the lower edge, with the online amount.

    The amount is hidden on wide screens, where the slip beside the form has it in view. The parent
    is an `aside` in an element of the class `with-pay-bar`. Source: specification 10.59.
    """
    return rx.el.div(
        rx.el.p(rx.el.span(t("To pay now")), " ", rx.el.b(online, data_testid="pay-bar-amount")),
        next_button,
        class_name="pay-bar",
    )
