"""The versions of a restaurant's menu that are published at the desk.

Source: specification 12.1.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class MenuSource(StrEnum):
    """Where the menu that is sold comes from."""

    FILE = "file"
    DESK = "desk"


@dataclass(frozen=True)
class VersionHead:
    """A version without its dishes: number, from 1, author, time and note."""

    restaurant_id: int
    number: int
    at: datetime
    author: str
    note: str
    is_file: bool
    """Whether it says that from then on the file is sold."""

    @property
    def source(self) -> MenuSource:
        """Where the menu comes from while this version is the latest one."""
        return MenuSource.FILE if self.is_file else MenuSource.DESK


@dataclass(frozen=True)
class MenuVersion(VersionHead):
    """A version with its dishes."""

    content: str
    """The menu's table as CSV (`csv/menu_tables.py`); empty if `is_file`."""
    file: str
    """The table of the file's menu at that time; empty if there was none."""
