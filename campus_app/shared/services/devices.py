"""Links that enrol one device each, and the recognition of a device by its cookie's token."""

import hashlib
import secrets
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, Final, Generic, TypeVar

from campus_app.shared.rules.audit import Actor, AuditAction, audit_entry
from campus_app.shared.rules.device import Device, EnrolmentLink
from campus_app.shared.rules.errors import NotFound
from campus_app.shared.rules.messages import KitchenMessage
from campus_app.shared.sql.devices import SqlDevices
from kit.clock import Clock

_TOKEN_BYTES: Final = 16
_DEVICE_ID_BYTES: Final = 4
_USE_INTERVAL: Final = timedelta(hours=1)
"""How often the use of a device is stored."""

LinkT = TypeVar("LinkT", bound=EnrolmentLink)
DeviceT = TypeVar("DeviceT", bound=Device)


@dataclass(frozen=True)
class CreatedLink:
    """A new link; its token is known only here and in the link."""

    token: str
    expires_at: datetime


@dataclass(frozen=True)
class Enrolment(Generic[DeviceT]):
    """A device that was just enrolled, and the token of its cookie."""

    device: DeviceT
    token: str


@dataclass(frozen=True)
class Devices(ABC, Generic[LinkT, DeviceT]):
    """Creates links, enrols devices and recognises them; a subclass says what they may do.

    Raises:
        DatabaseUnavailable: By every method.
    """

    store: SqlDevices[LinkT, DeviceT]
    clock: Clock
    publish_change: Callable[[], Awaitable[None]]

    link_lifetime: ClassVar[timedelta]
    device_lifetime: ClassVar[timedelta]
    """How long a device stays enrolled after its last use."""
    created: ClassVar[AuditAction]
    enrolled: ClassVar[AuditAction]
    revoked: ClassVar[AuditAction]

    @abstractmethod
    def device_from(self, link: LinkT, device_id: str, at: datetime) -> DeviceT:
        """Return the device that a link enrols at this time."""

    @abstractmethod
    def subject_of(self, link: LinkT) -> str:
        """Return what the audit entries of a link are about."""

    @abstractmethod
    def actor_of(self, device: DeviceT) -> Actor:
        """Return a device as the actor of audit entries."""

    async def add_link(self, link_of: Callable[[str, datetime], LinkT], by: Actor) -> CreatedLink:
        """Store a new link, which `link_of` makes of the hash of its token and its end."""
        now, token = self.clock.now(), secrets.token_urlsafe(_TOKEN_BYTES)
        link = link_of(_hash(token), now + self.link_lifetime)
        await self.store.add_link(link, audit_entry(now, by, self.created, self.subject_of(link)))
        return CreatedLink(token, link.expires_at)

    async def link_of(self, token: str) -> LinkT | None:
        """Return a link that is still valid; it stays unused."""
        return await self.store.find_link(_hash(token), self.clock.now())

    async def enrol(self, token: str) -> Enrolment[DeviceT] | None:
        """Use up a link and enrol a device; None if the link is unknown, used or expired."""
        link = await self.link_of(token)
        if link is None:
            return None
        now = self.clock.now()
        device = self.device_from(link, secrets.token_hex(_DEVICE_ID_BYTES), now)
        device_token = secrets.token_urlsafe(_TOKEN_BYTES)
        subject = self.subject_of(link)
        entry = audit_entry(now, self.actor_of(device), self.enrolled, subject, device=device.id)
        is_enrolled = await self.store.enrol(link.token_hash, device, _hash(device_token), entry)
        return Enrolment(device, device_token) if is_enrolled else None

    async def device_of(self, token: str) -> DeviceT | None:
        """Return the device with this token, and store that it is in use.

        None if it is unknown, was revoked, or has lapsed.
        """
        device = await self.store.find_device(_hash(token)) if token else None
        now = self.clock.now()
        if device is None or self._is_lapsed(device, now):
            return None
        if now - device.last_used_at >= _USE_INTERVAL:
            await self.store.record_use(device.id, now)
        return device

    async def all_devices(self) -> Sequence[DeviceT]:
        """Return the enrolled devices in the order of their enrolment."""
        now = self.clock.now()
        return [each for each in await self.store.devices() if not self._is_lapsed(each, now)]

    async def revoke(self, device_id: str, by: Actor) -> None:
        """Delete a device: its pages close within a second.

        Raises:
            NotFound: If there is no such device.
        """
        entry = audit_entry(self.clock.now(), by, self.revoked, f"device {device_id}")
        can_exist = device_id.isascii() and device_id.isprintable()
        if not can_exist or not await self.store.revoke(device_id, entry):
            raise NotFound("unknown_device", KitchenMessage.UNKNOWN_DEVICE)
        await self.publish_change()

    def _is_lapsed(self, device: DeviceT, now: datetime) -> bool:
        return now >= device.last_used_at + self.device_lifetime


def _hash(token: str) -> str:
    # A random token of 128 bits needs no slow hash: nobody can guess the input.
    # A browser may send lone surrogates, which UTF-8 cannot encode otherwise.
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()
