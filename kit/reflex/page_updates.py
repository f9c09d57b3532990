"""A task that sends open pages what has changed, and forgets pages that were closed."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import reflex as rx

from kit.db.errors import DatabaseUnavailable
from kit.open_views import OpenViews
from kit.reflex.broadcast import is_connected

logger = logging.getLogger(__name__)

_INTERVAL_SECONDS = 0.2
"""The time between two updates: each may send whole contents."""


class PageUpdates(ABC):
    """Updates the open pages of this process after each change; there is one task per process."""

    subject: ClassVar[str]
    """What the pages show, as a log message names it."""

    def __init__(self, app: rx.App, changed: asyncio.Event, *views: OpenViews[Any]) -> None:
        """`changed` is set when the open pages, which are those of `views`, may be outdated."""
        self._app = app
        self._changed = changed
        self._views: Sequence[OpenViews[Any]] = views

    async def run(self) -> None:
        """Update the open pages whenever they may be outdated."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            self._forget_closed_pages()
            try:
                await self.update()
            except DatabaseUnavailable:
                logger.warning("%s: the database did not answer", self.subject)
            await asyncio.sleep(_INTERVAL_SECONDS)

    @abstractmethod
    async def update(self) -> None:
        """Send each open page what it does not show yet."""

    def _forget_closed_pages(self) -> None:
        for views in self._views:
            for socket_id, _ in views:
                if not is_connected(self._app, socket_id):
                    views.close(socket_id)
