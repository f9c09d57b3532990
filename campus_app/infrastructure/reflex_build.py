"""What the generated frontend is told to do otherwise."""

from pathlib import Path
from typing import Any, ClassVar

from reflex.plugins import Plugin

_ENDPOINT = "  const endpoint = new URL(url_str);\n"
_SAME_ORIGIN = """  const endpoint = new URL(url_str);
  if (typeof window !== "undefined") {
    // One build serves every port, host and scheme: the page's own.
    const secure = window.location.protocol === "https:";
    endpoint.host = window.location.host;
    endpoint.protocol = endpoint.protocol.startsWith("ws")
      ? (secure ? "wss:" : "ws:")
      : window.location.protocol;
    return endpoint;
  }
"""

_PRELOAD = '<link rel="modulepreload" href='
_LATE_PRELOAD = '<link rel="modulepreload" fetchpriority="low" href='

_DYNAMIC_IMPORT = "eval(`import(dataUri)`)"
_PLAIN_IMPORT = "import(/* @vite-ignore */ dataUri)"


class SameOriginPlugin(Plugin):
    """Lets browsers talk to the address that the page came from, whatever was built in."""

    file: ClassVar = "utils/state.js"

    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](self.file, _talk_to_own_origin)


class ShortNamesPlugin(Plugin):
    """Lets the bundler shorten the names of the framework's code: 5 kB less on every page.

    A direct `eval` sees every name around it, so the bundler keeps them all in the chunk that
    has one. What the server asks the browser to run, as `rx.call_script` does, is run in the
    global scope instead: it finds `window`, `document` and no name of the framework's own.
    """

    file: ClassVar = "utils/state.js"

    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](self.file, _evaluate_globally)


class PaintFirstPlugin(Plugin):
    """Lets a page's styles, fonts and pictures come before the scripts that wake it up.

    The pages are whole without a script; asked for all at once, a slow line would share itself
    between what is seen and what is not.
    """

    def post_build(self, **context: Any) -> None:
        static: Path = context["static_dir"]
        for page in static.rglob("*.html"):
            html = page.read_text(encoding="utf-8")
            page.write_text(html.replace(_PRELOAD, _LATE_PRELOAD), encoding="utf-8")


def _talk_to_own_origin(script: str) -> str:
    if _SAME_ORIGIN in script:  # the file of an earlier build
        return script
    return _replaced(script, _ENDPOINT, _SAME_ORIGIN)


def _evaluate_globally(script: str) -> str:
    if _PLAIN_IMPORT in script:  # the file of an earlier build
        return script
    return _replaced(script, _DYNAMIC_IMPORT, _PLAIN_IMPORT).replace(" eval(", " (0, eval)(")


def _replaced(script: str, expected: str, wanted: str) -> str:
    if expected not in script:
        raise RuntimeError("Reflex's state.js has changed: look at reflex_build.py")
    return script.replace(expected, wanted, 1)
