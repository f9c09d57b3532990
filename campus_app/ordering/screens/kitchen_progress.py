"""How far the kitchen is with an order, as its customer sees it. Source: specification 10.27."""

from typing import Any

import reflex as rx

from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.shortage import CANCELLED, CHOOSE
from campus_app.ordering.screens.cooking_state import CookingProgressState
from campus_app.shared.rules.routes import response
from campus_app.shared.translations import t
from campus_app.shell.icon import icon
from kit.text import gettext_noop

_WORDS = {
    CookingState.SENT: gettext_noop("Sent to the kitchen"),
    CookingState.SEEN: gettext_noop("The kitchen has seen it"),
    CookingState.READY: gettext_noop("Ready"),
    CookingState.HANDED_OVER: gettext_noop("Handed over"),
}


def kitchen_progress(token: Any, *, asks: bool = False) -> rx.Component | rx.Var[Any]:
    """Render the state of cooking of the order with this response token; nothing if unknown.

    An order that can't be cooked as it is leads to its own page, unless it is the one that `asks`
    its customer.
    """
    state = CookingProgressState.states.get(token, "")
    words = rx.match(state, *((each.value, t(text)) for each, text in _WORDS.items()), "")
    steps = (rx.el.i(class_name=rx.cond(state == each.value, "now", "")) for each in CookingState)
    shown = rx.el.span(
        rx.el.span(*steps, class_name="progress-steps", aria_hidden="true"),
        rx.el.span(words, role="status", data_testid="kitchen-progress"),
        class_name="kitchen-progress",
    )
    to_choose = rx.el.a(
        t("The kitchen can’t cook a dish. Please choose"), href=response("") + token
    )
    return rx.match(
        state,
        ("", rx.fragment()),
        (CHOOSE, rx.fragment() if asks else attention(to_choose)),
        (CANCELLED, attention(t("The kitchen can’t cook it. Your money goes back"))),
        shown,
    )


def attention(words: Any) -> rx.Component:
    """Render that something has gone wrong with an order."""
    return rx.el.span(
        icon("warning"),
        rx.el.span(words, role="status", data_testid="kitchen-progress"),
        class_name="kitchen-progress attention",
    )
