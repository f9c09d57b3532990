"""The badge: shape, word and colour, never colour alone."""

import reflex as rx

from campus_app.domain.restaurant import RestaurantState


def status_badge(state: str) -> rx.Component:
    """The badge of a state; a block of its size until the state is known."""
    badge = rx.el.span(
        state,
        class_name=rx.match(
            state,
            (RestaurantState.OPEN.value, "status-badge open"),
            (RestaurantState.CLOSED.value, "status-badge closed"),
            "status-badge unavailable",
        ),
    )
    return rx.cond(state != "", badge, rx.el.span("CHECKING", class_name="status-badge unknown"))
