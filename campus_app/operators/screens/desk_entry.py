"""Who is at the desk: every event finds the device by the cookie of its socket.

Nothing that a client sends names a person or a role. The classes of the desk's events are mixins of
one state: each further state would cost every visitor of the product memory.
"""

from collections.abc import Mapping
from typing import Final, cast

import reflex as rx

from campus_app.operators import wiring
from campus_app.operators.rules.desk import (
    DESK_COOKIE,
    DeskArea,
    DeskDevice,
    areas_of,
    may_enter,
)
from campus_app.operators.screens.desk_words import ROLES, called
from campus_app.operators.services.desk import DeskView
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.messages import DeskMessage
from campus_app.shared.translations import t
from kit.reflex.handshake import HandshakeCookie
from kit.translations import language

desk_cookie: Final = HandshakeCookie(DESK_COOKIE)
"""The token of the device whose socket sent the current event."""


class DeskEntry(rx.State, mixin=True):
    """Admits the device of an event to an area of the desk, and holds what all its pages show."""

    person: str = ""
    """Who uses the device, and the role."""
    areas: list[str] = []
    """What that person may see."""
    is_refused: bool = False
    """Whether the device is not enrolled, or may not see this page."""
    problem: str = ""
    """Why the last change was not made."""
    done: str = ""
    """What the last change has done."""

    @rx.event
    def leave(self):
        """Forget what a page has shown, and send it nothing more."""
        self._forget(self._kept())

    def _kept(self) -> dict[str, object]:
        """Return the variables that `leave` must not reset, such as a list that is not published.

        No page shows them by themselves.
        """
        return {}

    def _forget(self, kept: Mapping[str, object]) -> None:
        wiring.services().desk.views.close(self._socket_id())
        self.reset()
        for name, value in kept.items():
            setattr(self, name, value)

    @rx.event
    async def arrive(self):
        """Wait until the page's content was sent, a second at most.

        This is the last handler on load, after which the page counts as hydrated. After a
        reconnection the browser keeps the earlier content, and what is half typed in it, until
        then (kit/reflex/patches/keep_page.patch).
        """
        desk = wiring.services().desk
        if self._socket_id() in desk.views:  # a refused device is sent nothing
            await desk.sent()

    async def _entered(self, area: DeskArea) -> DeskDevice | None:
        """Return the device of the socket if it may use an area; else show that it may not."""
        device = await device_at_desk()
        if device is not None and may_enter(device.role, area):
            self.areas = [str(each) for each in areas_of(device.role)]
            self.person = f"{device.name} · {called(ROLES, device.role)}"
            self.is_refused = False
            self._follow(device, area)
            return device
        # Who may not see this area keeps what is not published in another one.
        self._forget(self._kept() if device else {})
        self.is_refused = True
        self.problem = t(DeskMessage.NOT_ALLOWED) if device else ""
        return None

    def _follow(self, device: DeskDevice, area: DeskArea) -> None:
        """Note which area the page shows: it is emptied when the device may not see it any more."""
        views = wiring.services().desk.views
        shown = views.get(self._socket_id())
        if shown is None or (shown.device.id, shown.area) != (device.id, area):
            views.open(self._socket_id(), DeskView(device, language(), area))

    def _push(self, name: str, value: object) -> None:
        """Send a variable to this page alone; no session keeps it."""
        wiring.services().desk.push(self._socket_id(), name, value)

    def _say(self, *, done: str = "", problem: str = "") -> None:
        self.done, self.problem = done, problem

    def _socket_id(self) -> str:
        return self.router.session.session_id


async def device_at_desk() -> DeskDevice | None:
    """Return the enrolled device whose socket sent the current event."""
    return await wiring.services().desk_devices.device_of(desk_cookie.get())


def text_in(form: object, name: str) -> str:
    """Return the text of a form's field; empty unless it is one."""
    value = cast("dict[str, object]", form).get(name) if isinstance(form, dict) else ""
    return value if isinstance(value, str) else ""


def actor_of(device: DeskDevice) -> Actor:
    """Return the person at a device as the actor of what the device does."""
    return wiring.services().desk_devices.actor_of(device)
