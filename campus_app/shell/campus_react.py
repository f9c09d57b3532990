"""The campus that the browser has chosen."""

from typing import Any

import reflex as rx

from kit.reflex.binding import of_module, variable

_LIBRARY = rx.asset("js/campus_app/shell/campus.jsx").importable_path


def list_address(chooser: str) -> Any:
    """Return the address of the chosen campus' list of restaurants, `chooser` before a choice."""
    hook = f'const listAddress = useListAddress("{chooser}");'
    return variable("listAddress", of_module(_LIBRARY, "useListAddress", hook=hook), str)


class SelectCampus(rx.Component):
    """Chooses a campus when it is mounted."""

    library = _LIBRARY
    tag = "SelectCampus"
    campus: rx.Var[str]


class CampusPrompt(rx.Component):
    """Asks for a campus in place of a screen's content until one is chosen."""

    library = _LIBRARY
    tag = "CampusPrompt"
    missing: rx.Var[bool]
    """Whether the server has no campus: then a choice that the browser shows is removed."""
