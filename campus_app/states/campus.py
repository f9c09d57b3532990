"""Which campus the food is brought to."""

import json
from typing import Final

import reflex as rx

from campus_app import routes, wiring
from campus_app.domain.campus import Campus
from campus_app.states.browser_storage import campus_from
from campus_app.states.notice import say

KEPT_AS: Final = "selectedCampus"


class CampusState(rx.State):
    """The campus that this browser has chosen, 'north' or 'south', and how it looks there."""

    selected: str = rx.LocalStorage("", name=KEPT_AS)
    picture: str = ""
    """Every restaurant's status as JSON; a broadcast changes it between two events."""

    @rx.event
    async def choose(self, campus: str):
        """Keep a campus and show its restaurants."""
        chosen = campus_from(campus)
        self.selected = chosen.value
        await say(self, "")
        return rx.redirect(routes.restaurants(chosen))

    @rx.event
    def enter_north(self):
        """The list of the north campus came up, from wherever."""
        self.selected = Campus.NORTH.value
        self._look()

    @rx.event
    def enter_south(self):
        """The list of the south campus came up, from wherever."""
        self.selected = Campus.SOUTH.value
        self._look()

    @rx.event
    def look(self):
        """A screen came up that shows whether restaurants are open."""
        self._look()

    def _look(self) -> None:
        self.picture = status_picture()


def status_picture() -> str:
    """Return every restaurant's status now."""
    return json.dumps(wiring.services().board.picture(), separators=(",", ":"))


async def selected_campus(state: rx.State) -> Campus:
    """Return the campus that the visitor has chosen."""
    return campus_from((await state.get_state(CampusState)).selected)
