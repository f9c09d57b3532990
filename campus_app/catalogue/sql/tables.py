"""The tables of the catalogue."""

import datetime as dt

from sqlalchemy import Column, String
from sqlmodel import Field, SQLModel

from kit.db.columns import DATE, TIME, converted, timestamp


class RestaurantOverrideRow(SQLModel, table=True):
    """The override of a restaurant, by an operator or, as a pause, by its kitchen."""

    __tablename__ = "restaurant_overrides"  # pyright: ignore[reportAssignmentType]

    restaurant_id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    is_open: bool
    message: str
    until: dt.datetime | None = timestamp("until", nullable=True)
    changed_at: dt.datetime = timestamp("changed_at")


class SoldOutDishRow(SQLModel, table=True):
    """A dish that is sold out until a time."""

    __tablename__ = "sold_out_dishes"  # pyright: ignore[reportAssignmentType]

    restaurant_id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    # The previous release runs with this table during an upgrade, and calls the column `item_id`.
    dish_id: str = Field(sa_column=Column("item_id", String, key="dish_id", primary_key=True))
    until: dt.datetime = timestamp("until")


class RestaurantDayRow(SQLModel, table=True):
    """The hours and seats of a restaurant on one day; NULL is as usual."""

    __tablename__ = "restaurant_days"  # pyright: ignore[reportAssignmentType]

    restaurant_id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    day: dt.date = converted(DATE, primary_key=True)
    open: dt.time | None = converted(TIME, nullable=True)
    close: dt.time | None = converted(TIME, nullable=True)
    seats: int | None


class MenuVersionRow(SQLModel, table=True):
    """A published version of a menu; rows are never changed, and the newest 200 are kept."""

    __tablename__ = "menu_versions"  # pyright: ignore[reportAssignmentType]

    restaurant_id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: dt.datetime = timestamp("at")
    author: str
    note: str
    is_file: bool
    content: str
    file: str
