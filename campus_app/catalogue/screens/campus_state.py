"""The visitor's campus, and the statuses of the restaurants."""

import json
from typing import Final

import reflex as rx

from campus_app.catalogue import wiring
from campus_app.shared.rules import routes
from campus_app.shared.rules.campus import Campus, parse_campus
from campus_app.shell.banner_state import hide_banner

STORAGE_KEY: Final = "selectedCampus"


class CampusState(rx.State):
    """The campus that the browser has chosen (a `Campus` or ''), and the statuses."""

    selected: str = rx.LocalStorage("", name=STORAGE_KEY, sync=True)
    statuses: str = ""
    """Every restaurant's status as JSON; broadcasts update it between events."""

    @rx.event
    async def choose(self, campus: str):
        """Store a campus and show its restaurants."""
        chosen = parse_campus(campus)
        if chosen is None:
            return None
        self.selected = chosen.value
        await hide_banner(self)
        return rx.redirect(routes.restaurants(chosen))

    @rx.event
    def select(self, campus: str):
        """Store a campus without leaving the screen."""
        chosen = parse_campus(campus)
        if chosen is not None:
            self.selected = chosen.value

    @rx.event
    def enter_list(self):
        """Choose the campus whose list opens."""
        if campus := routes.campus_at(self.router.url.path):
            self.selected = campus.value
        self.statuses = statuses_json()

    @rx.event
    def refresh_statuses(self):
        """Send the statuses when a screen that shows them opens."""
        self.statuses = statuses_json()


def statuses_json() -> str:
    """Return every restaurant's current status as JSON."""
    return json.dumps(wiring.services().statuses.snapshot(), separators=(",", ":"))


async def selected_campus(state: rx.State) -> Campus | None:
    """Return the campus that the visitor has chosen, or None before a choice."""
    return parse_campus((await state.get_state(CampusState)).selected)
