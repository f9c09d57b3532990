"""Form controls that keep a draft in the browser."""

import reflex as rx
from reflex.event import input_event


class DraftField(rx.Component):
    """A form control that a value from the server never overwrites while the visitor uses it.

    The tab stores the text under `typed_{name}`, one for each `subject`. After a reload the field
    shows it again, and triggers `on_blur` if the server's value differs. A checkbox triggers it
    when it is changed.
    """

    library = rx.asset("js/campus_app/shell/draft_field.jsx").importable_path
    tag = "DraftField"
    kind: rx.Var[str]
    """An input's type, or `area` for several lines; the text of a ticked `checkbox` is "yes"."""
    name: rx.Var[str]
    subject: rx.Var[str]
    blank: rx.Var[str]
    """What an empty field shows when the visitor leaves it."""
    value: rx.Var[str]
    replaces: rx.Var[str]
    """A typed text that the value replaces, since the visitor has asked for it."""
    otherwise: rx.Var[str]
    """What the field shows while neither server nor visitor have given a text."""
    auto_complete: rx.Var[str]
    max_length: rx.Var[int]
    rows: rx.Var[int]
    on_change: rx.EventHandler[input_event]
    on_blur: rx.EventHandler[input_event]
