"""The amount due by UPI: a QR code for another phone, and a link for this one."""

from typing import Any

import reflex as rx

from campus_app.shared.translations import t
from campus_app.shell import choices_react
from campus_app.shell.button import close_button
from kit.reflex.modal import Modal

_DIALOG = "upi_code"


def upi_payment(link: Any, picture: Any, amount: Any) -> rx.Component:
    """Render the QR code `picture` and the link that pay `amount`; they prove no payment.

    A press enlarges the code: on phones it is too small to scan.
    """
    open_code, close = (
        choices_react.choose(_DIALOG, "open"),
        choices_react.choose(_DIALOG, "closed"),
    )
    alt = t("QR code to pay {amount} by UPI", amount=amount)
    return rx.el.div(
        rx.el.button(
            rx.el.img(src=picture, alt=alt),
            type="button",
            aria_haspopup="dialog",
            on_click=open_code,
        ),
        rx.el.div(
            rx.el.a(t("Pay {amount} by UPI", amount=amount), href=link, class_name="button"),
            rx.el.p(
                t(
                    "To the kitchen, when the food is there. We don’t see this payment: show it "
                    "to whoever hands you the food."
                )
            ),
        ),
        Modal.create(
            rx.el.div(
                rx.el.h2(t("{amount} by UPI", amount=amount), id="upi-title"),
                close_button(t("Close"), close),
                class_name="sheet-head",
            ),
            rx.el.img(src=picture, alt=alt),
            open=choices_react.chosen(_DIALOG, "closed") == "open",
            on_dismiss=close,
            class_name="sheet upi-code",
            aria_labelledby="upi-title",
        ),
        class_name="upi",
        data_testid="upi",
    )
