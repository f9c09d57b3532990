"""A modal dialog, as a Reflex component."""

import reflex as rx
from reflex.event import no_args_event_spec


class Modal(rx.Component):
    """A native modal dialog.

    Opening it moves the focus into it: to its `h2`, where that has a `tabindex`. Closing it gives
    the focus back. Escape and a press on the backdrop trigger `on_dismiss`, which has to close it.
    """

    library = rx.asset("js/kit/modal.jsx").importable_path
    tag = "Modal"
    open: rx.Var[bool]
    keep_mounted: rx.Var[bool]
    """Whether the content stays in the page, with what was typed, while the dialog is closed."""
    on_dismiss: rx.EventHandler[no_args_event_spec]
