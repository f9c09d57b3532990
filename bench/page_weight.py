"""Bytes that the first load of a menu transfers, beside the bare framework's."""

from collections import Counter
from pathlib import Path
from typing import Any

from apps import BARE, OURS, App, served
from browser import Tab, new_tab
from plan import Plan
from report import Figure, Goal, Limit, MeasurementFailed, Result

_GOAL = Goal(Limit.RATIO_AT_MOST, 1.25)
_BESIDE = "bare framework"
_KINDS = {
    "text/html": "html",
    "text/css": "css",
    "javascript": "js",
    "font": "fonts",
    "image": "images",
}


class Transfers:
    """All responses of a tab, and the bytes of each on the network."""

    def __init__(self, tab: Tab) -> None:
        self._responses: dict[str, dict[str, Any]] = {}
        self._bytes: dict[str, int] = {}
        tab.devtools.on("Network.responseReceived", self._add_response)
        tab.devtools.on("Network.loadingFinished", self._add_bytes)

    def count(self) -> int:
        """Return the number of requests."""
        return len(self._responses)

    def by_kind(self) -> Counter[str]:
        """Return the bytes of each kind of file.

        Raises:
            MeasurementFailed: A file was not loaded to its end.
        """
        sizes: Counter[str] = Counter()
        for request, response in self._responses.items():
            if request not in self._bytes:
                raise MeasurementFailed(f"{response['url']} was not loaded to its end")
            sizes[_kind(response["mimeType"])] += self._bytes[request]
        return sizes

    def _add_response(self, event: dict[str, Any]) -> None:
        if not event["response"]["url"].startswith("data:"):
            self._responses[event["requestId"]] = event["response"]

    def _add_bytes(self, event: dict[str, Any]) -> None:
        self._bytes[event["requestId"]] = int(event["encodedDataLength"])


def measure(plan: Plan, folder: Path) -> Result:
    """Load each app's menu once: its bytes do not vary."""
    ours, bare = (_bytes_by_kind(app, folder / app.name) for app in (OURS, BARE))
    total, bare_total = ours.total() / 1000, bare.total() / 1000
    without_fonts = total - ours["fonts"] / 1000
    first = "First load of a menu"
    return Result(
        figures=[
            Figure(f"{first}, without fonts", "kB", without_fonts, bare_total, _GOAL, _BESIDE),
            Figure(f"{first}, with fonts", "kB", total, bare_total, beside=_BESIDE),
        ],
        details={"ours": ours, "bare": bare},
    )


def _bytes_by_kind(app: App, folder: Path) -> Counter[str]:
    with served(app, folder) as server, new_tab() as tab:
        transfers = Transfers(tab)
        tab.open_menu(app, server)
        return transfers.by_kind()


def _kind(mime_type: str) -> str:
    return next((kind for part, kind in _KINDS.items() if part in mime_type), "data")
