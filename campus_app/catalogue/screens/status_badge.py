"""The badge of a restaurant's state: a word and a shape, besides the colour."""

import reflex as rx

from campus_app.catalogue.rules.restaurant import RestaurantState
from campus_app.shared.translations import t
from campus_app.shell.sentence import translated
from kit.text import gettext_noop

_WORDS = (gettext_noop("OPEN"), gettext_noop("CLOSED"), gettext_noop("DELIVERY UNAVAILABLE"))
_INITIAL_COLOURS = {
    RestaurantState.OPEN: ("var(--leaf)", "var(--on-leaf)", "var(--on-leaf)"),
    RestaurantState.CLOSED: ("var(--paper)", "var(--ink-soft)", "transparent"),
    RestaurantState.UNAVAILABLE: ("var(--paper-tint)", "var(--ink)", "var(--ink)"),
}
"""The colours of the background, the word and the dot."""


def initial_badge(state: RestaurantState) -> str:
    """Return CSS custom properties with which a badge of unknown state shows this state."""
    background, colour, dot = _INITIAL_COLOURS[state]
    return (
        f'--initial-word:"{t(state)}";--initial-background:{background}'
        f";--initial-colour:{colour};--initial-dot:{dot}"
    )


def status_badge(state: str) -> rx.Component:
    """Render the badge of a state; while it is '', an empty badge or the page's initial data."""
    badge = rx.el.span(
        translated(state, _WORDS),
        class_name=rx.match(
            state,
            (RestaurantState.OPEN.value, "status-badge open"),
            (RestaurantState.CLOSED.value, "status-badge closed"),
            "status-badge unavailable",
        ),
    )
    unknown = rx.el.span(t("CHECKING"), class_name="status-badge unknown")
    return rx.cond(state != "", badge, unknown)
