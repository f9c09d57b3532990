"""Scripts of `assets/js` inside the page, which run before Reflex's own scripts have loaded."""

import re
from pathlib import Path
from typing import Any, cast

import reflex as rx

_JS = Path(__file__).parents[2] / "assets" / "js"
_LEFT_OUT = re.compile(r"^\s*//.*\n|^export ", re.MULTILINE)


def inline_script(path: str, call: str = "", **props: Any) -> rx.Component:
    """Return a `<script>` with the code of a file of `assets/js`, without its comments.

    The file may also be a module: its exports become global functions, of which `call` runs one.
    """
    code = _LEFT_OUT.sub("", (_JS / path).read_text(encoding="utf-8"))
    return cast("Any", rx.el).script(code + call, **props)
