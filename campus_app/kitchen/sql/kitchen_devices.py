"""Kitchen links and devices in SQL."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, exists

from campus_app.kitchen.rules.kitchen import KitchenDevice, KitchenLink
from campus_app.kitchen.sql.tables import KitchenDeviceRow, KitchenLinkRow
from campus_app.ordering.sql.tables import OrderRow, PaymentRow
from campus_app.shared.rules.constants import KITCHEN_DEVICE_DAYS
from campus_app.shared.sql.devices import SqlDevices
from kit.db.database import Database
from kit.db.tables import table_of

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


class SqlKitchenDevices(SqlDevices[KitchenLink, KitchenDevice]):
    """The links and devices of all kitchens."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, (KitchenLink, KitchenLinkRow), (KitchenDevice, KitchenDeviceRow))
