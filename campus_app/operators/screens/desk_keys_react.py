"""The keys of the desk, which need no server."""

import reflex as rx


class DeskKeys(rx.Component):
    """Listens to keys: `/` finds, `j` and `k` move, Enter opens, `?` shows the list of keys."""

    library = rx.asset("js/campus_app/operators/desk_keys.jsx").importable_path
    tag = "DeskKeys"
    title: rx.Var[str]
    close: rx.Var[str]
    words: rx.Var[list[str]]
    """What each key does, in the order above, as short phrases."""
