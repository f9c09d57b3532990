"""The one sentence that says why another screen came up."""

from collections import deque
from datetime import datetime
from typing import cast

import reflex as rx
from reflex.event import EventSpec
from reflex_base.event.context import EventContext

from campus_app.domain.messages import OrderMessage, ReservationMessage
from campus_app.infrastructure import logs
from campus_app.translations import t

_apologised_for: deque[str] = deque(maxlen=256)
"""The transactions of the last events that failed."""

_MARGIN_MS = 50


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
    def apologise(self):
        """What the visitor asked for failed: say so."""
        self.message = t(OrderMessage.FAILED)

    @rx.event
    def close(self):
        """Put the notice away."""
        self.message = ""


async def say(state: rx.State, message: str) -> None:
    """Show a sentence, in the visitor's language, on the screen that comes up next."""
    notice = await state.get_state(NoticeState)
    notice.message = t(message)


async def say_change(state: rx.State, message: str) -> None:
    """Show why prices are others, unless it was just said that the table is gone: that is why."""
    notice = await state.get_state(NoticeState)
    if message and notice.message != t(ReservationMessage.HOLD_ENDED):
        notice.message = t(message)


def ms_until(moment: datetime, now: datetime) -> int:
    """Return how long a browser waits for a moment: a little longer, never nothing."""
    return max(0, round((moment - now).total_seconds() * 1000)) + _MARGIN_MS


def event_failed(exception: Exception) -> EventSpec | None:
    """Log an event that failed, and tell the visitor.

    What made an event fail can make the apology fail too; that one is only logged.
    """
    logs.event_failed(exception)
    failed = EventContext.get()
    if failed.parent_txid in _apologised_for:
        return None
    _apologised_for.append(failed.txid)
    return cast("EventSpec", NoticeState.apologise())  # Reflex insists on this very type
