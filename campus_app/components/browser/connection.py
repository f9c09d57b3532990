"""Whether the server is in reach."""

import reflex as rx
from reflex.vars import VarData

from campus_app.components.browser.binding import action, of_module, variable

_LIBRARY = rx.asset("js/connection.jsx").importable_path

_connection = of_module(_LIBRARY, "useConnection", hook="const connection = useConnection();")
is_connected = variable("connection.isConnected", _connection, bool)
are_payments_up = variable("connection.arePaymentsUp", _connection, bool)
is_problem_shown = variable("connection.isShown", _connection, bool)
problem_seconds = variable("connection.secondsLeft", _connection, int)
is_answered = variable("connection.isAnswered", _connection, bool)
is_checked = variable("connection.isChecked", _connection, bool)
show_problem = action("showProblem()", of_module(_LIBRARY, "showProblem"))
reload_page = action("window.location.reload()", VarData())
print_page = action("window.print()", VarData())


class Visit(rx.Component):
    """Notices that the server has answered this visit, which is when its mark changes."""

    library = _LIBRARY
    tag = "Visit"
    mark: rx.Var[str]
    hydrated: rx.Var[bool]


class ReportProblem(rx.Component):
    """Shows the overlay as soon as it appears."""

    library = _LIBRARY
    tag = "ReportProblem"


class ConnectionBanner(rx.Component):
    """Says that the line is lost, until it is back."""

    library = _LIBRARY
    tag = "ConnectionBanner"
    words: rx.Var[str]


class AskHealth(rx.Component):
    """Asks once how the services are, when it appears; a failure is only logged."""

    library = _LIBRARY
    tag = "AskHealth"
