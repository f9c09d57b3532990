"""The live statuses of a page: in its HTML first, then by push."""

import reflex as rx

from campus_app import wiring
from campus_app.components.browser import StatusFeed
from campus_app.components.status_badge import initial_badge
from campus_app.states.campus import CampusState, statuses_json
from kit.http.csp import escape_script_json


def live_feed() -> rx.Component:
    """The component of screens that show statuses.

    Their `on_load` has `CampusState.refresh_statuses`.
    """
    return StatusFeed.create(
        pushed=CampusState.statuses,
        hydrated=rx.State.is_hydrated,
        on_heartbeat=CampusState.refresh_statuses,
    )


def initial_statuses() -> str:
    """Return the initial data of a page: the statuses, and their badges' style until hydration.

    The page itself is drawn once, when it is built.
    """
    badges = "".join(
        f'[data-testid="restaurant-{status.restaurant_id}"]{{{initial_badge(status.state)}}}'
        for status in wiring.services().board.statuses()
    )
    picture = escape_script_json(statuses_json())
    return f"<style>{badges}</style><script>window.firstStatuses={picture}</script>"
