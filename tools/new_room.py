"""Adds a room for a capability: `make new-room NAME=loyalty AFTER=ordering`.

Writes its package with a first wiring, and puts it into the order of the rooms: into
`tools/rooms.py`, the contracts of import-linter, `campus_app/wiring.py`, and the wiring of the next
room, which then stands on it.
"""

import re
import sys
from pathlib import Path
from typing import Final

from tools.rooms import FEATURES, ORDER

_ROOT: Final = Path(__file__).parents[1]
_INIT: Final = '''"""What this room is for, in one sentence.

Name the files to read first, in their order.

May import the rooms up to `{after}`.
"""
'''
_RULES: Final = (
    '"""The rules of this room; they import the standard library and other rules alone."""\n'
)
_WIRING: Final = '''"""The services of this room."""

from dataclasses import dataclass

from campus_app.{after}.wiring import {left}
from campus_app.shared import current


@dataclass(frozen=True)
class {services}({left}):
    """What this room and the rooms right of it may use."""


def build(left: {left}) -> {services}:
    """Build the services on those of the room before."""
    return {services}(**vars(left))


def services() -> {services}:
    """Return this process's services."""
    return current.services()
'''


def add_room(name: str, after: str, root: Path = _ROOT) -> list[Path]:
    """Write a room below `root`, put it after another one, and return its new files.

    Raises:
        ValueError: if the name is not made of small letters, or is taken; or if nothing may stand
            after the other room.
    """
    before_last = FEATURES[:-1]
    if after not in before_last:
        raise ValueError(f"AFTER={after!r} is none of {', '.join(before_last)}")
    if not re.fullmatch(r"[a-z]+(_[a-z]+)*", name):
        raise ValueError(f"{name!r} is not made of small letters and single underscores")
    folder = root / "campus_app" / name
    if folder.exists():
        raise ValueError(f"campus_app/{name} is there already")
    left = _services_of(root, after)
    services = f"{name.title().replace('_', '')}Services"
    files = {
        folder / "__init__.py": _INIT.format(after=after),
        folder / "rules" / "__init__.py": _RULES,
        folder / "wiring.py": _WIRING.format(after=after, left=left, services=services),
    }
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    _put_into_order(root, name, after)
    following = root / "campus_app" / ORDER[ORDER.index(after) + 1] / "wiring.py"
    _change(following, (f"from campus_app.{after}.wiring", f"from campus_app.{name}.wiring"))
    text = following.read_text(encoding="utf-8")
    following.write_text(re.sub(rf"\b{left}\b", services, text), encoding="utf-8")
    return list(files)


def _services_of(root: Path, room: str) -> str:
    text = (root / "campus_app" / room / "wiring.py").read_text(encoding="utf-8")
    return re.findall(r"^class (\w+Services)\(", text, re.MULTILINE)[0]


def _put_into_order(root: Path, name: str, after: str) -> None:
    _change(root / "tools" / "rooms.py", (f'    "{after}",\n', f'    "{after}",\n    "{name}",\n'))
    contracts = root / "pyproject.toml"
    layer = f'  "campus_app.{after}",\n'
    _change(contracts, (layer, f'  "campus_app.{name}",\n{layer}'))
    _change(contracts, (f'"campus_app.{after}", ', f'"campus_app.{after}", "campus_app.{name}", '))
    wiring = root / "campus_app" / "wiring.py"
    line = f"from campus_app.{after} import wiring as {after}\n"
    _change(wiring, (line, f"{line}from campus_app.{name} import wiring as {name}\n"))
    built = re.compile(rf"(?<!\w){after}\.build\((?:[^()]|\([^()]*\))*\)")
    text = wiring.read_text(encoding="utf-8")
    (call,) = built.findall(text)
    wiring.write_text(text.replace(call, f"{name}.build({call})"), encoding="utf-8")


def _change(file: Path, change: tuple[str, str]) -> None:
    """Replace a text that is certainly there."""
    old, new = change
    text = file.read_text(encoding="utf-8")
    if old not in text:
        raise ValueError(f"{file}: {old.strip()!r} is missing")
    file.write_text(text.replace(old, new), encoding="utf-8")


def main() -> None:
    """Add the room that the command line names."""
    try:
        name, after = sys.argv[1:]
        files = add_room(name, after)
    except ValueError as error:
        sys.exit(f"make new-room NAME=loyalty AFTER=ordering: {error}")
    for file in files:
        print(file.relative_to(_ROOT))
    print("Now `make format`, then say in its __init__.py what the room is for.")


if __name__ == "__main__":
    main()
