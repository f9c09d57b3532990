"""The restaurants' statuses in a page: initial data in its HTML, then pushed by the server."""

import reflex as rx

from campus_app.catalogue import wiring
from campus_app.catalogue.screens.campus_state import CampusState, statuses_json
from campus_app.catalogue.screens.status_badge import initial_badge
from campus_app.catalogue.screens.statuses_react import StatusFeed
from kit.http.csp import escape_script_json


def live_feed() -> rx.Component:
    """Receive pushed statuses; the screen's `on_load` must have `CampusState.refresh_statuses`."""
    return StatusFeed.create(
        pushed=CampusState.statuses,
        hydrated=rx.State.is_hydrated,
        on_heartbeat=CampusState.refresh_statuses,
    )


def initial_statuses() -> str:
    """Return the initial data of a page: statuses, and the style of their badges until hydration.

    The page itself is rendered only at the build.
    """
    badges = "".join(
        f'[data-testid="restaurant-{status.restaurant_id}"]{{{initial_badge(status.state)}}}'
        for status in wiring.services().statuses.all()
    )
    statuses = escape_script_json(statuses_json())
    return f"<style>{badges}</style><script>window.initialStatuses={statuses}</script>"
