"""Translations of the texts that visitors read.

The English text in the code is the message id. Every other language is a gettext catalogue beside
this module, `{code}.po`, which `tools/translations.py` updates. English is the fallback for a
missing or fuzzy translation.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final

from babel import Locale
from babel.dates import format_date
from babel.messages.pofile import read_po
from jinja2 import pass_eval_context
from jinja2.nodes import EvalContext
from markupsafe import Markup, escape

from campus_app.domain.messages import FormattedMessage

ENGLISH: Final = "en"
COOKIE: Final = "language"
"""The cookie that holds a visitor's choice."""
FOLDER: Final = Path(__file__).parent
LANGUAGES: Final = (ENGLISH, *sorted(file.stem for file in FOLDER.glob("*.po")))
_COUNTRY = "IN"
_MAXIMUM_COOKIE_CHARACTERS = 4_096
_CHOICE = re.compile(rf"(?:^|;) *{COOKIE}=(?P<code>[a-z]+) *(?:;|$)", re.ASCII)
"""Our cookie in a `Cookie` header, whose other parts may be malformed."""


def parse_language(value: object) -> str:
    """Return a language's code if it is supported, else English."""
    return value if isinstance(value, str) and value in LANGUAGES else ENGLISH


# The build sets PAGES_LANGUAGE; servers do not.
_language: ContextVar[str] = ContextVar(
    "language",
    default=parse_language(os.environ.get("PAGES_LANGUAGE")),  # noqa: TID251, B039 - a text
)


def language() -> str:
    """Return the current language."""
    return _language.get()


def set_locale(code: str) -> None:
    """Set the language of this task and of the tasks that it starts."""
    _language.set(code)


@contextmanager
def use_locale(code: str) -> Iterator[None]:
    """Set the language inside a `with` block."""
    before = _language.set(code)
    try:
        yield
    finally:
        _language.reset(before)


def chosen_language(cookies: str) -> str:
    """Return the language that a `Cookie` header chooses; English if it is invalid."""
    match = _CHOICE.search(cookies) if len(cookies) <= _MAXIMUM_COOKIE_CHARACTERS else None
    return parse_language(match["code"]) if match else ENGLISH


def t(text: str, **names: object) -> str:
    """Return a text in the current language, with `names` in its placeholders.

    A value may be a Reflex Var. The values of a `FormattedMessage` are translated, too, if they are
    texts with a translation.
    """
    if isinstance(text, FormattedMessage):
        names = {name: _translated(value) for name, value in text.names.items()}
        text = text.message
    translated = str(_translated(text))
    return translated.format(**names) if names else translated


def date_words(day: date, pattern: str) -> str:
    """Return a date as text, by a CLDR pattern like `EEEE d MMMM`."""
    return format_date(day, pattern, _locale(language()))


@pass_eval_context
def _in_template(evaluated: EvalContext, text: str, **names: object) -> str:
    """Return a text for a template: its markup is kept, the inserted values are escaped."""
    if not evaluated.autoescape:
        return t(text, **names)
    if isinstance(text, FormattedMessage):
        return escape(t(text))
    markup = Markup(t(text))  # noqa: S704 - not user input
    return markup.format(**names) if names else markup


IN_TEMPLATES: Final[dict[str, Callable[..., str]]] = {
    "t": _in_template,
    "date_words": date_words,
    "page_language": lambda: page_language(language()),
}
"""The functions that templates call."""


def page_language(code: str) -> str:
    """Return a language's tag for HTML: `en-IN`."""
    return f"{code}-{_COUNTRY}"


def own_name(code: str) -> str:
    """Return a language's name in that language."""
    return str(_locale(code).get_display_name(code)).capitalize()


def _translated(text: object) -> object:
    """Return a text in the current language, or the value itself if it has no translation."""
    code = _language.get()
    if not isinstance(text, str) or code == ENGLISH:
        return text
    return _catalogue(code).get(text, text)


@cache
def _catalogue(code: str) -> Mapping[str, str]:
    return read_translations(FOLDER / f"{code}.po")


def read_translations(file: Path) -> Mapping[str, str]:
    """Return the translations of a language's file, without fuzzy ones."""
    with file.open("rb") as stream:
        messages = read_po(stream, locale=file.stem)
    return {
        message.id: message.string
        for message in messages
        if isinstance(message.id, str) and message.id and isinstance(message.string, str)
        if message.string and not message.fuzzy
    }


@cache
def _locale(code: str) -> Locale:
    return Locale.parse(code)
