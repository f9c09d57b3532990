"""A screen's entry in the route table, and the folder of the built pages."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import reflex as rx
from reflex.event import EventCallback
from reflex.utils.prerequisites import get_web_dir

WEB_FOLDER: Final[Path] = get_web_dir()
"""The folder that Reflex compiles the app into: `.web`."""
BUILT_PAGES: Final[Path] = WEB_FOLDER / "build" / "client"
"""The folder of the built pages and scripts, which the server serves."""


@dataclass(frozen=True, kw_only=True)
class Page:
    """One row of the route table.

    `route` is a pattern as `rx.App.add_page` takes it. `content` is a function of the page's own
    module: Reflex puts the scripts of all pages of a module into one file. `on_load` are the
    handlers that run whenever the page opens, in one event (page_load.py). A page
    `loads_on_connect` if its handlers need no cancellation, because they wait for nothing but,
    rarely, the database, and may run twice. `initial_data` returns HTML that the server adds to the
    page's head on each request, for data that is newer than the build. Search engines find the page
    only if it `is_in_sitemap`.
    """

    route: str
    title: str
    description: str
    content: Callable[[], rx.Component]
    on_load: Sequence[EventCallback[()]] = ()
    loads_on_connect: bool = False
    initial_data: Callable[[], str] | None = None
    image: str = "favicon.ico"
    is_in_sitemap: bool = False

    def __post_init__(self) -> None:
        """Check the handlers.

        Raises:
            TypeError: If one has arguments, yields or runs in the background, which needs an event
                of its own.
        """
        for each in self.on_load:
            if (
                not isinstance(each, rx.EventHandler)
                or each.is_background
                or inspect.isgeneratorfunction(each.fn)
                or inspect.isasyncgenfunction(each.fn)
            ):
                raise TypeError(f"needs an event of its own, on_load of {self.route}: {each}")
