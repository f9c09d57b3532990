"""Translated sentences that contain components, and translations of variables."""

from collections.abc import Iterable
from string import Formatter
from typing import Any

import reflex as rx

from campus_app.translations import ENGLISH, language, t


def sentence(text: str, **parts: rx.Component | rx.Var | str) -> rx.Component:
    """Return a translated text with components in its placeholders."""
    pieces: list[rx.Component | rx.Var | str] = []
    for words, name, _format, _conversion in Formatter().parse(t(text)):
        pieces += [words] if words else []
        pieces += [parts[name]] if name else []
    return rx.fragment(*pieces)


def in_words(variable: Any, texts: Iterable[str]) -> Any:
    """Return what says a variable in the reader's language.

    `texts` are the English ones that it may hold; any other is said as it is.
    """
    if language() == ENGLISH:
        return variable
    return rx.match(variable, *((str(text), t(text)) for text in texts), variable)
