"""Pages that the build renders with example data and turns into Jinja templates."""

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from reflex.plugins import Plugin

_DELIMITERS: Any = {
    "variable_start_string": "⟦",
    "variable_end_string": "⟧",
    "block_start_string": "⟦%",
    "block_end_string": "%⟧",
    "comment_start_string": "⟦#",
    "comment_end_string": "#⟧",
}
"""The example data holds `⟦name⟧` where the template inserts a value."""


@dataclass(frozen=True)
class Loop:
    """A part of a page that is rendered once for each of several values.

    The page holds example elements next to each other, each a `tag` with the class `class_name`:
    an example for each way in which a value can be shown. The template repeats them with
    `for {each}`, and shows a value by the first example whose condition in `cases` is true, else by
    the last example. `inner` is a loop within each example.
    """

    tag: str
    class_name: str
    each: str
    cases: Sequence[str]
    inner: "Loop | None" = None


class PageTemplatesPlugin(Plugin):
    """Moves example pages out of the served folder, and turns them into templates."""

    def __init__(self, addresses: Sequence[str], loops: Sequence[Loop], language: str) -> None:
        """Name the example pages by their addresses; all have these `loops`, in this language."""
        self._names = [f"{address.strip('/')}.html" for address in addresses]
        self._loops = loops
        self._language = language

    def post_build(self, **context: Any) -> None:
        static: Path = context["static_dir"]
        for name in self._names:
            template = page_templates_of(static) / self._language / name
            template.parent.mkdir(parents=True, exist_ok=True)
            page = (static / name).read_text(encoding="utf-8")
            template.write_text(template_from(page, self._loops), encoding="utf-8")
            (static / name).unlink()
            shutil.rmtree(static / name.removesuffix(".html"), ignore_errors=True)


def page_templates_of(static: Path) -> Path:
    """Return the folder of the templates, for the folder of the served pages.

    Each language's build empties its own folder, so the templates are not below that.
    """
    return static.parents[1] / "templates"


def template_environment(folder: Path) -> Environment:
    """Return the templates of a folder; values are escaped, and a missing value raises."""
    return Environment(
        loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined, **_DELIMITERS
    )


def template_from(page: str, loops: Sequence[Loop]) -> str:
    """Return an example page as a Jinja template.

    Raises:
        RuntimeError: If the page lacks examples of a loop, or they are not adjacent.
        jinja2.TemplateSyntaxError: If the result is not a template.
    """
    for loop in loops:
        page = _with_loop(page, loop)
    Environment(autoescape=True, **_DELIMITERS).parse(page)
    return page


def _with_loop(page: str, loop: Loop) -> str:
    tag, cases = loop.tag, loop.cases
    element = re.compile(rf'<{tag}\b[^>]*\bclass="{loop.class_name}"[^>]*>.*?</{tag}>', re.DOTALL)
    examples = element.findall(page)
    rendered = "".join(examples)
    if len(examples) <= len(cases) or rendered not in page:
        raise RuntimeError(
            f"The example page has no {len(cases) + 1} adjacent <{tag} class={loop.class_name!r}>"
        )
    if loop.inner:
        examples = [
            _with_loop(each, loop.inner) if loop.inner.class_name in each else each
            for each in examples
        ]
    shown = examples[len(cases)]
    for case, example in reversed([*zip(cases, examples, strict=False)]):
        shown = f"⟦% if {case} %⟧{example}⟦% else %⟧{shown}⟦% endif %⟧"
    return page.replace(rendered, f"⟦% for {loop.each} %⟧{shown}⟦% endfor %⟧")
