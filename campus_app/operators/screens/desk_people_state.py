"""The events of the desk's own devices, and of the audit trail: for the owner."""

from typing import Any, TypedDict

import reflex as rx

from campus_app.operators import wiring
from campus_app.operators.rules.desk import DeskArea, DeskRole
from campus_app.operators.screens.desk_entry import DeskEntry, actor_of, device_at_desk, text_in
from campus_app.operators.screens.desk_words import ACTIONS, ROLES, ListEnd, at, called, list_end
from campus_app.ordering.rules.order import is_order_key
from campus_app.shared.rules import routes
from campus_app.shared.rules.audit import AuditAction, AuditEntry
from campus_app.shared.rules.errors import OrderingError
from campus_app.shared.translations import t
from kit.text import normalize_text

_AUDIT_LINES = 200
_MOST_AUDIT_LINES = 2_000
_LONGEST_FILTER = 60
_LONGEST_WORD = 16
_ROLES = tuple(DeskRole)


class DeviceRow(TypedDict):
    """A device of the desk."""

    id: str
    name: str
    roleName: str
    enrolled: str
    used: str
    isThis: bool


class AuditRow(TypedDict):
    """An entry of the audit trail."""

    key: str
    at: str
    actor: str
    did: str
    action: str
    subject: str
    details: str
    href: str


class DeskPeople(DeskEntry, mixin=True):
    """The devices of the desk, the link that was just made, and the audit trail."""

    devices: list[DeviceRow] = []
    desk_link: dict[str, str] = {}
    entries: list[AuditRow] = []
    entries_end: ListEnd = {}
    audit_filter: str = ""
    _audit_lines: int = _AUDIT_LINES
    """How many entries are shown."""

    @rx.event
    async def open_devices(self):
        """Show the devices of the desk."""
        if await self._entered(DeskArea.DEVICES) is None:
            return
        self._say()
        self._push("desk_link", {})
        await self._show_devices()

    @rx.event
    async def make_desk_link(self, form: dict[str, Any]):
        """Make a link that opens the desk on one device of a person."""
        device = await self._entered(DeskArea.DEVICES)
        name, role = text_in(form, "name"), text_in(form, "role")
        if device is None or role not in _ROLES:
            return
        services = wiring.services()
        try:
            link = await services.desk_devices.create_link(DeskRole(role), name, actor_of(device))
        except OrderingError as error:
            self._say(problem=t(error.message))
            return
        self._say()
        made = {
            "name": normalize_text(name),
            "url": services.settings.origin + routes.desk_link(link.token),
            "until": at(link.expires_at, services.clock.now()),
        }
        self._push("desk_link", made)

    @rx.event
    async def revoke_device(self, device_id: str):
        """Close the desk on a device, until a new link opens it."""
        device = await self._entered(DeskArea.DEVICES)
        if device is None or not isinstance(device_id, str):
            return
        try:
            await wiring.services().desk_devices.revoke(device_id, actor_of(device))
            self._say()
        except OrderingError as error:
            self._say(problem=t(error.message))
        if await self._entered(DeskArea.DEVICES) is not None:
            await self._show_devices()

    @rx.event
    async def open_audit(self):
        """Show the newest entries of the audit trail."""
        if await self._entered(DeskArea.AUDIT) is None:
            return
        self._say()
        self.audit_filter, self._audit_lines = "", _AUDIT_LINES
        await self._show_audit()

    @rx.event
    async def filter_audit(self, form: dict[str, Any]):
        """Show the entries whose actor, action or subject contains a text."""
        if await self._entered(DeskArea.AUDIT) is None:
            return
        self.audit_filter = normalize_text(text_in(form, "text")[:_LONGEST_FILTER])
        self._audit_lines = _AUDIT_LINES
        await self._show_audit()

    @rx.event
    async def show_more_entries(self):
        """Show further entries below the others."""
        if await self._entered(DeskArea.AUDIT) is not None:
            self._audit_lines = min(self._audit_lines + _AUDIT_LINES, _MOST_AUDIT_LINES)
            await self._show_audit()

    async def _show_devices(self) -> None:
        services = wiring.services()
        now = services.clock.now()
        this = await device_at_desk()
        rows = [
            DeviceRow(
                id=each.id,
                name=each.name,
                roleName=called(ROLES, each.role),
                enrolled=at(each.enrolled_at, now),
                used=at(each.last_used_at, now),
                isThis=this is not None and each.id == this.id,
            )
            for each in await services.desk_devices.devices()
        ]
        self._push("devices", rows)

    async def _show_audit(self) -> None:
        services = wiring.services()
        now = services.clock.now()
        words, audit = self.audit_filter, services.operations.audit
        found, total = await audit.found(words, _actions_called(words), self._audit_lines)
        rows = [
            AuditRow(
                key=f"{number}",
                at=at(each.at, now),
                actor=each.actor,
                did=called(ACTIONS, each.action),
                action=each.action,
                subject=_subject(each),
                details=", ".join(
                    f"{name}: {_shortened(value)}"
                    for name, value in each.details.items()
                    if name != "number"
                ),
                href=routes.desk_order(each.subject) if is_order_key(each.subject) else "",
            )
            for number, each in enumerate(found)
        ]
        end = list_end(len(rows), total, _AUDIT_LINES, _MOST_AUDIT_LINES)
        self._push("entries", rows)
        self._push("entries_end", end)


def _subject(entry: AuditEntry) -> str:
    """Return what was changed, in words where it is an order whose number nobody noted."""
    by_number = entry.details.get("number")
    return by_number or (t("Open the order") if is_order_key(entry.subject) else entry.subject)


def _actions_called(words: str) -> list[AuditAction]:
    """Return the actions whose names, as the page shows them, contain words."""
    part = words.casefold()
    return [each for each in AuditAction if part and part in called(ACTIONS, each).casefold()]


def _shortened(value: str) -> str:
    """Return a value with the beginnings of its ids: whole ones are wider than a phone."""
    return " ".join(
        each if len(each) <= _LONGEST_WORD else f"{each[:_LONGEST_WORD]}…" for each in value.split()
    )
