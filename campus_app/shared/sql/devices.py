"""One-time links and the devices enrolled with them, in SQL: of kitchens, or of the desk."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Generic, TypeVar

from sqlalchemy import Connection, delete, insert, select, update
from sqlmodel import SQLModel

from campus_app.shared.rules.audit import AuditEntry
from campus_app.shared.rules.device import Device, EnrolmentLink
from campus_app.shared.sql.audit import record
from kit.db.database import Database
from kit.db.tables import from_row, table_of

LinkT = TypeVar("LinkT", bound=EnrolmentLink)
DeviceT = TypeVar("DeviceT", bound=Device)


class SqlDevices(Generic[LinkT, DeviceT]):
    """One row per link that is not used yet, and one per device. Tokens are stored as hashes."""

    def __init__(
        self,
        database: Database,
        links: tuple[type[LinkT], type[SQLModel]],
        devices: tuple[type[DeviceT], type[SQLModel]],
    ) -> None:
        """`links` and `devices` are each the class of a value and the class of its row."""
        self._database = database
        self._link, self._links = links[0], table_of(links[1])
        self._device, self._devices = devices[0], table_of(devices[1])

    async def add_link(self, link: LinkT, entry: AuditEntry) -> None:
        """Store a new link; expired ones are deleted."""
        links = self._links

        def work(connection: Connection) -> None:
            connection.execute(delete(links).where(links.c.expires_at <= entry.at))
            connection.execute(insert(links), asdict(link))
            record(connection, entry)

        await self._database.write(work)

    async def find_link(self, token_hash: str, at: datetime) -> LinkT | None:
        """Return an unused link that has not expired."""
        links = self._links
        row = await self._database.fetch_one(
            select(links).where(links.c.token_hash == token_hash, links.c.expires_at > at)
        )
        return None if row is None else from_row(self._link, links, row)

    async def enrol(
        self, link_hash: str, device: DeviceT, token_hash: str, entry: AuditEntry
    ) -> bool:
        """Use up a link and store the device; False if the link is used or expired by then."""

        def work(connection: Connection) -> bool:
            if not self._use_up(connection, link_hash, device.enrolled_at):
                return False
            connection.execute(insert(self._devices), asdict(device) | {"token_hash": token_hash})
            record(connection, entry)
            return True

        return await self._database.write(work)

    def _use_up(self, connection: Connection, link_hash: str, at: datetime) -> bool:
        """Delete a link that is still valid; of two concurrent devices only one finds it."""
        links = self._links
        used = connection.execute(
            delete(links).where(links.c.token_hash == link_hash, links.c.expires_at > at)
        )
        return used.rowcount == 1

    async def find_device(self, token_hash: str) -> DeviceT | None:
        """Return the device with this token."""
        devices = self._devices
        row = await self._database.fetch_one(
            select(devices).where(devices.c.token_hash == token_hash)
        )
        return None if row is None else from_row(self._device, devices, row)

    async def record_use(self, device_id: str, at: datetime) -> None:
        """Store when a device was used last."""
        devices = self._devices
        await self._database.execute(
            update(devices).where(devices.c.id == device_id).values(last_used_at=at)
        )

    async def devices(self) -> Sequence[DeviceT]:
        """Return the devices in the order of their enrolment."""
        devices = self._devices
        rows = await self._database.fetch_all(
            select(devices).order_by(devices.c.enrolled_at, devices.c.id)
        )
        return [from_row(self._device, devices, row) for row in rows]

    async def revoke(self, device_id: str, entry: AuditEntry) -> bool:
        """Delete a device; False if no device has this id."""

        def work(connection: Connection) -> bool:
            devices = self._devices
            revoked = connection.execute(delete(devices).where(devices.c.id == device_id))
            if revoked.rowcount == 1:
                record(connection, entry)
            return revoked.rowcount == 1

        return await self._database.write(work)
