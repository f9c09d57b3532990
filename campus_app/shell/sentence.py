"""Translations of sentences that contain components, and of variables."""

from collections.abc import Iterable
from string import Formatter
from typing import Any

import reflex as rx

from campus_app.shared.translations import t
from kit.translations import ENGLISH, language


def sentence(text: str, **parts: rx.Component | rx.Var | str) -> rx.Component:
    """Return a translated text with components in its placeholders."""
    pieces: list[rx.Component | rx.Var | str] = []
    for words, name, _format, _conversion in Formatter().parse(t(text)):
        pieces += [words] if words else []
        pieces += [parts[name]] if name else []
    return rx.fragment(*pieces)


def translated(variable: Any, texts: Iterable[str]) -> Any:
    """Return a variable's text in the language of the page.

    `texts` are the English texts to translate; any other text stays as it is.
    """
    if language() == ENGLISH:
        return variable
    return rx.match(variable, *((str(text), t(text)) for text in texts), variable)
