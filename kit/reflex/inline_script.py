"""Scripts of `assets/js` inside the page, which run before Reflex's own scripts have loaded."""

import re
from pathlib import Path
from typing import Any, cast

import reflex as rx

_JS = Path(__file__).parents[2] / "assets" / "js"
_LEFT_OUT = re.compile(r"^\s*//.*\n|^export ", re.MULTILINE)
_IMPORT = re.compile(r'^import \{[^}]+\} from "(?P<path>\.[^"]+)";\n', re.MULTILINE)


def inline_script(path: str, call: str = "", **props: Any) -> rx.Component:
    """Return a `<script>` with the code of a file of `assets/js`, without its comments.

    The file may also be a module: its exports become global functions, of which `call` runs one.
    The modules that it imports by relative paths are inlined before it.
    """
    return cast("Any", rx.el).script(_code(_JS / path) + call, **props)


def _code(file: Path) -> str:
    module = file.read_text(encoding="utf-8")
    imported = [_code(file.parent / match["path"]) for match in _IMPORT.finditer(module)]
    return "".join([*imported, _LEFT_OUT.sub("", _IMPORT.sub("", module))])
