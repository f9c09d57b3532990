"""Measures how well features stay in their rooms; `make check` fails if a limit is broken.

An import is one between features if both of its modules are in rooms that know a feature: all but
`shared` and `shell`. Run it as `python -m tools.rooms`.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import grimp

ROOT: Final = Path(__file__).parents[1]
PRODUCT: Final = ("campus_app", "voice_site", "kit")
ORDER: Final = (
    "shared",
    "shell",
    "catalogue",
    "ordering",
    "notifications",
    "kitchen",
    "operators",
)
"""The rooms of `campus_app`: each imports only those that stand before it."""
_IMPORTED_ROOM: Final = re.compile(rf"""["']\.\./({"|".join(ORDER)})/""")
FEATURES: Final = ORDER[2:]
"""The rooms that know a feature: all but `shared` and `shell`."""


class Figure(NamedTuple):
    """A measured figure with its limit; a share must be at least the limit, a number at most."""

    name: str
    value: float
    limit: float
    is_share: bool = False

    @property
    def is_kept(self) -> bool:
        """Whether the limit holds."""
        return self.value >= self.limit if self.is_share else self.value <= self.limit

    def __str__(self) -> str:
        """Return the line of the table."""
        form = "{:.0%}" if self.is_share else "{:,.0f}"
        sign = "at least" if self.is_share else "at most"
        value, limit = form.format(self.value), form.format(self.limit)
        return f"{self.name:<50}{value:>10}   {sign} {limit}{'' if self.is_kept else '  BROKEN'}"


def room_of(module: str) -> str:
    """Return the room of a module of `campus_app`; empty for the modules above the rooms."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in ORDER else ""


def imports_between_rooms() -> Iterator[tuple[str, str]]:
    """Return the importing and the imported module of each import between modules in rooms."""
    graph = grimp.build_graph("campus_app", cache_dir=str(ROOT / ".cache" / "imports"))
    for importer in sorted(graph.modules):
        for imported in sorted(graph.find_modules_directly_imported_by(importer)):
            if room_of(importer) and room_of(imported):
                yield importer, imported


def scripts_against_order(folder: Path = ROOT / "assets" / "js" / "campus_app") -> list[str]:
    """Return the imports of JavaScript modules from a room that stands later in the order."""
    return [
        f"{file.parent.name}/{file.name} imports {room}"
        for file in sorted(folder.glob("*/*.js*"))
        for room in _IMPORTED_ROOM.findall(file.read_text(encoding="utf-8"))
        if ORDER.index(room) > ORDER.index(file.parent.name)
    ]


def figures() -> list[Figure]:
    """Measure everything."""
    pairs = [(room_of(a), room_of(b)) for a, b in imports_between_rooms()]
    features = [pair for pair in pairs if set(pair) <= set(FEATURES)]
    inside = sum(a == b for a, b in features)
    against = sum(ORDER.index(b) > ORDER.index(a) for a, b in pairs)
    product = [path for name in PRODUCT for path in (ROOT / name).rglob("*.py")]
    return [
        Figure("imports between features inside a room", inside / len(features), 0.7, True),
        Figure("imports against the order", against, 0),
        Figure("imports of JavaScript against the order", len(scripts_against_order()), 0),
        Figure("Protocols", sum(map(_protocols, product)), 5),
        Figure("lines of the product's Python", _lines(product), 66_042),
        Figure("lines of tests", _lines((ROOT / "tests").rglob("*.py")), 83_396),
    ]


def _protocols(path: Path) -> int:
    tree = ast.parse(path.read_text())
    classes = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return sum("Protocol" in map(ast.unparse, each.bases) for each in classes)


def _lines(paths: Iterable[Path]) -> int:
    return sum(len(path.read_text().splitlines()) for path in paths)


def main() -> int:
    """Print the table; return 1 if a limit is broken."""
    measured = figures()
    print(*measured, sep="\n")
    return 0 if all(each.is_kept for each in measured) else 1


if __name__ == "__main__":
    sys.exit(main())
