"""How Python names what a module of `assets/js` holds."""

from typing import Any

import reflex as rx
from reflex.utils.imports import ImportVar
from reflex.vars import VarData


def of_module(library: str, *names: str, hook: str = "") -> VarData:
    """Return what a page must import, and which hook it must call, to use these names."""
    return VarData(
        imports={library: [ImportVar(tag=name) for name in names]},
        hooks={hook: None} if hook else {},
    )


def variable(expression: str, data: VarData | None, of: Any, *others: Any) -> Any:
    """Return a variable of this type that the browser computes, from other variables too."""
    # Reflex has no public name for what a Var brings along.
    parts = [
        other._get_all_var_data()  # noqa: SLF001
        for other in others
        if isinstance(other, rx.Var)
    ]
    return rx.Var(_js_expr=expression, _var_data=VarData.merge(data, *parts)).to(of)


def action(expression: str, data: VarData | None) -> Any:
    """Return a handler that runs in the browser and sends nothing to the server."""
    return rx.Var(_js_expr=f"() => {expression}", _var_data=data).to(rx.EventChain)
