"""Translations of the texts that visitors of the ordering product read."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from jinja2 import pass_eval_context
from jinja2.nodes import EvalContext
from markupsafe import Markup, escape

from kit.text import FormattedMessage, isolated
from kit.translations import Catalogues, date_words, language, page_language

FOLDER: Final = Path(__file__).parent
CATALOGUES: Final = Catalogues(FOLDER)
LANGUAGES: Final = CATALOGUES.languages
parse_language = CATALOGUES.parse_language
language_of_headers = CATALOGUES.language_of_headers
t = CATALOGUES.t


@pass_eval_context
def _in_template(evaluated: EvalContext, text: str, **names: object) -> str:
    """Return a text for a template: its markup is kept, the inserted values are escaped."""
    if not evaluated.autoescape:
        return t(text, **names)
    if isinstance(text, FormattedMessage):
        return escape(t(text))
    markup = Markup(t(text))  # noqa: S704 - not user input
    return markup.format(**isolated(names)) if names else markup


IN_TEMPLATES: Final[dict[str, Callable[..., str]]] = {
    "t": _in_template,
    "date_words": date_words,
    "page_language": lambda: page_language(language()),
}
"""The functions that templates call."""
