"""Where the words of server-made pages and e-mails are kept: Jinja templates in a folder."""

from collections.abc import Callable, Mapping
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

Words = Mapping[str, Callable[..., str]]
"""What templates call to say something."""


def page_templates(folder: Path, words: Words | None = None) -> Environment:
    """Return the pages in a folder; what is put into them is escaped."""
    pages = Environment(
        loader=FileSystemLoader(folder),
        autoescape=select_autoescape(),
        auto_reload=False,  # looking whether a file has changed takes longer than rendering it
    )
    return _with(pages, words or {})


def mail_templates(folder: Path, words: Words | None = None) -> Environment:
    """Return the mails in a folder: HTML is escaped, text is not; a missing name fails."""
    mails = Environment(
        loader=FileSystemLoader(folder),
        autoescape=select_autoescape(["html"], default=False),
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return _with(mails, words or {})


def _with(templates: Environment, words: Words) -> Environment:
    templates.globals.update(words)  # pyright: ignore[reportUnknownMemberType]
    return templates
