"""How statuses reach a page: with it, then by push."""

import reflex as rx

from campus_app import wiring
from campus_app.components.browser import StatusFeed
from campus_app.components.status_badge import initial_badge
from campus_app.states.campus import CampusState, status_picture
from kit.http.csp import escape_script_json


def live_feed() -> rx.Component:
    """What a screen holds that shows whether restaurants are open; its route loads `look`."""
    return StatusFeed.create(
        pushed=CampusState.picture, hydrated=rx.State.is_hydrated, on_heartbeat=CampusState.look
    )


def initial_statuses() -> str:
    """Return what a page is sent with: the statuses, and the looks of their badges until it runs.

    The page itself is drawn once, when it is built.
    """
    badges = "".join(
        f'[data-testid="restaurant-{status.restaurant_id}"]{{{initial_badge(status.state)}}}'
        for status in wiring.services().board.statuses()
    )
    picture = escape_script_json(status_picture())  # an operator's message may hold anything
    return f"<style>{badges}</style><script>window.firstStatuses={picture}</script>"
