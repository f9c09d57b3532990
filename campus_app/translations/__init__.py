"""What people read, in the language that they have chosen.

The English text is the key: what the code says is what an English reader reads, and no other
language costs them a byte. Every other language is one file beside this module, `{code}.po`, as
translators' tools read and write it; `tools/translations.py` brings it up to date. What it does
not say, or what is marked fuzzy since its English has changed, is said in English.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from functools import cache, lru_cache
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
_LONGEST_COOKIES = 4_096
_RECENT_COOKIES = 256
_CHOICE = re.compile(rf"(?:^|;) *{COOKIE}=(?P<code>[a-z]+) *(?:;|$)", re.ASCII)
"""Our own cookie among others, which may be no cookies by the book."""


def parse_language(value: object) -> str:
    """Return the language that a text names; English where it names none of ours."""
    return value if isinstance(value, str) and value in LANGUAGES else ENGLISH


# Pages are drawn at the build, in the language that it is told; whoever serves them is told none.
_language: ContextVar[str] = ContextVar(
    "language",
    default=parse_language(os.environ.get("PAGES_LANGUAGE")),  # noqa: TID251, B039 - a text
)


def language() -> str:
    """Return the language in which is spoken here and now."""
    return _language.get()


def set_locale(code: str) -> None:
    """Speak a language from here on: in this task, and in those that it begins."""
    _language.set(code)


@contextmanager
def use_locale(code: str) -> Iterator[None]:
    """Speak a language for a while."""
    before = _language.set(code)
    try:
        yield
    finally:
        _language.reset(before)


def chosen_language(cookies: str) -> str:
    """Return the language that a request's `Cookie` header chooses, as forgeable as any input."""
    return _chosen(cookies) if COOKIE in cookies and len(cookies) <= _LONGEST_COOKIES else ENGLISH


def t(text: str, **names: object) -> str:
    """Return a text in the language that is spoken, with `names` in its places.

    A name may be a variable of the browser's. A `FormattedMessage` has names of its own; those that
    are texts of ours are said in the language, too.
    """
    if isinstance(text, FormattedMessage):
        names = {name: _words(value) for name, value in text.names.items()}
        text = text.message
    words = str(_words(text))
    return words.format(**names) if names else words


def date_words(day: date, pattern: str) -> str:
    """Return a date as people say it, by a pattern of Unicode's CLDR, like `EEEE d MMMM`."""
    return format_date(day, pattern, _locale(language()))


@pass_eval_context
def _in_template(evaluated: EvalContext, text: str, **names: object) -> str:
    """Return a text for a template; what our own texts mark up stays so, all else is escaped."""
    if not evaluated.autoescape:
        return t(text, **names)
    if isinstance(text, FormattedMessage):
        return escape(t(text))
    words = Markup(t(text))  # noqa: S704 - the text is ours
    return words.format(**names) if names else words


IN_TEMPLATES: Final[dict[str, Callable[..., str]]] = {
    "t": _in_template,
    "date_words": date_words,
    "page_language": lambda: page_language(language()),
}
"""What templates call."""


def page_language(code: str) -> str:
    """Return a language as pages say it: `en-IN`."""
    return f"{code}-{_COUNTRY}"


def own_name(code: str) -> str:
    """Return what a language calls itself."""
    return str(_locale(code).get_display_name(code)).capitalize()


def _words(text: object) -> object:
    """Return a text in the language that is spoken; what is no text of ours, as it is."""
    code = _language.get()
    if not isinstance(text, str) or code == ENGLISH:
        return text
    return _catalogue(code).get(text, text)


@cache
def _catalogue(code: str) -> Mapping[str, str]:
    return said_in(FOLDER / f"{code}.po")


def said_in(file: Path) -> Mapping[str, str]:
    """Return what a language's file says for each text; what is fuzzy, it does not say."""
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


@lru_cache(_RECENT_COOKIES)
def _chosen(cookies: str) -> str:
    found = _CHOICE.search(cookies)
    return parse_language(found["code"]) if found else ENGLISH
