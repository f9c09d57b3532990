"""A sentence with parts that are more than text, in whatever order its language puts them."""

from string import Formatter

import reflex as rx

from campus_app.translations import t


def sentence(text: str, **parts: rx.Component | rx.Var | str) -> rx.Component:
    """Return a text of ours in the reader's language, with these components in its places."""
    pieces: list[rx.Component | rx.Var | str] = []
    for words, name, _format, _conversion in Formatter().parse(t(text)):
        pieces += [words] if words else []
        pieces += [parts[name]] if name else []
    return rx.fragment(*pieces)
