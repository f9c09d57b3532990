"""The live statuses of a page: in its HTML first, then by push."""

import reflex as rx

from campus_app import wiring
from campus_app.components.browser import StatusFeed
from campus_app.components.status_badge import initial_badge
from campus_app.states.campus import CampusState, status_picture
from kit.http.csp import escape_script_json


def live_feed() -> rx.Component:
    """The component of screens that show statuses; their `on_load` has `CampusState.look`."""
    return StatusFeed.create(
        pushed=CampusState.picture, hydrated=rx.State.is_hydrated, on_heartbeat=CampusState.look
    )


def initial_statuses() -> str:
    """Return the initial data of a page: the statuses, and their badges' style until hydration.

    The page itself is drawn once, when it is built.
    """
    badges = "".join(
        f'[data-testid="restaurant-{status.restaurant_id}"]{{{initial_badge(status.state)}}}'
        for status in wiring.services().board.statuses()
    )
    picture = escape_script_json(status_picture())
    return f"<style>{badges}</style><script>window.firstStatuses={picture}</script>"
