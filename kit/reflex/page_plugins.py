"""Build plugins that change the pages which Reflex renders."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment
from reflex.constants import ReactRouter
from reflex.plugins import Plugin
from reflex.utils.exec import should_prerender_routes

from kit.reflex.configuration import ROUTER, with_router_settings

_PRELOAD = '<link rel="modulepreload" href='
_HELD_PRELOAD = '<link rel="later" href='
_MODULES = '<script type="module" async="">'
_HELD_MODULES = '<script type="text/plain" id="modules">'
_RENDERED_BY_SCRIPTS = frozenset({ReactRouter.SPA_FALLBACK.removesuffix(".html"), "404"})
_LOAD_AFTER_PAINT = """<script>
addEventListener("DOMContentLoaded", () => {
  let isLoading = false;
  const load = () => {
    if (isLoading) return;
    isLoading = true;
    // All at once: otherwise each script is discovered by the one that imports it.
    for (const link of document.querySelectorAll("link[rel=later]")) link.rel = "modulepreload";
    const modules = document.createElement("script");
    modules.type = "module";
    modules.textContent = document.getElementById("modules").textContent;
    document.head.append(modules);
  };
  // A hidden page is never painted.
  if (document.hidden) return load();
  // Scripts that load during the first paint delay it.
  const paints = new PerformanceObserver((seen) => {
    if (seen.getEntriesByName("first-contentful-paint").length) load();
  });
  paints.observe({ type: "paint", buffered: true });
  // At the latest half a second after the first frame: some browsers report no paint.
  requestAnimationFrame(() => setTimeout(load, 500));
});
</script>"""


class PrerenderPatternsPlugin(Plugin):
    """Prerenders examples of routes with a variable part, like /menu/0.

    Reflex prerenders only the other routes: without it, these addresses show an empty page until
    their scripts have loaded.
    """

    def __init__(self, examples: Sequence[str]) -> None:
        """`examples` are the addresses to prerender."""
        self._examples = tuple(examples)

    def pre_compile(self, **context: Any) -> None:
        if should_prerender_routes():  # not in make dev, where the browser renders the pages
            context["add_modify_task"](ROUTER, self._changed)

    def _changed(self, config: str) -> str:
        paths = f"({{ getStaticPaths }}) => [...getStaticPaths(), ...{json.dumps(self._examples)}]"
        return with_router_settings(config, f"{{ prerender: {paths} }}")


class PaintFirstPlugin(Plugin):
    """Makes a prerendered page load its scripts after its first paint.

    Otherwise scripts compete for a slow connection with the style sheets, fonts and pictures of the
    prerendered content. Pages that are empty without scripts load them at once.
    Source: docs/decisions/0020.
    """

    def __init__(self, at_once: Sequence[str] = ()) -> None:
        """`at_once` are the addresses of pages that load their scripts at once."""
        self._at_once = {address.strip("/") for address in at_once} | _RENDERED_BY_SCRIPTS

    def post_build(self, **context: Any) -> None:
        static: Path = context["static_dir"]
        for file in static.rglob("*.html"):
            name = file.relative_to(static).as_posix()
            if name.removesuffix(".html").removesuffix("/index") not in self._at_once:
                page = file.read_text(encoding="utf-8")
                file.write_text(_load_scripts_when_painted(page), encoding="utf-8")


def _load_scripts_when_painted(page: str) -> str:
    if _MODULES not in page:
        raise RuntimeError("React Router's pages have changed: look at kit/reflex/page_plugins.py")
    page = page.replace(_PRELOAD, _HELD_PRELOAD)
    return page.replace(_MODULES, _HELD_MODULES, 1).replace(
        "</head>", f"{_LOAD_AFTER_PAINT}</head>", 1
    )


class TemplatePagePlugin(Plugin):
    """Adds a page that is rendered from a Jinja template and needs no script."""

    def __init__(self, templates: Environment, name: str) -> None:
        """`name` is the name of the template, and of the page."""
        self._templates = templates
        self._name = name

    def post_build(self, **context: Any) -> None:
        static: Path = context["static_dir"]
        page = self._templates.get_template(self._name).render()
        (static / self._name).write_text(page, encoding="utf-8")
