"""Where the words of server-made pages and e-mails are kept: Jinja templates in a folder."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape


def page_templates(folder: Path) -> Environment:
    """Return the pages in a folder; what is put into them is escaped."""
    return Environment(loader=FileSystemLoader(folder), autoescape=select_autoescape())


def mail_templates(folder: Path) -> Environment:
    """Return the mails in a folder: HTML is escaped, text is not; a missing name fails."""
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=select_autoescape(["html"], default=False),
        undefined=StrictUndefined,
        auto_reload=False,  # looking whether a file has changed takes longer than rendering it
        trim_blocks=True,
        lstrip_blocks=True,
    )
