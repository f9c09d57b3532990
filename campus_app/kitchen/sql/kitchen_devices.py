"""Kitchen links and devices in SQL."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, delete, exists, insert, select, update

from campus_app.kitchen.rules.kitchen import KitchenDevice, KitchenLink
from campus_app.kitchen.sql.tables import KitchenDeviceRow, KitchenLinkRow
from campus_app.ordering.sql.tables import OrderRow, PaymentRow
from campus_app.shared.rules.audit import AuditEntry
from campus_app.shared.rules.constants import KITCHEN_DEVICE_DAYS
from campus_app.shared.sql.audit import record
from kit.db.database import Database
from kit.db.tables import from_row, table_of

_links = table_of(KitchenLinkRow)
_devices = table_of(KitchenDeviceRow)
_orders = table_of(OrderRow)
_payments = table_of(PaymentRow)


def uses_board(at: datetime) -> ColumnElement[bool]:
    """Return the SQL condition for orders, joined with their payments, of kitchens with a board.

    A device of the kitchen was enrolled before the payment, and has not lapsed at `at`.
    """
    return exists().where(
        _devices.c.restaurant_id == _orders.c.restaurant_id,
        _devices.c.enrolled_at <= _payments.c.paid_at,
        _devices.c.last_used_at > at - timedelta(days=KITCHEN_DEVICE_DAYS),
    )


class SqlKitchenDevices:
    """One row per link that is not used yet, and one per device. Tokens are stored as hashes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add_link(self, link: KitchenLink, entry: AuditEntry) -> None:
        """Store a new link; expired ones are deleted."""

        def work(connection: Connection) -> None:
            connection.execute(delete(_links).where(_links.c.expires_at <= entry.at))
            connection.execute(insert(_links), asdict(link))
            record(connection, entry)

        await self._database.write(work)

    async def find_link(self, token_hash: str, at: datetime) -> KitchenLink | None:
        """Return an unused link that has not expired."""
        row = await self._database.fetch_one(
            select(_links).where(_links.c.token_hash == token_hash, _links.c.expires_at > at)
        )
        return None if row is None else from_row(KitchenLink, _links, row)

    async def enrol(
        self, link_hash: str, device: KitchenDevice, token_hash: str, entry: AuditEntry
    ) -> bool:
        """Use up a link and store the device; False if the link is used or expired by then."""

        def work(connection: Connection) -> bool:
            if not self._use_up(connection, link_hash, device):
                return False
            connection.execute(insert(_devices), asdict(device) | {"token_hash": token_hash})
            record(connection, entry)
            return True

        return await self._database.write(work)

    def _use_up(self, connection: Connection, link_hash: str, device: KitchenDevice) -> bool:
        """Delete a link that is still valid; of two concurrent devices only one finds it."""
        used = connection.execute(
            delete(_links).where(
                _links.c.token_hash == link_hash,
                _links.c.restaurant_id == device.restaurant_id,
                _links.c.expires_at > device.enrolled_at,
            )
        )
        return used.rowcount == 1

    async def find_device(self, token_hash: str) -> KitchenDevice | None:
        """Return the device with this token."""
        row = await self._database.fetch_one(
            select(_devices).where(_devices.c.token_hash == token_hash)
        )
        return None if row is None else from_row(KitchenDevice, _devices, row)

    async def record_use(self, device_id: str, at: datetime) -> None:
        """Store when a device was used last."""
        await self._database.execute(
            update(_devices).where(_devices.c.id == device_id).values(last_used_at=at)
        )

    async def devices(self) -> Sequence[KitchenDevice]:
        """Return the devices of all kitchens, by kitchen and in the order of their enrolment."""
        rows = await self._database.fetch_all(
            select(_devices).order_by(
                _devices.c.restaurant_id, _devices.c.enrolled_at, _devices.c.id
            )
        )
        return [from_row(KitchenDevice, _devices, row) for row in rows]

    async def revoke(self, device_id: str, entry: AuditEntry) -> bool:
        """Delete a device; False if there is none with this id."""

        def work(connection: Connection) -> bool:
            revoked = connection.execute(delete(_devices).where(_devices.c.id == device_id))
            if revoked.rowcount == 1:
                record(connection, entry)
            return revoked.rowcount == 1

        return await self._database.write(work)
