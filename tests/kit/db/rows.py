"""Rows of a table for tests of transactions."""

from sqlalchemy import text

INSERT = text(
    "INSERT INTO restaurant_overrides (restaurant_id, is_open, message, changed_at_ms)"
    " VALUES (:id, :is_open, :message, 0)"
)
COUNT = text("SELECT count(*) FROM restaurant_overrides")


def insert(connection, number=1, message=""):
    connection.execute(INSERT, {"id": number, "is_open": True, "message": message})


async def count(database):
    return await database.read(lambda connection: connection.execute(COUNT).scalar_one())
