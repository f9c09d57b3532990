"""The badge of a restaurant's state, with a shape and a word beside its colour."""

import reflex as rx

from campus_app.components.sentence import in_words
from campus_app.domain.messages import gettext_noop
from campus_app.domain.restaurant import RestaurantState
from campus_app.translations import t

_WORDS = (gettext_noop("OPEN"), gettext_noop("CLOSED"), gettext_noop("DELIVERY UNAVAILABLE"))
_FIRST_LOOKS = {
    RestaurantState.OPEN: "leaf);--first-ink:var(--on-leaf);--first-dot:var(--on-leaf)",
    RestaurantState.CLOSED: "paper);--first-ink:var(--ink-soft);--first-dot:transparent",
    RestaurantState.UNAVAILABLE: "paper-tint);--first-ink:var(--ink);--first-dot:var(--ink)",
}


def initial_badge(state: RestaurantState) -> str:
    """Return the CSS declarations that show a state in a badge until hydration."""
    return f'--first-word:"{t(state)}";--first-ground:var(--{_FIRST_LOOKS[state]}'


def status_badge(state: str) -> rx.Component:
    """Render the badge of a state; a block of its size while the state is unknown."""
    badge = rx.el.span(
        in_words(state, _WORDS),
        class_name=rx.match(
            state,
            (RestaurantState.OPEN.value, "status-badge open"),
            (RestaurantState.CLOSED.value, "status-badge closed"),
            "status-badge unavailable",
        ),
    )
    unknown = rx.el.span(t("CHECKING"), class_name="status-badge unknown")
    return rx.cond(state != "", badge, unknown)
