"""Tabs and other choices that are made without the server."""

from typing import Any

import reflex as rx

from kit.reflex.binding import action, of_module, variable

_STORE = rx.asset("js/kit/store.js").importable_path


class Tabs(rx.Component):
    """Tabs that filter the list with id `controls`, or scroll to sections with ids `targets`."""

    library = rx.asset("js/campus_app/shell/tabs.jsx").importable_path
    tag = "Tabs"
    name: rx.Var[str]
    label: rx.Var[str]
    labels: rx.Var[list[str]]
    targets: rx.Var[list[str]]
    controls: rx.Var[str]


def chosen(name: str, initial: str) -> Any:
    """Return the current choice under a name, a JavaScript identifier."""
    hook = f'const chosen_{name} = useChoice("{name}", "{initial}");'
    return variable(f"chosen_{name}", of_module(_STORE, "useChoice", hook=hook), str)


def choose(name: str, value: str) -> Any:
    """Return an event handler that chooses a value under a name."""
    return action(f'choose("{name}", "{value}")', of_module(_STORE, "choose"))
