"""The one sentence that says why another screen came up."""

from collections import deque
from typing import cast

import reflex as rx
from reflex.event import EventSpec
from reflex_base.event.context import EventContext

from campus_app.domain.messages import OrderMessage
from campus_app.infrastructure import logs

_apologised_for: deque[str] = deque(maxlen=256)
"""The transactions of the last events that failed."""


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
        self.message = OrderMessage.FAILED

    @rx.event
    def close(self):
        """Put the notice away."""
        self.message = ""


async def say(state: rx.State, message: str) -> None:
    """Show a sentence on the screen that comes up next."""
    notice = await state.get_state(NoticeState)
    notice.message = message


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
