"""Which language the browser has chosen."""

from typing import Any

import reflex as rx

from campus_app.components.browser.binding import action, of_module
from campus_app.translations import COOKIE

_LIBRARY = rx.asset("js/language.jsx").importable_path


def choose_language(code: str) -> Any:
    """Choose a language, and get this page in it."""
    return action(f'chooseLanguage("{COOKIE}", "{code}")', of_module(_LIBRARY, "chooseLanguage"))


class LanguageWatch(rx.Component):
    """Gets a page anew that was kept, or left open, from before another language was chosen."""

    library = _LIBRARY
    tag = "LanguageWatch"
    cookie: rx.Var[str]
    usual: rx.Var[str]
    """The language of who has chosen none."""
