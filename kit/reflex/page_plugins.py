"""What is done to the pages that the framework draws."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment
from reflex.constants import ReactRouter
from reflex.plugins import Plugin
from reflex.utils.exec import should_prerender_routes

from kit.reflex.state_script import replaced

_ALL_STATIC = '"prerender": true'
_PRELOAD = '<link rel="modulepreload" href='
_HELD_PRELOAD = '<link rel="later" href='
_MODULES = '<script type="module" async="">'
_HELD_MODULES = '<script type="text/plain" id="modules">'
_DRAWN_BY_SCRIPTS = frozenset({ReactRouter.SPA_FALLBACK.removesuffix(".html"), "404"})
_SHEET = r'<link rel="stylesheet" href="/assets/[^"]+"/>'
_WAKE = """<script>
addEventListener("DOMContentLoaded", () => {
  let isAwake = false;
  const wake = () => {
    if (isAwake) return;
    isAwake = true;
    // All at once: left to themselves, scripts are found one behind the other.
    for (const link of document.querySelectorAll("link[rel=later]")) link.rel = "modulepreload";
    const modules = document.createElement("script");
    modules.type = "module";
    modules.textContent = document.getElementById("modules").textContent;
    document.head.append(modules);
  };
  // A page behind others draws nothing.
  if (document.hidden) return wake();
  // Scripts that come while the first picture is on its way to the screen hold it up.
  const paints = new PerformanceObserver((seen) => {
    if (seen.getEntriesByName("first-contentful-paint").length) wake();
  });
  paints.observe({ type: "paint", buffered: true });
  // Where a browser doesn't tell: the frame that this asks for is the first one.
  requestAnimationFrame(() => setTimeout(wake, 500));
});
</script>"""


class PrerenderPatternsPlugin(Plugin):
    """Draws a page for addresses with a variable part, as every other page is drawn at the build.

    Without it they begin as an empty page, which stays so until its scripts have come.
    """

    def __init__(self, examples: Sequence[str]) -> None:
        """Prepare; each of the `examples` is drawn, and stands for all addresses beside it."""
        self._examples = tuple(examples)

    def pre_compile(self, **context: Any) -> None:
        if should_prerender_routes():  # make dev draws every page in the browser
            context["add_modify_task"](ReactRouter.CONFIG_FILE, self._changed)

    def _changed(self, config: str) -> str:
        drawn = f"({{ getStaticPaths }}) => [...getStaticPaths(), ...{json.dumps(self._examples)}]"
        return replaced(config, _ALL_STATIC, f'"prerender": {drawn}', ReactRouter.CONFIG_FILE)


class PaintFirstPlugin(Plugin):
    """Lets a page be painted before it asks for the scripts that wake it up.

    The pages are whole without a script; asked for all at once, a slow line would share itself
    between what is seen and what is not. Those that scripts draw ask at once, and so do those on
    which there is nothing to read before they have asked the server.
    """

    def __init__(self, at_once: Sequence[str] = ()) -> None:
        """Prepare; `at_once` are the addresses of the pages that ask the server at once."""
        self._at_once = {address.strip("/") for address in at_once} | _DRAWN_BY_SCRIPTS

    def post_build(self, **context: Any) -> None:
        static: Path = context["static_dir"]
        for file in static.rglob("*.html"):
            name = file.relative_to(static).as_posix()
            if name.removesuffix(".html").removesuffix("/index") not in self._at_once:
                page = file.read_text(encoding="utf-8")
                file.write_text(_wake_when_painted(page), encoding="utf-8")


def _wake_when_painted(page: str) -> str:
    if _MODULES not in page:
        raise RuntimeError("React Router's pages have changed: look at kit/reflex/page_plugins.py")
    page = page.replace(_PRELOAD, _HELD_PRELOAD)
    return page.replace(_MODULES, _HELD_MODULES, 1).replace("</head>", f"{_WAKE}</head>", 1)


class StyledFallbackPlugin(Plugin):
    """Gives the page that stands for every address that is not drawn a style from the start.

    It begins as an empty one, which must not wait for a script before it knows its sheets.
    """

    def __init__(self, like: str) -> None:
        """Prepare; `like` is the file of a page that has the sheets of those addresses."""
        self._like = like

    def post_build(self, **context: Any) -> None:
        static: Path = context["static_dir"]
        sheets = re.findall(_SHEET, (static / self._like).read_text(encoding="utf-8"))
        fallback = static / ReactRouter.SPA_FALLBACK
        page = fallback.read_text(encoding="utf-8")
        missing = "".join(sheet for sheet in sheets if sheet not in page)
        fallback.write_text(page.replace("</head>", f"{missing}</head>", 1), encoding="utf-8")


class TemplatePagePlugin(Plugin):
    """Puts a page beside the drawn ones that is made of a template: it needs no script."""

    def __init__(self, templates: Environment, name: str) -> None:
        """Prepare; `name` is what the template and the page are called."""
        self._templates = templates
        self._name = name

    def post_build(self, **context: Any) -> None:
        static: Path = context["static_dir"]
        page = self._templates.get_template(self._name).render()
        (static / self._name).write_text(page, encoding="utf-8")
