"""The services of this process, which `campus_app/wiring.py` builds.

Each room reads them through `services()` of its own `wiring.py`, whose type has no services of
rooms to the right.
"""

from collections.abc import Callable
from typing import Any


def _not_provided() -> Any:
    raise RuntimeError("campus_app.wiring has not been imported")


_build: Callable[[], Any] = _not_provided


def provide(build: Callable[[], Any]) -> None:
    """Make `services` return what this function returns."""
    global _build  # noqa: PLW0603 - one per process, as the services are
    _build = build


def services() -> Any:
    """Return this process's services."""
    return _build()
