"""A modal dialog, and a history entry while it is open, as Reflex components."""

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


class BackToClose(rx.Component):
    """The history entry of a dialog: Back closes the dialog, and the page stays.

    It stands beside a `Modal` with the same `open` and `on_dismiss`. The browser goes back from the
    entry when the dialog closes, or was closed by a reload. Only for dialogs that lead to no other
    page: going back takes a moment, in which the page must not change.
    """

    library = rx.asset("js/kit/back_to_close.jsx").importable_path
    tag = "BackToClose"
    open: rx.Var[bool]
    on_dismiss: rx.EventHandler[no_args_event_spec]
