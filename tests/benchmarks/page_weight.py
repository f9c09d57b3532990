"""Bytes that a first visit transfers, as a browser with an empty cache counts them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from apps import BARE, OURS, App, client_build, served
from browser import Tab, new_tab
from places import MeasurementFailed
from plan import Plan
from report import Figure, Goal, Limit, Measured

_RATIO = Goal(Limit.RATIO_AT_MOST, 1.15)
_NONE = Goal(Limit.AT_MOST, 0)
_FIRST_VIEW = Goal(Limit.AT_MOST, 250)
_OWN_SCRIPTS = Goal(Limit.AT_MOST, 25)
_ASSISTANT = "/?desktop=true"
_KINDS = {
    "text/html": "html",
    "text/css": "css",
    "javascript": "js",
    "font": "fonts",
    "image": "images",
}
_COMPRESSED_KINDS = ("html", "js", "css", "images", "data")
"""The pictures are SVG. Fonts are woff2, which are compressed as they are: they are told beside."""
_TOLD_KINDS = (*_COMPRESSED_KINDS, "fonts")
_RADIX = (b"radix-themes", b"@radix-ui")
_READ_BY_BROWSERS = {".html", ".js", ".css"}


class _Transfers:
    """Everything that was asked for, and how many bytes of each came over the wire."""

    def __init__(self, tab: Tab) -> None:
        self._answers: dict[str, dict[str, Any]] = {}
        self._sizes: dict[str, int] = {}
        tab.network.on("Network.responseReceived", self._answered)
        tab.network.on("Network.loadingFinished", self._finished)

    def files(self) -> Iterator[dict[str, Any]]:
        """Return path, kind and bytes of each file."""
        for request, answer in self._answers.items():
            if request not in self._sizes:
                raise MeasurementFailed(f"{answer['url']} did not end")
            yield {
                "path": answer["url"].split("/", 3)[-1],
                "kind": _kind(answer["mimeType"]),
                "bytes": self._sizes[request],
            }

    def _answered(self, event: dict[str, Any]) -> None:
        if not event["response"]["url"].startswith("data:"):
            self._answers[event["requestId"]] = event["response"]

    def _finished(self, event: dict[str, Any]) -> None:
        self._sizes[event["requestId"]] = int(event["encodedDataLength"])


def measure(plan: Plan, folder: Path) -> Measured:
    """Load the menu of each app, and the assistant's page; a page weighs the same each time."""
    files = {app.name: _files(app, folder / app.name) for app in (OURS, BARE)}
    files["assistant"] = _files(OURS, folder / "assistant", _ASSISTANT)
    kinds = {name: _by_kind(files[name]) for name in files}
    radix = {app.name: _radix_files(client_build(app)) for app in (OURS, BARE)}
    scripts = (kinds["assistant"]["js"] - kinds[BARE.name]["js"]) / 1000
    figures = [
        _figure("First load of a menu, compressed", kinds, _COMPRESSED_KINDS, _RATIO),
        _figure("  with the fonts that the design asks for", kinds, _TOLD_KINDS, None),
        *(_figure(f"  {kind} of it", kinds, (kind,), None) for kind in _TOLD_KINDS),
        Figure("Files with Radix Themes in the build", "", len(radix["ours"]), goal=_NONE),
        Figure("First view of the assistant's page", "kB", _kilobytes(kinds), goal=_FIRST_VIEW),
        Figure("  JavaScript over the bare page's", "kB", scripts, goal=_OWN_SCRIPTS),
    ]
    return Measured(figures, {"files": files, "radix": radix})


def _kilobytes(kinds: Mapping[str, Counter[str]]) -> float:
    return sum(kinds["assistant"].values()) / 1000


def _figure(
    what: str, kinds: Mapping[str, Counter[str]], chosen: tuple[str, ...], goal: Goal | None
) -> Figure:
    ours, bare = (sum(kinds[app.name][kind] for kind in chosen) / 1000 for app in (OURS, BARE))
    return Figure(what, "kB", ours, bare, goal)


def _files(app: App, folder: Path, address: str = "") -> list[dict[str, Any]]:
    with served(app, folder) as server, new_tab() as tab:
        transfers = _Transfers(tab)
        if address:
            tab.open(f"{server.url}{address}")
        else:
            tab.open_menu(app, server)
        return sorted(transfers.files(), key=lambda file: -file["bytes"])


def _by_kind(files: list[dict[str, Any]]) -> Counter[str]:
    sizes: Counter[str] = Counter()
    for file in files:
        sizes[file["kind"]] += file["bytes"]
    return sizes


def _kind(mime_type: str) -> str:
    return next((kind for part, kind in _KINDS.items() if part in mime_type), "data")


def _radix_files(build: Path) -> list[str]:
    files = (file for file in build.rglob("*") if file.suffix in _READ_BY_BROWSERS)
    return sorted(
        str(file.relative_to(build))
        for file in files
        if any(name in file.read_bytes() for name in _RADIX)
    )
