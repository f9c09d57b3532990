"""What a page shows in place of its content when rendering it has failed."""

from typing import Final

import reflex as rx
from reflex.app import default_error_boundary

from campus_app.shared.rules import routes
from campus_app.shared.translations import t
from campus_app.shell.page_react import PageReady, reload_page

_REOPENING_MS: Final = 5_000


class _ReopenFailedPage(rx.Component):
    """Opens the page again on Back, and at an `unattended` address by itself after `ms`."""

    library = rx.asset("js/campus_app/shell/failed_page.jsx").importable_path
    tag = "ReopenFailedPage"
    unattended: rx.Var[str]
    ms: rx.Var[int]


def failed_page_boundary(_stateful: bool) -> rx.Component:
    """Return the boundary around every page, which reports an error and shows the failed page.

    A browser's translator or an extension that changes the page can cause such an error.
    Source: specification 10.73.
    """
    return default_error_boundary(fallback_render=_failed_page())


def _failed_page() -> rx.Component:
    stopped = t("This page has stopped.")
    return rx.el.main(
        rx.el.title(stopped),
        rx.el.div(
            rx.el.h1(stopped),
            rx.el.p(t("A part of it failed. Nothing that you have sent is lost.")),
            rx.el.button(t("Open it again"), on_click=reload_page),
            rx.el.p(t("If it stops again, turn off the translation of this page.")),
            role="alert",
        ),
        PageReady.create(hydrated=False),  # until then event_replay.js holds back all presses
        _ReopenFailedPage.create(unattended=routes.KITCHEN, ms=_REOPENING_MS),
        class_name="failed-page",
    )
