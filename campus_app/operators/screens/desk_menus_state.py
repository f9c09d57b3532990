"""The events of the desk's menus: which are sold, publishing, undoing, switching the source."""

from typing import Any, Final

import reflex as rx

from campus_app.catalogue.rules.menu_version import MenuSource
from campus_app.operators import wiring
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_entry import actor_of, text_in
from campus_app.operators.screens.desk_menu_import import DeskMenuImport
from campus_app.operators.screens.desk_menu_view import (
    MenuLine,
    MenuView,
    difference_of,
    menu_line,
    version_row,
)
from campus_app.operators.screens.desk_words import VERSIONS, versions_end
from campus_app.shared.rules.constants import MAXIMUM_VERSIONS
from campus_app.shared.rules.errors import OrderingError
from campus_app.shared.rules.messages import DeskMenuMessage
from campus_app.shared.translations import t

_SOURCES: Final = tuple(MenuSource)


class DeskMenus(DeskMenuImport, mixin=True):
    """The list of menus, and the one that is open."""

    menus: list[MenuLine] = []
    menu: MenuView = {}
    _versions_shown: int = VERSIONS

    @rx.event
    async def open_menus(self):
        """Show where each menu comes from."""
        if await self._entered(DeskArea.MENUS) is None:
            return
        self._say()
        services = wiring.services()
        await services.menu_versions.load()
        now = services.clock.now()
        self.menus = [
            menu_line(services.menu_versions.current(each.id), each.name, now)
            for each in services.catalogue.restaurants()
        ]

    @rx.event
    async def open_menu(self):
        """Show the menu of the address with its table; begin with what is sold.

        A page that connects again, or is loaded again, goes on with its table.
        """
        if await self._entered(DeskArea.MENUS) is None:
            return
        self._say()
        await wiring.services().menu_versions.load()
        id_, self.received = self._menu_id(), 0
        if id_ and not await self._go_on(id_):
            await self._start_draft(id_)
        await self._show_menu()

    @rx.event
    async def discard_draft(self):
        """Begin again with the menu that is sold."""
        if await self._entered(DeskArea.MENUS) is None or (id_ := self._menu_id()) is None:
            return
        self._say()
        await wiring.services().menu_versions.load()
        await self._drop_draft(id_)
        await self._show_menu()

    @rx.event
    async def keep_draft(self):
        """Go on with the table on the menu that is sold by now."""
        if await self._entered(DeskArea.MENUS) is None or (id_ := self._menu_id()) is None:
            return
        versions = wiring.services().menu_versions
        await versions.load()
        self._base = versions.current(id_).base
        self._say()
        await self._show_menu()
        await self._show_changes()

    @rx.event
    async def publish_menu(self, form: dict[str, Any]):
        """Publish the table as the menu, with a note."""
        device, id_ = await self._entered(DeskArea.MENUS), self._menu_id()
        if device is None or id_ is None:
            return
        services = wiring.services()
        try:
            preview = await services.menu_editing.preview(id_, self._table)
            version = await services.menu_versions.publish(
                id_,
                preview.rows,
                self._base,
                note=text_in(form, "note"),
                by=actor_of(device),
            )
        except OrderingError as error:
            await self._refuse_change(error)
            return
        await self._show_changed(id_, t("Version {number} is sold now.", number=version.number))

    @rx.event
    async def undo_menu(self):
        """Publish again what was sold before."""
        device, id_ = await self._entered(DeskArea.MENUS), self._menu_id()
        if device is None or id_ is None or self._keeps_draft(id_):
            return
        try:
            versions = wiring.services().menu_versions
            version = await versions.undo(id_, str(self.menu.get("base", "")), actor_of(device))
        except OrderingError as error:
            await self._refuse_change(error)
            return
        done = t("The former menu is sold again, as version {number}.", number=version.number)
        await self._show_changed(id_, done)

    @rx.event
    async def set_menu_source(self, source: str):
        """Sell the menu of the file, or the one that was published last."""
        device, id_ = await self._entered(DeskArea.MENUS), self._menu_id()
        if device is None or id_ is None or source not in _SOURCES or self._keeps_draft(id_):
            return
        try:
            await wiring.services().menu_versions.set_source(
                id_, MenuSource(source), actor_of(device), str(self.menu.get("base", ""))
            )
        except OrderingError as error:
            await self._refuse_change(error)
            return
        await self._show_changed(id_, t("This menu is sold now."))

    @rx.event
    async def show_more_versions(self):
        """Show further versions below the others."""
        if await self._entered(DeskArea.MENUS) is not None:
            self._versions_shown = min(self._versions_shown + VERSIONS, MAXIMUM_VERSIONS)
            await self._show_menu()

    async def _refuse_change(self, error: OrderingError) -> None:
        """Say why nothing was changed; the table stays as it is."""
        await self._show_menu()
        self._say(problem=t(error.message))

    def _keeps_draft(self, restaurant_id: int) -> bool:
        """Refuse to sell another menu while the table has changes that would be lost."""
        has_draft = self._has_draft(restaurant_id)
        if has_draft:
            self._say(problem=t(DeskMenuMessage.UNPUBLISHED))
        return has_draft

    async def _show_changed(self, restaurant_id: int, done: str) -> None:
        await self._drop_draft(restaurant_id)
        await self._show_menu()
        self._say(done=done)

    async def _show_menu(self) -> None:
        """Show the head of the menu: its source, its history, and changes of its file."""
        id_, services = self._menu_id(), wiring.services()
        restaurant = services.catalogue.restaurant(id_) if id_ else None
        if restaurant is None:
            self.menu = {"isUnknown": True}
            return
        now, versions = services.clock.now(), services.menu_versions
        current = versions.current(restaurant.id)
        history = await versions.history(restaurant.id, self._versions_shown)
        file = await versions.file_difference(restaurant.id)
        self.menu = {
            **menu_line(current, restaurant.name, now),
            "base": current.base,
            "history": [version_row(each, now) for each in history],
            "historyEnd": versions_end(len(history), current.number),
            "canUndo": current.source is MenuSource.DESK,
            "canUseDesk": current.source is MenuSource.FILE
            and any(not each.is_file for each in history),
            "fileChanges": difference_of(file).get("groups", []) if file else [],
            "isOutdated": self._menu == restaurant.id and self._base != current.base,
            "isUnknown": False,
        }
