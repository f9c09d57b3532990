"""Tables of menus that are edited at the desk, in SQL: they outlive the process.

Source: specification 12.11.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, delete, select

from campus_app.catalogue.csv.price_cells import PriceDoubt, PriceReading
from campus_app.operators.sql.tables import MenuDraftRow
from campus_app.shared.rules.constants import MAXIMUM_MENU_BYTES, MENU_DRAFT_DAYS
from kit.db.database import Database
from kit.db.tables import insert_into, table_of

_drafts = table_of(MenuDraftRow)
_LONGEST: Final = 4 * MAXIMUM_MENU_BYTES
"""In characters, with the names of the columns in each row; no larger table can be published."""


@dataclass(frozen=True)
class MenuDraft:
    """A table, the menu that it was edited on, and the prices in doubt by the ids of dishes."""

    base: str
    rows: Sequence[dict[str, str]]
    doubts: Mapping[str, PriceReading] = field(default_factory=dict[str, PriceReading])


class SqlMenuDrafts:
    """At most one draft of a device for each restaurant, which is kept for a day."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def store(
        self, device_id: str, restaurant_id: int, draft: MenuDraft, at: datetime
    ) -> None:
        """Store a draft in the place of the former one; delete all that are older than a day."""
        doubts = {id_: asdict(each) for id_, each in draft.doubts.items()}
        content = json.dumps({"rows": list(draft.rows), "doubts": doubts}, ensure_ascii=False)
        values = {
            "device_id": device_id,
            "restaurant_id": restaurant_id,
            "at": at,
            "base": draft.base,
            "content": content,
        }

        def work(connection: Connection) -> None:
            connection.execute(delete(_drafts).where(_drafts.c.at <= _oldest(at)))
            connection.execute(delete(_drafts).where(_is_of(device_id, restaurant_id)))
            if len(content) <= _LONGEST:
                insert = insert_into(connection.dialect.name, _drafts).values(values)
                connection.execute(insert.on_conflict_do_nothing())

        await self._database.write(work)

    async def find(self, device_id: str, restaurant_id: int, at: datetime) -> MenuDraft | None:
        """Return a draft of the last day; None if there is none that can be read."""
        is_found = and_(_is_of(device_id, restaurant_id), _drafts.c.at > _oldest(at))
        row = await self._database.fetch_one(select(_drafts).where(is_found))
        return _read(row.base, row.content) if row else None

    async def delete(self, device_id: str, restaurant_id: int) -> None:
        """Delete a draft."""
        await self._database.execute(delete(_drafts).where(_is_of(device_id, restaurant_id)))


def _is_of(device_id: str, restaurant_id: int) -> ColumnElement[bool]:
    return and_(_drafts.c.device_id == device_id, _drafts.c.restaurant_id == restaurant_id)


def _oldest(at: datetime) -> datetime:
    return at - timedelta(days=MENU_DRAFT_DAYS)


def _read(base: str, content: str) -> MenuDraft | None:
    """Return what another release may have stored; None if it is not readable any more."""
    try:
        stored: Any = json.loads(content)
        rows = [{str(name): str(cell) for name, cell in row.items()} for row in stored["rows"]]
        doubts = {id_: _reading(each) for id_, each in stored["doubts"].items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return MenuDraft(base, rows, doubts) if all("id" in row for row in rows) else None


def _reading(stored: Mapping[str, Any]) -> PriceReading:
    doubt = PriceDoubt(stored["doubt"]) if stored["doubt"] else None
    return PriceReading(stored["amount"], doubt, tuple(stored["options"]), stored["written"])
