"""How far kitchens are with orders, in SQL."""

from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, select

from campus_app.ordering.rules.cooking import Cooking
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.sql.tables import CookingRow, OrderRow
from kit.db.database import Database
from kit.db.tables import from_row, table_of

_orders = table_of(OrderRow)
_cooking = table_of(CookingRow)


class SqlCooking:
    """Reads what the presses of kitchens have stored."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def cooking_of(self, order_ids: Collection[str]) -> Mapping[str, Cooking]:
        """Return the cooking of orders, by their ids; orders without a press are missing."""
        return await self._cooking(_cooking.c.order_id.in_(list(order_ids)))

    async def changed_since(self, moment: datetime) -> Mapping[str, Cooking]:
        """Return the cooking of confirmed orders that was changed then or later, by their ids."""
        is_confirmed = exists().where(
            _orders.c.id == _cooking.c.order_id, _orders.c.state == OrderState.CONFIRMED
        )
        return await self._cooking(and_(_cooking.c.changed_at >= moment, is_confirmed))

    async def _cooking(self, condition: ColumnElement[bool]) -> Mapping[str, Cooking]:
        rows = await self._database.fetch_all(select(_cooking).where(condition))
        return {row.order_id: from_row(Cooking, _cooking, row) for row in rows}
