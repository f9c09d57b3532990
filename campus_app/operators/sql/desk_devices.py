"""Links and devices of the desk in SQL."""

from campus_app.operators.rules.desk import DeskDevice, DeskLink
from campus_app.operators.sql.tables import DeskDeviceRow, DeskLinkRow
from campus_app.shared.sql.devices import SqlDevices
from kit.db.database import Database


class SqlDeskDevices(SqlDevices[DeskLink, DeskDevice]):
    """The links and devices of the desk."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, (DeskLink, DeskLinkRow), (DeskDevice, DeskDeviceRow))
