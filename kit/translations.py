"""Gettext translations: the current language, and the catalogues of a product.

The English text in the code is the message id. Every other language is a gettext catalogue in the
product's folder `translations`, `{code}.po`, which `tools/translations.py` updates. English is the
fallback for a missing or fuzzy translation.
"""

import os
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, time
from functools import cache, lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs

from babel import Locale, negotiate_locale
from babel.dates import format_date, format_time
from babel.messages.pofile import read_po

from kit.text import FormattedMessage, isolated

ENGLISH: Final = "en"
COOKIE: Final = "language"
"""The cookie that holds a visitor's choice."""
LANGUAGE_HEADERS: Final = "Accept-Language, Cookie"
"""The value of `Vary` of a response that depends on the language."""
QUERY: Final = "language"
"""The parameter of an address that chooses a language: `/?language=hi`."""
_COUNTRY = "IN"
_MAXIMUM_COOKIE_CHARACTERS = 4_096
_CHOICE = re.compile(rf"(?:^|;) *{COOKIE}=(?P<code>[a-z]+) *(?:;|$)", re.ASCII)
"""Our cookie in a `Cookie` header, whose other parts may be malformed."""
_MAXIMUM_ACCEPTED_CHARACTERS = 1_000
_READ_HEADERS = 256
"""Browsers send few different ones, with every request and, for us, every event."""
_ACCEPTED = re.compile(
    r"(?P<tag>[a-z]{1,8}(?:-[a-z0-9]{1,8})*)"
    r"(?:[ \t]*;[ \t]*q=(?P<weight>0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?",
    re.ASCII | re.IGNORECASE,
)
"""A language of an `Accept-Language` header. Source: RFC 9110, 12.5.4."""

# The build sets PAGES_LANGUAGE; servers do not.
_language: ContextVar[str] = ContextVar(
    "language",
    default=os.environ.get("PAGES_LANGUAGE", ENGLISH),  # noqa: TID251, B039 - read once; immutable
)


def language() -> str:
    """Return the current language."""
    return _language.get()


def set_locale(code: str) -> None:
    """Set the language of this task and of the tasks that it starts."""
    _language.set(code)


@contextmanager
def use_locale(code: str) -> Generator[None]:
    """Set the language inside a `with` block."""
    before = _language.set(code)
    try:
        yield
    finally:
        _language.reset(before)


def page_language(code: str) -> str:
    """Return the BCP 47 tag of a language in India: `en-IN`."""
    return f"{code}-{_COUNTRY}"


def own_name(code: str) -> str:
    """Return a language's name in that language."""
    return str(_locale(code).get_display_name(code)).capitalize()


def date_words(day: date, pattern: str) -> str:
    """Return a date as text, by a CLDR pattern like `EEEE d MMMM`."""
    return format_date(day, pattern, _locale(language()))


def hour_words(clock: time) -> str:
    """Return a time of day on a clock with twelve hours: `6PM`, `6:30PM`, `शाम 6`."""
    digits = f"{clock.hour % 12 or 12}" + (f":{clock:%M}" if clock.minute else "")
    if language() == ENGLISH:
        return f"{digits}{clock:%p}"
    # A minute later noon and midnight have no names of their own, which would stand before a 12.
    period = format_time(clock.replace(minute=clock.minute or 1), "B", locale=_locale(language()))
    return f"{period} {digits}"


class Catalogues:
    """The translations of one product: a file for each language but English.

    `languages` are the codes of all languages, English first.
    """

    def __init__(self, folder: Path) -> None:
        """Read which languages have a file `{code}.po` in `folder`."""
        self.folder = folder
        self.languages = (ENGLISH, *sorted(file.stem for file in folder.glob("*.po")))

    def parse_language(self, value: object) -> str:
        """Return a language's code if it is supported, else English."""
        return value if isinstance(value, str) and value in self.languages else ENGLISH

    def language_of_query(self, query: str) -> str:
        """Return the code of the language in a query string; empty if it is missing or unknown."""
        (value, *_) = parse_qs(query).get(QUERY, [""])
        return value if value in self.languages else ""

    def language_of_headers(self, headers: Mapping[str, str]) -> str:
        """Return the code of a request's language: its cookie's, else the one the browser prefers.

        The names of `headers` are in lower case. It is English if neither names a known language.
        """
        cookies = headers.get("cookie", "")
        match = _CHOICE.search(cookies) if len(cookies) <= _MAXIMUM_COOKIE_CHARACTERS else None
        if match and match["code"] in self.languages:
            return match["code"]
        accepted = headers.get("accept-language", "")[: _MAXIMUM_ACCEPTED_CHARACTERS + 1]
        return self.parse_language(_preferred(accepted, self.languages))

    def t(self, text: str, **names: object) -> str:
        """Return a text in the current language, with `names` in its placeholders.

        A value may be a Reflex Var. A right-to-left text is isolated from the sentence.
        A `FormattedMessage` has names of its own instead; those of its values that are texts are
        translated, too.

        Raises:
            KeyError: If some placeholders, but not all, have a value in `names`.
        """
        if isinstance(text, FormattedMessage):
            names = {
                name: self._translated(value) if isinstance(value, str) else value
                for name, value in text.names.items()
            }
            text = text.message
        translated = self._translated(text)
        return translated.format(**isolated(names)) if names else translated

    def _translated(self, text: str) -> str:
        code = language()
        if code == ENGLISH or code not in self.languages:
            return text
        return _translations(self.folder / f"{code}.po").get(text, text)


def accepted_languages(header: str) -> list[str]:
    """Return the tags of an `Accept-Language` header, the preferred one first: `["hi-in", "en"]`.

    Those that it rejects (`q=0`), the wildcard and malformed parts are left out.
    """
    if len(header) > _MAXIMUM_ACCEPTED_CHARACTERS:
        return []
    matches = [_ACCEPTED.fullmatch(part.strip(" \t")) for part in header.split(",")]
    weights = [(float(each["weight"] or 1), each["tag"].lower()) for each in matches if each]
    ordered = sorted(weights, key=lambda each: each[0], reverse=True)
    return [tag for weight, tag in ordered if weight > 0]


@lru_cache(_READ_HEADERS)
def _preferred(header: str, languages: tuple[str, ...]) -> str | None:
    """Return which of our languages a visitor prefers by an `Accept-Language` header."""
    return negotiate_locale(accepted_languages(header), languages, sep="-")


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


_translations = cache(read_translations)


@cache
def _locale(code: str) -> Locale:
    return Locale.parse(code)
