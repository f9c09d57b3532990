"""Tabs, and choices that need no server."""

from typing import Any

import reflex as rx

from campus_app.components.browser.binding import action, of_module, variable

_LIBRARY = rx.asset("js/tabs.jsx").importable_path


class Tabs(rx.Component):
    """Tabs over a filter (`controls`) or over the sections of a page (`targets`)."""

    library = _LIBRARY
    tag = "Tabs"
    name: rx.Var[str]
    label: rx.Var[str]
    labels: rx.Var[list[str]]
    targets: rx.Var[list[str]]
    controls: rx.Var[str]


def chosen(name: str, initial: str) -> Any:
    """Which tab of these is chosen."""
    hook = f'const chosen_{name} = useChoice("{name}", "{initial}");'
    return variable(f"chosen_{name}", of_module(_LIBRARY, "useChoice", hook=hook), str)


def choose(name: str, value: str) -> Any:
    """Choose without asking the server."""
    return action(f'choose("{name}", "{value}")', of_module(_LIBRARY, "choose"))
