"""What a page shows in place of its content when rendering it has failed."""

import reflex as rx
from reflex.app import default_error_boundary

from campus_app.shared.rules import routes
from campus_app.shared.translations import t
from kit.reflex.binding import action


def failed_page_boundary(_stateful: bool) -> rx.Component:
    """Return the boundary around every page, which reports an error and shows the failed page.

    A browser's translator or an extension that changes the page can cause one.
    Source: specification 10.73.
    """
    return default_error_boundary(fallback_render=_failed_page())


def _failed_page() -> rx.Component:
    # Both leave the document: its scripts have failed, and the router is one of them.
    return rx.el.main(
        rx.el.title(t("This page has stopped.")),
        rx.el.div(
            rx.el.h1(t("This page has stopped.")),
            rx.el.p(t("A part of it failed. Your cart is kept, and a payment stands.")),
            rx.el.button(t("Open it again"), on_click=action("location.reload()")),
            rx.el.a(
                t("To the restaurants"),
                href=routes.CAMPUS,
                custom_attrs={"reloadDocument": True},
            ),
            role="alert",
        ),
        class_name="failed-page",
    )
