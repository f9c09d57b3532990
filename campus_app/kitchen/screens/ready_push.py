"""'Tell me when it is ready' on the confirmation. Source: specification 10.30."""

from typing import Any

import reflex as rx

from campus_app.kitchen.screens.ready_push_react import ReadyPush
from campus_app.kitchen.screens.ready_push_state import ReadyPushState
from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.screens.cooking_state import CookingProgressState
from campus_app.shared.translations import t
from campus_app.shell.icon import icon


def ready_push_button(token: Any) -> rx.Component:
    """Render the button as a list item, until the order with this response token is ready."""
    state = CookingProgressState.states.get(token, "")
    is_cooked = (state == CookingState.READY.value) | (state == CookingState.HANDED_OVER.value)
    return rx.cond(
        (state != "") & ~is_cooked,
        ReadyPush.create(
            icon("bell"),
            public_key=ReadyPushState.public_key,
            is_offered=ReadyPushState.is_offered,
            is_subscribed=ReadyPushState.is_subscribed,
            has_failed=ReadyPushState.has_failed,
            answers=ReadyPushState.answers,
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
