"""The banner: a message why the visitor was redirected, or why an action was refused."""

from collections import deque
from datetime import datetime
from typing import cast

import reflex as rx

from campus_app.shared.rules.constants import SUPPORT_EMAIL
from campus_app.shared.rules.messages import (
    OrderMessage,
    ReservationMessage,
    Severity,
    names_support,
    severity_of,
)
from campus_app.shared.translations import t
from kit.observability import logs
from kit.reflex.events import current_event

_failed_events: deque[str] = deque(maxlen=256)
"""The ids of the last events that failed."""

_MARGIN_MS = 50
"""The browser's timer ends this much later, so that the moment has surely passed."""


class BannerState(rx.State):
    """The banner of the current screen, until the visitor closes it or leaves the screen."""

    message: str = ""
    severity: str = Severity.WARNING
    contact: str = ""
    """The support address, if the message mentions support."""
    order_path: str = ""
    """The address of the order that the message is about; empty without one."""
    _path: str = ""
    """The path of the screen that shows the message."""
    _is_for_next_screen: bool = False
    _about_order: str = ""
    """The sentences about that order: other messages of the screen follow them."""

    @rx.event
    def open_screen(self):
        """Clear the banner of another screen when a screen opens."""
        path = self.router.url.path
        if path != self._path and not self._is_for_next_screen:
            self._show()
        self._path, self._is_for_next_screen = path, False

    @rx.event
    def show_failure(self):
        """Show that the action failed."""
        self._show(OrderMessage.FAILED)

    @rx.event
    def close(self):
        """Close the banner."""
        self._show()

    def _show(self, *messages: str, next_screen: bool = False, order_path: str = "") -> None:
        if order_path or not self._about_order or not any(messages):
            self._about_order, self.order_path = "", order_path
        words = [self._about_order, *(t(each) for each in messages)]
        self.message = " ".join(filter(None, words))
        self.severity = severity_of(messages[0] if messages else "")
        self.contact = SUPPORT_EMAIL if any(map(names_support, messages)) else ""
        self._is_for_next_screen = next_screen

    def _show_order(self, path: str, *messages: str) -> None:
        self._show()
        self._about_order = " ".join(map(t, messages))
        self.order_path, self.message = path, self._about_order
        self.severity = severity_of(messages[0])


async def show_banner(state: rx.State, *messages: str, next_screen: bool = False) -> None:
    """Show messages in the visitor's language, on this screen or on the next one."""
    banner = await state.get_state(BannerState)
    banner._show(*messages, next_screen=next_screen)  # noqa: SLF001 - public methods are event handlers


async def hide_banner(state: rx.State) -> None:
    """Remove the banner, whatever it shows."""
    (await state.get_state(BannerState))._show()  # noqa: SLF001 - public methods are event handlers


async def show_at_the_end(state: rx.State, message: str, number: str, path: str) -> None:
    """Show on the next screen a message about an order, with its number and a link to its page.

    Without a `path` the visitor may not see the order: the message stands alone.
    """
    named = [OrderMessage.NUMBER.of(number=number)] if path else []
    banner = await state.get_state(BannerState)
    banner._show(message, *named, next_screen=True, order_path=path)  # noqa: SLF001 - public methods are event handlers


async def show_order(state: rx.State, path: str, *messages: str) -> None:
    """Show messages about an order, with a link to its page; other messages may follow them."""
    (await state.get_state(BannerState))._show_order(path, *messages)  # noqa: SLF001 - public methods are event handlers


async def is_order_shown(state: rx.State) -> bool:
    """Whether the banner is about an order."""
    return (await state.get_state(BannerState)).order_path != ""


async def keep_banner(state: rx.State) -> None:
    """Keep the banner on the next screen."""
    (await state.get_state(BannerState))._is_for_next_screen = True  # noqa: SLF001 - public methods are event handlers


async def is_banner_shown(state: rx.State, message: str) -> bool:
    """Whether the banner shows this message alone."""
    return (await state.get_state(BannerState)).message == t(message)


async def show_change_banner(state: rx.State, message: str, *, next_screen: bool = False) -> None:
    """Show a price-change message, unless 'hold expired' is already shown."""
    banner = await state.get_state(BannerState)
    has_hold_ended = await is_banner_shown(state, ReservationMessage.HOLD_ENDED)
    if message or has_hold_ended:
        shown = ReservationMessage.HOLD_ENDED if has_hold_ended else message
        banner._show(shown, next_screen=next_screen)  # noqa: SLF001 - public methods are event handlers


def ms_until(moment: datetime, now: datetime) -> int:
    """Return the milliseconds until a moment, plus a margin; never zero."""
    return max(0, round((moment - now).total_seconds() * 1000)) + _MARGIN_MS


def event_failed(exception: Exception) -> rx.event.EventSpec | None:
    """Log the exception of an event handler, and return the event that shows a message.

    If that event fails too, it is only logged.
    """
    logs.event_failed(exception)
    failed, caused_by = current_event()
    if caused_by in _failed_events:
        return None
    _failed_events.append(failed)
    return cast("rx.event.EventSpec", BannerState.show_failure())  # the type that Reflex expects
