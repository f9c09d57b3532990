"""Jinja environments for server-rendered pages and for e-mails.

Templates use the filter `isolate` for a text that somebody typed and that is beside numbers.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from kit.text import isolate

TemplateFunctions = Mapping[str, Callable[..., str]]
"""Functions that templates can call, such as the translation function `t`."""


def page_templates(folder: Path, functions: TemplateFunctions | None = None) -> Environment:
    """Return the page templates of a folder; values are escaped."""
    pages = Environment(
        loader=FileSystemLoader(folder),
        autoescape=select_autoescape(),
        auto_reload=False,  # checking files for changes takes longer than rendering
    )
    return _with(pages, functions or {})


def mail_templates(folder: Path, functions: TemplateFunctions | None = None) -> Environment:
    """Return the mail templates of a folder: values are escaped in HTML, not in text.

    Rendering raises `jinja2.UndefinedError` for a name that has no value.
    """
    mails = Environment(
        loader=FileSystemLoader(folder),
        autoescape=select_autoescape(["html"], default=False),
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return _with(mails, functions or {})


def _with(templates: Environment, functions: TemplateFunctions) -> Environment:
    templates.filters["isolate"] = isolate  # pyright: ignore[reportUnknownMemberType]
    templates.globals.update(functions)  # pyright: ignore[reportUnknownMemberType]
    return templates
