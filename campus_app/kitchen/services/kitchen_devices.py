"""Who may see a kitchen board: links that enrol one device, and the enrolled devices.

Source: specification 10.24.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.catalogue.services.restaurants import find_restaurant
from campus_app.kitchen.rules.kitchen import KitchenDevice, KitchenLink
from campus_app.shared.rules.audit import Actor, AuditAction
from campus_app.shared.rules.constants import KITCHEN_DEVICE_DAYS, KITCHEN_LINK_HOURS
from campus_app.shared.services.devices import CreatedLink, Devices


@dataclass(frozen=True)
class KitchenDevices(Devices[KitchenLink, KitchenDevice]):
    """Creates links, enrols devices and recognises them by the token of their cookie."""

    catalogue: CsvCatalogue

    link_lifetime = timedelta(hours=KITCHEN_LINK_HOURS)
    device_lifetime = timedelta(days=KITCHEN_DEVICE_DAYS)
    created = AuditAction.CREATE_KITCHEN_LINK
    enrolled = AuditAction.ENROL_KITCHEN_DEVICE
    revoked = AuditAction.REVOKE_KITCHEN_DEVICE

    async def create_link(self, restaurant_id: int, by: Actor) -> CreatedLink:
        """Create a link that enrols one device of a kitchen within a day.

        Raises:
            NotFound: If there is no such restaurant.
        """
        find_restaurant(self.catalogue, restaurant_id)

        def link_of(token_hash: str, end: datetime) -> KitchenLink:
            return KitchenLink(token_hash=token_hash, restaurant_id=restaurant_id, expires_at=end)

        return await self.add_link(link_of, by)

    async def restaurant_of_link(self, token: str) -> Restaurant | None:
        """Return the restaurant of a link that is still valid; the link stays unused."""
        link = await self.link_of(token)
        return link and self.catalogue.restaurant(link.restaurant_id)

    async def devices(self, restaurant_id: int | None = None) -> Sequence[KitchenDevice]:
        """Return the enrolled devices by kitchen, of one restaurant or of all.

        Raises:
            NotFound: If there is no such restaurant.
        """
        if restaurant_id is not None:
            find_restaurant(self.catalogue, restaurant_id)
        found = sorted(await self.all_devices(), key=lambda each: each.restaurant_id)
        return [each for each in found if restaurant_id in (None, each.restaurant_id)]

    def device_from(self, link: KitchenLink, device_id: str, at: datetime) -> KitchenDevice:
        """Return the device of the link's kitchen."""
        return KitchenDevice(
            id=device_id, restaurant_id=link.restaurant_id, enrolled_at=at, last_used_at=at
        )

    def subject_of(self, link: KitchenLink) -> str:
        """Return the kitchen."""
        return f"restaurant {link.restaurant_id}"

    def actor_of(self, device: KitchenDevice) -> Actor:
        """Return the device, which has no other name."""
        return actor_of(device)


def actor_of(device: KitchenDevice) -> Actor:
    """Return a kitchen's device as the actor of an audit entry."""
    return Actor(f"kitchen device {device.id}")
