"""Python names for the exports of modules in `assets/js`, and style sheets of a screen."""

from typing import Any, ClassVar, cast

import reflex as rx
from reflex.vars import VarData


def of_module(library: str, *names: str, hook: str = "") -> VarData:
    """Return the imports and the hook that a page needs to use these exports.

    Args:
        library: the `importable_path` of an `rx.asset`.
        names: the exports that the expression or the hook uses.
        hook: a line of JavaScript for the component's body, like `const menu = useMenu();`.
    """
    return VarData(
        imports={library: [rx.ImportVar(tag=name) for name in names]},
        hooks={hook: None} if hook else {},
    )


def variable(expression: str, data: VarData | None, of: Any) -> Any:
    """Return a variable of type `of` whose value the browser computes.

    A Var in the expression must be formatted as `{var}`, not `{var!s}`: Reflex then adds the
    imports and hooks of that Var to the result.
    """
    return cast("Any", rx.Var(expression, _var_data=data)).to(of)


def action(expression: str, data: VarData | None = None) -> Any:
    """Return an event handler that runs in the browser and sends nothing to the server."""
    return variable(f"() => {expression}", data, rx.EventChain)


class StyleSheets(rx.Fragment):
    """Style sheets of `assets` that the bundler adds to the pages that hold this.

    A subclass names the `paths` of the sheets in the build, like `$/public/css/tara.css`.
    """

    paths: ClassVar[list[str]]

    def add_imports(self) -> rx.ImportDict:
        """Return each sheet as an import for its side effect."""
        return {"": list(self.paths)}
