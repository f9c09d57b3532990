"""Who may see a kitchen board: links that enrol one device, and the enrolled devices.

Source: specification 10.24.
"""

import hashlib
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.catalogue.services.restaurants import find_restaurant
from campus_app.kitchen.rules.kitchen import KitchenDevice, KitchenLink
from campus_app.kitchen.sql.kitchen_devices import SqlKitchenDevices
from campus_app.shared.rules.audit import Actor, AuditAction, audit_entry
from campus_app.shared.rules.constants import KITCHEN_DEVICE_DAYS, KITCHEN_LINK_HOURS
from campus_app.shared.rules.errors import NotFound
from campus_app.shared.rules.messages import KitchenMessage
from kit.clock import Clock

_TOKEN_BYTES: Final = 16
_DEVICE_ID_BYTES: Final = 4
_LIFETIME: Final = timedelta(days=KITCHEN_DEVICE_DAYS)
_USE_INTERVAL: Final = timedelta(hours=1)
"""How often the use of a device is stored."""


@dataclass(frozen=True)
class CreatedLink:
    """A new kitchen link; its token is known only here and in the link."""

    token: str
    expires_at: datetime


@dataclass(frozen=True)
class Enrolment:
    """A device that was just enrolled, and the token of its cookie."""

    device: KitchenDevice
    token: str


@dataclass(frozen=True)
class KitchenDevices:
    """Creates links, enrols devices and recognises them by the token of their cookie."""

    store: SqlKitchenDevices
    catalogue: CsvCatalogue
    clock: Clock
    publish_change: Callable[[], Awaitable[None]]

    async def create_link(self, restaurant_id: int, by: Actor) -> CreatedLink:
        """Create a link that enrols one device of a kitchen within a day.

        Raises:
            NotFound: If there is no such restaurant.
        """
        find_restaurant(self.catalogue, restaurant_id)
        now, token = self.clock.now(), secrets.token_urlsafe(_TOKEN_BYTES)
        link = KitchenLink(_hash(token), restaurant_id, now + timedelta(hours=KITCHEN_LINK_HOURS))
        action = AuditAction.CREATE_KITCHEN_LINK
        await self.store.add_link(link, audit_entry(now, by, action, _kitchen(restaurant_id)))
        return CreatedLink(token, link.expires_at)

    async def restaurant_of_link(self, token: str) -> Restaurant | None:
        """Return the restaurant of a link that is still valid; the link stays unused."""
        link = await self.store.find_link(_hash(token), self.clock.now())
        return link and self.catalogue.restaurant(link.restaurant_id)

    async def enrol(self, token: str) -> Enrolment | None:
        """Use up a link and enrol a device; None if the link is unknown, used or expired."""
        now, link_hash = self.clock.now(), _hash(token)
        link = await self.store.find_link(link_hash, now)
        if link is None:
            return None
        device = KitchenDevice(secrets.token_hex(_DEVICE_ID_BYTES), link.restaurant_id, now, now)
        device_token = secrets.token_urlsafe(_TOKEN_BYTES)
        entry = audit_entry(
            now,
            actor_of(device),
            AuditAction.ENROL_KITCHEN_DEVICE,
            _kitchen(link.restaurant_id),
            device=device.id,
        )
        is_enrolled = await self.store.enrol(link_hash, device, _hash(device_token), entry)
        return Enrolment(device, device_token) if is_enrolled else None

    async def device_of(self, token: str) -> KitchenDevice | None:
        """Return the device with this token, and store that it is in use.

        None if it is unknown, was revoked, or has not been used for 90 days.
        """
        device = await self.store.find_device(_hash(token)) if token else None
        now = self.clock.now()
        if device is None or self._is_lapsed(device, now):
            return None
        if now - device.last_used_at >= _USE_INTERVAL:
            await self.store.record_use(device.id, now)
        return device

    async def devices(self, restaurant_id: int | None = None) -> Sequence[KitchenDevice]:
        """Return the enrolled devices, of one restaurant or of all.

        Raises:
            NotFound: If there is no such restaurant.
        """
        if restaurant_id is not None:
            find_restaurant(self.catalogue, restaurant_id)
        now = self.clock.now()
        return [
            device
            for device in await self.store.devices()
            if restaurant_id in (None, device.restaurant_id) and not self._is_lapsed(device, now)
        ]

    async def revoke(self, device_id: str, by: Actor) -> None:
        """Delete a device: its boards close within a second.

        Raises:
            NotFound: If there is no such device.
        """
        action = AuditAction.REVOKE_KITCHEN_DEVICE
        entry = audit_entry(self.clock.now(), by, action, f"device {device_id}")
        can_exist = device_id.isascii() and device_id.isprintable()
        if not can_exist or not await self.store.revoke(device_id, entry):
            raise NotFound("unknown_device", KitchenMessage.UNKNOWN_DEVICE)
        await self.publish_change()

    def _is_lapsed(self, device: KitchenDevice, now: datetime) -> bool:
        return now >= device.last_used_at + _LIFETIME


def actor_of(device: KitchenDevice) -> Actor:
    """Return a kitchen's device as the actor of an audit entry."""
    return Actor(f"kitchen device {device.id}")


def _hash(token: str) -> str:
    # A random token of 128 bits needs no slow hash: nobody can guess the input.
    # A browser may send lone surrogates, which UTF-8 cannot encode otherwise.
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def _kitchen(restaurant_id: int) -> str:
    return f"restaurant {restaurant_id}"
