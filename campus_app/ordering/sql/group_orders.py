"""Group orders in SQL: one row each, which a change replaces only if nobody else has changed it."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select, update

from campus_app.ordering.rules.group_order import GroupOrder, Member
from campus_app.ordering.rules.order import OrderState, placed_quantities
from campus_app.ordering.sql.order_rows import stored_lines
from campus_app.ordering.sql.tables import GroupOrderRow, OrderRow
from kit.db.database import Database
from kit.db.tables import from_row, table_of

_groups = table_of(GroupOrderRow)
_orders = table_of(OrderRow)
_PAID = [state for state in OrderState if state.is_paid]
_is_paid_order = (_orders.c.cart_key == _groups.c.cart_key) & _orders.c.state.in_(_PAID)


@dataclass(frozen=True)
class StoredGroupOrder:
    """A group order, and the paid order of its cart if there is one."""

    group: GroupOrder
    order: OrderState | None
    ordered: Mapping[str, int]
    """The units of each dish in the paid order, by the dish's id."""


class SqlGroupOrders:
    """One row per group order; the tokens and keys that open it are stored as hashes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, group: GroupOrder) -> None:
        """Store a new group order."""
        await self._database.execute(insert(_groups), asdict(group))

    async def find(self, group_id: str) -> StoredGroupOrder | None:
        """Return the group order with this id."""
        return (await self.find_all([group_id])).get(group_id)

    async def find_all(self, group_ids: Collection[str]) -> Mapping[str, StoredGroupOrder]:
        """Return the group orders with these ids, by their ids."""
        rows = await self._database.fetch_all(
            select(_groups, _orders.c.state, _orders.c.lines, _orders.c.placed_quantities)
            .outerjoin(_orders, _is_paid_order)
            .where(_groups.c.id.in_(list(group_ids)))
        )
        # A cart has one confirmed order at most, but another one may have been paid by mistake.
        confirmed_last = sorted(rows, key=lambda row: row.state is OrderState.CONFIRMED)
        return {row.id: _stored(row) for row in confirmed_last}

    async def replace(self, group: GroupOrder) -> GroupOrder | None:
        """Store a changed group order under the next version.

        Return it, or None if another change was stored since `group` was read.
        """
        changed = replace(group, version=group.version + 1)
        result = await self._database.execute(
            update(_groups)
            .where(_groups.c.id == group.id, _groups.c.version == group.version)
            .values(asdict(changed))
        )
        return changed if result.rowcount == 1 else None

    async def delete_before(self, moment: datetime) -> int:
        """Delete the group orders that were changed last before a time; return their number."""
        result = await self._database.execute(delete(_groups).where(_groups.c.changed_at < moment))
        return result.rowcount


def _stored(row: Any) -> StoredGroupOrder:
    members = tuple(Member(**each) for each in row.members)
    return StoredGroupOrder(
        from_row(GroupOrder, _groups, row, members=members),
        row.state,
        placed_quantities(row.placed_quantities, stored_lines(row.lines or [])),
    )
