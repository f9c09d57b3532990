"""What a kitchen's device shows and keeps, as `assets/js/campus_app/kitchen/kitchen_board.js` does.

A press shows at once, and is kept until the server has confirmed it.
"""

import json
import time
import uuid
from collections.abc import Collection
from dataclasses import dataclass, replace

from campus_app.ordering.rules.cooking import CookingState
from campus_app.shared.rules.constants import UNDO_SECONDS
from tools.simulation.kitchen_log import MadePress

_SHOWN_AFTER_CONFIRMATION_SECONDS = 2.0


@dataclass(frozen=True)
class ShownTicket:
    """A ticket with the presses that the server has not sent back yet."""

    state: CookingState
    previous: CookingState
    undo_until: float
    """In milliseconds of campus time."""


class DeviceBoard:
    """The tickets that the server has sent, and the presses that it has not confirmed."""

    def __init__(self) -> None:
        self.device_id = ""
        self._tickets: dict[str, ShownTicket] = {}
        self._waiting: list[MadePress] = []
        self._confirmed: list[tuple[MadePress, float]] = []
        self._ahead_ms = 0.0

    def __contains__(self, order_id: str) -> bool:
        return order_id in self._tickets

    @property
    def waiting(self) -> list[MadePress]:
        """The presses that the server has not confirmed, oldest first."""
        return list(self._waiting)

    def accept(self, text: str) -> Collection[str]:
        """Show a board from the server; return the ids of all its orders."""
        if not text:
            self._tickets = {}
            return ()
        board = json.loads(text)
        self.device_id = board["device"]
        self._ahead_ms = board["at"] - time.time() * 1000
        self._confirmed = []
        self._tickets = {
            each["id"]: ShownTicket(
                CookingState(each["state"]), CookingState(each["previous"]), each["undoUntil"]
            )
            for each in board["tickets"]
        }
        return self._tickets.keys()

    def ticket(self, order_id: str) -> ShownTicket:
        """Return a ticket as the device shows it."""
        latest = time.time() - _SHOWN_AFTER_CONFIRMATION_SECONDS
        presses = [press for press, at in self._confirmed if at > latest] + self._waiting
        shown = self._tickets[order_id]
        for press in sorted(presses, key=lambda each: each.at):
            if press.order_id == order_id:
                shown = self._after(shown, press)
        return shown

    def can_undo(self, order_id: str) -> bool:
        """Whether the device offers to undo the last press."""
        shown = self.ticket(order_id)
        return shown.state != shown.previous and self._campus_ms(time.time()) < shown.undo_until

    def press(self, order_id: str, target: CookingState) -> MadePress:
        """Press a button of a ticket."""
        saw = self.ticket(order_id).state
        press = MadePress(str(uuid.uuid4()), order_id, saw.value, target.value, time.time())
        self._waiting.append(press)
        return press

    def confirm(self, ids: Collection[str]) -> bool:
        """Stop sending the confirmed presses; return whether there were any."""
        confirmed = [each for each in self._waiting if each.id in ids]
        self._waiting = [each for each in self._waiting if each.id not in ids]
        self._confirmed += [(each, time.time()) for each in confirmed]
        return bool(confirmed)

    def _after(self, shown: ShownTicket, press: MadePress) -> ShownTicket:
        saw, target = CookingState(press.saw), CookingState(press.target)
        undo_until = self._campus_ms(press.at) + UNDO_SECONDS * 1000
        if target.rank > saw.rank:
            if target.rank <= shown.state.rank:
                return shown
            return ShownTicket(target, shown.state, undo_until)
        if (shown.state, shown.previous) != (saw, target):
            return shown
        return replace(shown, state=target, previous=target, undo_until=undo_until)

    def _campus_ms(self, moment: float) -> float:
        return moment * 1000 + self._ahead_ms
