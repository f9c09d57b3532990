"""The sentence that says why a screen came up, or why something on it was refused."""

from collections import deque
from datetime import datetime
from typing import cast

import reflex as rx
from reflex.event import EventSpec

from campus_app.domain.constants import SUPPORT_EMAIL
from campus_app.domain.messages import (
    OrderMessage,
    ReservationMessage,
    Severity,
    names_support,
    severity_of,
)
from campus_app.translations import t
from kit.observability import logs
from kit.reflex.events import current_event

_apologised_for: deque[str] = deque(maxlen=256)
"""The ids of the last events that failed."""

_MARGIN_MS = 50


class BannerState(rx.State):
    """What the visitor should know on this screen, until it is put away or the screen is left."""

    message: str = ""
    severity: str = Severity.WARNING
    contact: str = ""
    """The e-mail address to write to, where the message names support."""
    _path: str = ""
    """The screen that the message stands on."""
    _is_for_next_screen: bool = False

    @rx.event
    def open_screen(self):
        """A screen came up: what was said of another one does not stand here."""
        path = self.router.url.path
        if path != self._path and not self._is_for_next_screen:
            self._show()
        self._path, self._is_for_next_screen = path, False

    @rx.event
    def apologise(self):
        """What the visitor asked for failed: say so."""
        self._show(OrderMessage.FAILED)

    @rx.event
    def close(self):
        """Put the notice away."""
        self._show()

    def _show(self, *messages: str, next_screen: bool = False) -> None:
        self.message = " ".join(t(each) for each in messages if each)
        self.severity = severity_of(messages[0] if messages else "")
        self.contact = SUPPORT_EMAIL if any(map(names_support, messages)) else ""
        self._is_for_next_screen = next_screen


async def show_banner(state: rx.State, *messages: str, next_screen: bool = False) -> None:
    """Show sentences, in the visitor's language, on this screen, or on the one that comes next."""
    notice = await state.get_state(BannerState)
    notice._show(*messages, next_screen=next_screen)  # noqa: SLF001 - one family of states


async def show_change_banner(state: rx.State, message: str, *, next_screen: bool = False) -> None:
    """Show why prices changed, unless the message already says that the table is gone."""
    notice = await state.get_state(BannerState)
    is_table_gone = notice.message == t(ReservationMessage.HOLD_ENDED)
    if message or is_table_gone:
        said = ReservationMessage.HOLD_ENDED if is_table_gone else message
        notice._show(said, next_screen=next_screen)  # noqa: SLF001 - one family of states


def ms_until(moment: datetime, now: datetime) -> int:
    """Return how long a browser waits for a moment: a little longer, never nothing."""
    return max(0, round((moment - now).total_seconds() * 1000)) + _MARGIN_MS


def event_failed(exception: Exception) -> EventSpec | None:
    """Log an event that failed, and tell the visitor.

    What made an event fail can make the apology fail too; that one is only logged.
    """
    logs.event_failed(exception)
    failed, caused_by = current_event()
    if caused_by in _apologised_for:
        return None
    _apologised_for.append(failed)
    return cast("EventSpec", BannerState.apologise())  # Reflex insists on this very type
