"""The connection to the server, and its health."""

from typing import Any

import reflex as rx
from reflex.event import no_args_event_spec

from campus_app.shared.translations import t
from kit.reflex.binding import action, of_module, variable

_LIBRARY = rx.asset("js/campus_app/shell/health.jsx").importable_path

_health = of_module(_LIBRARY, "useHealth", hook="const health = useHealth();")
is_connected = variable("health.isConnected", _health, bool)
are_payments_up = variable("health.arePaymentsUp", _health, bool)
is_problem_shown = variable("health.isShown", _health, bool)
problem_seconds = variable("health.secondsLeft", _health, int)
is_answered = variable("health.isAnswered", _health, bool)
"""Whether the server has responded to this visit of the waiting room."""
is_checked = variable("health.isChecked", _health, bool)
"""Whether the health has been fetched."""
show_problem = action("showProblem()", of_module(_LIBRARY, "showProblem"))


class VisitWatch(rx.Component):
    """Sets `is_answered` at the server's first response to this visit, which changes `mark`."""

    library = _LIBRARY
    tag = "VisitWatch"
    mark: rx.Var[str]
    hydrated: rx.Var[bool]


class ReportProblem(rx.Component):
    """Shows the connection overlay when the server has `failed` to start a payment.

    If the server is healthy after 5 s, `on_retry` pays again; a second error shows the restaurant's
    phone number. The overlay closes when an attempt (`paying`) has ended without an error.
    """

    library = _LIBRARY
    tag = "ReportProblem"
    failed: rx.Var[bool]
    paying: rx.Var[bool]
    on_retry: rx.EventHandler[no_args_event_spec]


class KeepReconnecting(rx.Component):
    """Connects a page to the server every 10 s while it is disconnected.

    For pages at which people wait without touching them: of an unknown payment, a kitchen's board
    and the desk.
    """

    library = rx.asset("js/campus_app/shell/keep_reconnecting.jsx").importable_path
    tag = "KeepReconnecting"


class LogUnhealthyServices(rx.Component):
    """Fetches the services' health once, and writes a failure to the browser's console."""

    library = _LIBRARY
    tag = "LogUnhealthyServices"


class ConnectionBanner(rx.Component):
    """Shows `words` while the connection is lost, or `silent` after 3 s without an answer.

    After a press that needs a connection it shows `refused`. On a page or menu that the service
    worker has stored, it also shows `kept` with its `{time}`.
    """

    library = rx.asset("js/kit/connection.jsx").importable_path
    tag = "ConnectionBanner"
    words: rx.Var[str]
    refused: rx.Var[str]
    silent: rx.Var[str]
    kept: rx.Var[str]


def connection_mark(is_live: Any, class_name: str) -> rx.Component:
    """Render whether a page is live, as the boards and the desk show it."""
    return rx.el.p(
        rx.cond(
            is_live,
            rx.el.span(t("LIVE"), class_name="live"),
            rx.el.span(t("Connecting"), class_name="live connecting"),
        ),
        class_name=class_name,
        role="status",
        data_testid="connection",
    )
