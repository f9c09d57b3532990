"""Who may use the desk: links that enrol one device, and the enrolled devices.

Source: specification 11.1 to 11.4.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from campus_app.operators.rules.desk import (
    MAXIMUM_NAME_CHARACTERS,
    DeskDevice,
    DeskLink,
    DeskRole,
)
from campus_app.shared.rules.audit import Actor, AuditAction
from campus_app.shared.rules.constants import DESK_DEVICE_DAYS, DESK_LINK_HOURS
from campus_app.shared.rules.errors import Invalid
from campus_app.shared.rules.messages import DeskMessage
from campus_app.shared.services.devices import CreatedLink, Devices
from kit.text import normalize_text


@dataclass(frozen=True)
class DeskDevices(Devices[DeskLink, DeskDevice]):
    """Creates links, enrols devices and recognises them by the token of their cookie."""

    link_lifetime = timedelta(hours=DESK_LINK_HOURS)
    device_lifetime = timedelta(days=DESK_DEVICE_DAYS)
    created = AuditAction.CREATE_DESK_LINK
    enrolled = AuditAction.ENROL_DESK_DEVICE
    revoked = AuditAction.REVOKE_DESK_DEVICE

    async def create_link(self, role: DeskRole, name: str, by: Actor) -> CreatedLink:
        """Create a link that enrols one device of a person within an hour.

        Raises:
            Invalid: If the name is empty or longer than 60 characters.
        """
        line = normalize_text(name)
        if not 0 < len(line) <= MAXIMUM_NAME_CHARACTERS:
            raise Invalid(DeskMessage.NAME_LENGTH.of(most=str(MAXIMUM_NAME_CHARACTERS)))

        def link_of(token_hash: str, end: datetime) -> DeskLink:
            return DeskLink(token_hash=token_hash, role=role, name=line, expires_at=end)

        return await self.add_link(link_of, by)

    async def devices(self) -> Sequence[DeskDevice]:
        """Return the enrolled devices in the order of their enrolment."""
        return await self.all_devices()

    def device_from(self, link: DeskLink, device_id: str, at: datetime) -> DeskDevice:
        """Return the device of the link's person."""
        return DeskDevice(
            id=device_id, role=link.role, name=link.name, enrolled_at=at, last_used_at=at
        )

    def subject_of(self, link: DeskLink) -> str:
        """Return for whom the link is."""
        return f"desk of {link.name} ({link.role})"

    def actor_of(self, device: DeskDevice) -> Actor:
        """Return the person at a device."""
        return Actor(device.name, via=f"desk {device.id}")
