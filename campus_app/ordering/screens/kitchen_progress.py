"""How far the kitchen is with an order, as its customer sees it. Source: specification 10.27."""

from typing import Any

import reflex as rx

from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.screens.cooking_state import CookingProgressState
from campus_app.shared.translations import t
from kit.text import gettext_noop

_WORDS = {
    CookingState.SENT: gettext_noop("Sent to the kitchen"),
    CookingState.SEEN: gettext_noop("The kitchen has seen it"),
    CookingState.READY: gettext_noop("Ready"),
    CookingState.HANDED_OVER: gettext_noop("Handed over"),
}


def kitchen_progress(token: Any) -> rx.Component:
    """Render the state of cooking of the order with this response token; nothing if unknown."""
    state = CookingProgressState.states.get(token, "")
    words = rx.match(state, *((each.value, t(text)) for each, text in _WORDS.items()), "")
    steps = (rx.el.i(class_name=rx.cond(state == each.value, "now", "")) for each in CookingState)
    shown = rx.el.span(
        rx.el.span(*steps, class_name="progress-steps", aria_hidden="true"),
        rx.el.span(words, role="status", data_testid="kitchen-progress"),
        class_name="kitchen-progress",
    )
    return rx.cond(state != "", shown)
