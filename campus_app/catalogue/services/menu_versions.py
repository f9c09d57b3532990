"""The versions of menus: what is published at the desk, and what every process serves.

The latest version of a restaurant counts. Source: specification 12.1, 12.2, 12.7.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from campus_app.catalogue.csv.catalogue import CsvCatalogue, PublishedMenu, published_menu
from campus_app.catalogue.csv.menu_tables import (
    TableRow,
    check_csv,
    check_table,
    csv_of_rows,
    rows_of_menu,
)
from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.catalogue.rules.menu import Menu
from campus_app.catalogue.rules.menu_difference import MenuDifference, menu_difference
from campus_app.catalogue.rules.menu_version import MenuSource, MenuVersion, VersionHead
from campus_app.catalogue.services.restaurants import find_restaurant
from campus_app.catalogue.sql.menu_versions import SqlMenuVersions
from campus_app.shared.rules.audit import Actor, AuditAction, AuditEntry, audit_entry
from campus_app.shared.rules.constants import MAXIMUM_VERSION_NOTE_CHARACTERS
from campus_app.shared.rules.errors import Conflict, Invalid
from campus_app.shared.rules.messages import DeskMenuMessage
from kit.clock import Clock
from kit.text import normalize_text

_PRICES_IN_AUDIT = 20


@dataclass(frozen=True)
class CurrentMenu:
    """What is sold now, and the version that says so."""

    restaurant_id: int
    source: MenuSource
    latest: VersionHead | None
    """None while no menu was ever published at the desk."""
    menu: Menu | None
    """None if the menu cannot be sold."""

    @cached_property
    def content(self) -> str:
        """The menu's table as CSV; empty without a menu."""
        return _content(self.menu)

    @property
    def number(self) -> int:
        """The number of the latest version; 0 without a version."""
        return self.latest.number if self.latest else 0

    @property
    def base(self) -> str:
        """A text that differs for every other menu: whoever publishes names the menu before."""
        digest = hashlib.sha256(self.content.encode()).hexdigest()[:16]
        return f"{self.source}-{self.number}-{digest}"


class MenuVersions:
    """Publishes menus, and makes this process's catalogue serve the latest versions.

    Tables are parsed and checked in threads: 2,000 dishes would block every visitor for 0.1 s.
    """

    def __init__(
        self,
        catalogue: CsvCatalogue,
        store: SqlMenuVersions,
        clock: Clock,
        publish_change: Callable[[], Awaitable[None]],
    ) -> None:
        self._catalogue = catalogue
        self._store = store
        self._clock = clock
        self._publish_change = publish_change
        self._latest: dict[int, VersionHead] = {}
        self.changed = asyncio.Event()
        """Set whenever this process serves another version than before."""

    async def load(self) -> None:
        """Serve the versions that are newer than those of this process."""
        for restaurant_id, number in (await self._store.latest_numbers()).items():
            if number > self._number(restaurant_id) and self._is_known(restaurant_id):
                version = await self._store.version(restaurant_id, number)
                if version is not None:
                    self._serve(version, await _published(version))

    def current(self, restaurant_id: int) -> CurrentMenu:
        """Return what this process serves.

        Raises:
            NotFound: If there is no such restaurant.
        """
        find_restaurant(self._catalogue, restaurant_id)
        latest = self._latest.get(restaurant_id)
        try:
            menu = self._catalogue.menu(restaurant_id)
        except MenuUnavailable:
            menu = None
        source = latest.source if latest else MenuSource.FILE
        return CurrentMenu(restaurant_id, source, latest, menu)

    async def history(self, restaurant_id: int, limit: int) -> Sequence[VersionHead]:
        """Return the latest versions of a restaurant, the latest first."""
        return await self._store.heads(restaurant_id, limit)

    async def file_difference(self, restaurant_id: int) -> MenuDifference | None:
        """Return what was changed in the file since the latest version; None for nothing.

        Nothing while the menu comes from the file.
        """
        current = self.current(restaurant_id)
        file = self._catalogue.file_menu(restaurant_id)
        if current.source is MenuSource.FILE or file is None:
            return None
        version = await self._store.version(restaurant_id, current.number)
        if version is None or version.file == _content(file):
            return None
        before = await asyncio.to_thread(check_csv, restaurant_id, version.file or csv_of_rows([]))
        return menu_difference(before.menu, file)

    async def publish(
        self, restaurant_id: int, rows: Sequence[TableRow], base: str, *, note: str, by: Actor
    ) -> VersionHead:
        """Publish a table as the menu; `base` is that of the menu on which it was edited.

        Raises:
            NotFound: If there is no such restaurant.
            Conflict: `menu_changed` if another menu is sold by now, `menu_same` if nothing
                changes.
            Invalid: If `check-menus` would refuse the table, or the note is too long.
        """
        await self.load()
        self._current_on(restaurant_id, base)
        checked = await asyncio.to_thread(check_table, restaurant_id, rows)
        current = self._current_on(restaurant_id, base)
        if checked.faults or checked.menu is None:
            raise Invalid(DeskMenuMessage.HAS_FAULTS, code="menu_invalid")
        content = _content(checked.menu)
        if current.source is MenuSource.DESK and content == current.content:
            raise Conflict("menu_same", DeskMenuMessage.SAME)
        return await self._add(current, content, _note(note), by)

    async def undo(self, restaurant_id: int, base: str, by: Actor) -> VersionHead:
        """Publish again what was sold before the latest version.

        Raises:
            NotFound: If there is no such restaurant.
            Conflict: `menu_changed` as in `publish`; `nothing_to_undo` if nothing is published, or
                there was no menu before.
        """
        await self.load()
        current = self._current_on(restaurant_id, base)
        before = await self._content_before(current)
        if not before:
            raise Conflict("nothing_to_undo", DeskMenuMessage.NOTHING_TO_UNDO)
        note = str(DeskMenuMessage.UNDONE.of(number=current.number))
        return await self._add(current, before, note, by)

    async def set_source(
        self, restaurant_id: int, source: MenuSource, by: Actor, base: str | None = None
    ) -> CurrentMenu:
        """Sell the menu of the file, or the last menu that was published at the desk.

        `base` is that of the menu which is shown to whoever decides; None for any menu.

        Raises:
            NotFound: If there is no such restaurant.
            Conflict: `nothing_published`, or `menu_changed` if another has changed it meanwhile.
        """
        await self.load()
        current = self._current_on(restaurant_id, base)
        if current.source is source:
            return current
        if source is MenuSource.FILE:
            await self._add(current, "", "", by)
        else:
            last = await self._store.last_published(restaurant_id)
            if last is None:
                raise Conflict("nothing_published", DeskMenuMessage.NOTHING_PUBLISHED)
            await self._add(current, last.content, last.note, by)
        return self.current(restaurant_id)

    def _current_on(self, restaurant_id: int, base: str | None) -> CurrentMenu:
        """Return the menu that is sold; raise Conflict if `base` is that of another menu."""
        current = self.current(restaurant_id)
        if base not in {None, current.base}:
            raise Conflict("menu_changed", DeskMenuMessage.CHANGED)
        return current

    async def _content_before(self, current: CurrentMenu) -> str:
        """Return the menu that was sold before the latest version; empty if no menu was."""
        if current.source is MenuSource.FILE:
            return ""
        latest = await self._store.version(current.restaurant_id, current.number)
        before = await self._store.version(current.restaurant_id, current.number - 1)
        if before and before.content:
            return before.content
        return latest.file if latest else ""

    async def _add(self, current: CurrentMenu, content: str, note: str, by: Actor) -> VersionHead:
        """Store the version after the current one, serve it, and tell the other processes.

        An empty content means that the file is sold.
        """
        restaurant_id = current.restaurant_id
        file = self._catalogue.file_menu(restaurant_id)
        if current.source is MenuSource.FILE:
            file = current.menu  # which may be its last good copy
        version = MenuVersion(
            restaurant_id,
            current.number + 1,
            self._clock.now(),
            by.name,
            note,
            is_file=not content,
            content=content,
            file=_content(file),
        )
        published = await _published(version)
        if not await self._store.add(version, _entry(current, version, published, by)):
            await self.load()
            raise Conflict("menu_changed", DeskMenuMessage.CHANGED)
        self._serve(version, published)
        await self._publish_change()
        return self._latest[restaurant_id]

    def _serve(self, version: MenuVersion, published: PublishedMenu | None) -> None:
        if version.number <= self._number(version.restaurant_id):
            return  # another task of this process has read a newer version meanwhile
        head = VersionHead(
            version.restaurant_id,
            version.number,
            version.at,
            version.author,
            version.note,
            version.is_file,
        )
        self._latest[version.restaurant_id] = head
        if published is None:
            self._catalogue.use_file(version.restaurant_id)
        else:
            self._catalogue.use_published(version.restaurant_id, published, f"v{version.number}")
        self.changed.set()

    def _number(self, restaurant_id: int) -> int:
        latest = self._latest.get(restaurant_id)
        return latest.number if latest else 0

    def _is_known(self, restaurant_id: int) -> bool:
        return self._catalogue.restaurant(restaurant_id) is not None


async def _published(version: MenuVersion) -> PublishedMenu | None:
    """Return the menu of a version; None if it says that the file is sold."""
    if version.is_file:
        return None
    return await asyncio.to_thread(published_menu, version.restaurant_id, version.content)


def _entry(
    current: CurrentMenu, version: MenuVersion, published: PublishedMenu | None, by: Actor
) -> AuditEntry:
    action = AuditAction.CHANGE_MENU_SOURCE if version.is_file else AuditAction.PUBLISH_MENU
    details = {
        "before": _named(current.source, current.number),
        "after": _named(version.source, version.number),
    }
    if published and isinstance(published.menu, Menu):
        details |= _summary(menu_difference(current.menu, published.menu))
        details |= {"note": version.note} if version.note else {}
    return audit_entry(version.at, by, action, f"restaurant {version.restaurant_id}", **details)


def _summary(found: MenuDifference) -> dict[str, str]:
    prices = [
        f"{each.after.id}: {each.before.price} → {each.after.price}"
        for each in found.changed
        if each.dearer_by
    ]
    counted = {"new": found.new, "gone": found.gone, "changed": found.changed}
    counts = {name: str(len(dishes)) for name, dishes in counted.items() if dishes}
    return counts | ({"prices": ", ".join(prices[:_PRICES_IN_AUDIT])} if prices else {})


def _named(source: MenuSource, number: int) -> str:
    return "file" if source is MenuSource.FILE else f"version {number}"


def _content(menu: Menu | None) -> str:
    return csv_of_rows(rows_of_menu(menu)) if menu else ""


def _note(note: str) -> str:
    line = normalize_text(note)
    if len(line) > MAXIMUM_VERSION_NOTE_CHARACTERS:
        raise Invalid(DeskMenuMessage.NOTE_TOO_LONG.of(most=MAXIMUM_VERSION_NOTE_CHARACTERS))
    return line
