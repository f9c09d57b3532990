"""How far the kitchen is with an order, as its customer sees it. Source: specification 10.27."""

from typing import Any

import reflex as rx

from campus_app.components.browser.ready_push import ReadyPush
from campus_app.components.icon import icon
from campus_app.domain.kitchen import CookingState
from campus_app.states.cooking import CookingProgressState
from campus_app.states.ready_push import ReadyPushState
from campus_app.translations import t
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
    steps = (rx.el.i(class_name=f"step-{each.value}") for each in CookingState)
    shown = rx.el.span(
        rx.el.span(*steps, class_name="progress-steps", aria_hidden="true"),
        rx.el.span(words, role="status", data_testid="kitchen-progress"),
        class_name=f"kitchen-progress {state}",
    )
    return rx.cond(state != "", shown)


def tell_when_ready(token: Any) -> rx.Component:
    """Render the button for a push message as a list item, until the order is ready."""
    state = CookingProgressState.states.get(token, "")
    is_cooked = (state == CookingState.READY.value) | (state == CookingState.HANDED_OVER.value)
    return rx.cond(
        (state != "") & ~is_cooked,
        ReadyPush.create(
            icon("bell"),
            public_key=ReadyPushState.public_key,
            is_subscribed=ReadyPushState.is_subscribed,
            has_failed=ReadyPushState.has_failed,
            words={
                "ask": t("Tell me when it is ready"),
                "asking": t("One moment…"),
                "done": t("This device will tell you."),
                "stop": t("Don’t tell me"),
                "denied": t("Notifications are blocked. Your browser’s settings can allow them."),
                "failed": t("This browser can’t be told just now."),
                "homeScreen": t(
                    "On an iPhone, add this site to the home screen first, and open it from there."
                ),
            },
            on_check=ReadyPushState.check,
            on_subscribe=ReadyPushState.subscribe,
            on_unsubscribe=ReadyPushState.unsubscribe,
        ),
    )
