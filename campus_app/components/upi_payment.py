"""The amount due by UPI: a QR code for another phone, and a link for this one."""

from typing import Any

import reflex as rx

from campus_app.translations import t

_QR_PIXELS = 180


def upi_payment(link: Any, picture: Any, amount: Any) -> rx.Component:
    """Render the QR code `picture` and the link that pay `amount`; they prove no payment."""
    return rx.el.div(
        rx.el.img(
            src=picture,
            alt=t("QR code to pay {amount} by UPI", amount=amount),
            width=_QR_PIXELS,
            height=_QR_PIXELS,
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
        class_name="upi",
        data_testid="upi",
    )
