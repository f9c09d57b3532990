"""The one sentence that says why another screen came up."""

from datetime import datetime

import reflex as rx

from campus_app.domain.messages import ReservationMessage


class NoticeState(rx.State):
    """What the visitor should know on this screen, until it is put away."""

    message: str = ""

    @rx.event
    def stay_known(self):
        """An open tab says that it is still there.

        Reflex forgets a session an hour after its last event; what the browser keeps would then
        be overwritten with nothing.
        """

    @rx.event
    def close(self):
        """Put the notice away."""
        self.message = ""


async def say(state: rx.State, message: str) -> None:
    """Show a sentence on the screen that comes up next."""
    notice = await state.get_state(NoticeState)
    notice.message = message


async def say_change(state: rx.State, message: str) -> None:
    """Show why a total is new, unless it was just said that the table is gone, which is why."""
    notice = await state.get_state(NoticeState)
    if message and notice.message != ReservationMessage.HOLD_ENDED:
        notice.message = message


_MARGIN_MS = 50


def ms_until(moment: datetime, now: datetime) -> int:
    """Return how long a browser waits for a moment: a little longer, never nothing."""
    return max(0, round((moment - now).total_seconds() * 1000)) + _MARGIN_MS
