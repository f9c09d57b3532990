"""The contact details that this browser remembers, which reach the server only with an order."""

from typing import Any

import reflex as rx
from reflex.event import no_args_event_spec

from campus_app.shared.rules.constants import MAXIMUM_INPUT_CHARACTERS
from kit.reflex.binding import action, of_module, variable

_STORE = rx.asset("js/campus_app/ordering/remembered.js").importable_path
_LIBRARY = rx.asset("js/campus_app/ordering/remember_details.jsx").importable_path

has_details = variable(
    "details !== null",
    of_module(_STORE, "useDetails", hook="const details = useDetails();"),
    bool,
)
"""Whether this browser remembers details."""
is_forgotten = variable(
    "isForgotten",
    of_module(_STORE, "useIsForgotten", hook="const isForgotten = useIsForgotten();"),
    bool,
)
"""Whether they were forgotten on this page."""
forget = action("forget()", of_module(_STORE, "forget"))


def remembered(name: str, campus: Any) -> Any:
    """Return the text that is remembered for a field of the contact details; empty without one.

    It is not longer than a text that the field accepts.
    """
    data = of_module(_STORE, "remembered", "useDetails", hook="useDetails();")
    return variable(f'remembered("{name}", {campus}, {MAXIMUM_INPUT_CHARACTERS})', data, str)


class RememberBox(rx.Component):
    """The box with which the visitor lets this browser remember the details of a form.

    The form gets a hidden field `isRemembered`: "yes" if it is submitted as it was remembered.
    """

    library = _LIBRARY
    tag = "RememberBox"
    campus: rx.Var[str]


class RememberAccepted(rx.Component):
    """Remembers the details of the last submitted form, if its box was ticked."""

    library = _LIBRARY
    tag = "RememberAccepted"
    accepted: rx.Var[bool]
    """Whether the server has accepted that form."""


class WhileRemembered(rx.Component):
    """Shows its children while the form around it has the remembered details."""

    library = _LIBRARY
    tag = "WhileRemembered"
    campus: rx.Var[str]


class DetailField(rx.Component):
    """A text field that shows and changes one of the remembered details."""

    library = _LIBRARY
    tag = "DetailField"
    name: rx.Var[str]
    campus: rx.Var[str]
    """The campus of an address."""
    kind: rx.Var[str]
    """An input's type, or `area` for several lines."""
    auto_complete: rx.Var[str]
    max_length: rx.Var[int]
    on_changed: rx.EventHandler[no_args_event_spec]
    """When the visitor leaves the field with another text."""
