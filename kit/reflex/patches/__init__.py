"""Changes to scripts that Reflex ships: one file a reason, `{name}.patch`.

A patch has its reason, then hunks in the form of a unified diff, without line numbers: `@@` and a
name, unchanged lines, and lines that are removed (`-`) or added (`+`). The unchanged and removed
lines of a hunk have to stand in Reflex's script, once; where is of no account. So a patch fits
several releases. Where their text differs, there are variants of it, `{name}.{release}.patch`: the
first of them that fits is applied. Neither git nor patch is needed, which a machine that builds the
pages may lack. docs/reflex has, for each patch, the hook with which Reflex could replace it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from reflex.constants import Templates
from reflex.plugins import Plugin

PATCHES: Final = ("own_origin", "connection_events", "keep_page", "reconnection", "release")
"""All patches in the order in which they are applied; each also fits Reflex's script alone."""
_FOLDER = Path(__file__).parent
_TARGET = re.compile(r"^--- a/(.+)\n\+\+\+ b/\1\n", re.MULTILINE)
_HUNK = re.compile(r"^@@ (.+) @@\n((?:[ +-].*\n|\n)+)", re.MULTILINE)


class PatchFails(RuntimeError):
    """Reflex's script lacks the text that a patch changes, as after an upgrade."""


@dataclass(frozen=True)
class _Hunk:
    name: str
    before: str
    after: str

    def apply(self, script: str) -> str:
        found = f"\n{script}".count(f"\n{self.before}")
        if found != 1:
            raise PatchFails(f"{self.name!r}: this text is there {found} times:\n{self.before}")
        # With a line break before it: the text begins a line.
        return f"\n{script}".replace(f"\n{self.before}", f"\n{self.after}")[1:]


@dataclass(frozen=True)
class Variant:
    """One file of a patch, for the releases of Reflex whose text it fits."""

    file: str
    """Its name in this folder."""
    target: str
    """The script that it changes, below Reflex's template of `.web`."""
    hunks: Sequence[_Hunk]

    def apply(self, script: str) -> str:
        """Return the changed script.

        Raises:
            PatchFails: If the script has not the text of each hunk, exactly once.
        """
        for hunk in self.hunks:
            try:
                script = hunk.apply(script)
            except PatchFails as error:
                raise PatchFails(
                    f"Reflex {version('reflex')} has changed {self.target}: look at"
                    f" kit/reflex/patches/{self.file}, hunk {error}"
                ) from None
        return script


def variants(name: str) -> list[Variant]:
    """Return the variants of a patch in the order in which they are tried."""
    files = [_FOLDER / f"{name}.patch", *sorted(_FOLDER.glob(f"{name}.*.patch"))]
    return [_variant(file) for file in files]


def patched(script: str, name: str) -> str:
    """Return a script of Reflex changed by the first variant of a patch that fits.

    Raises:
        PatchFails: If none fits, with what the first of them lacks.
    """
    return fitting(script, name).apply(script)


def fitting(script: str, name: str) -> Variant:
    """Return the first variant of a patch that fits a script of Reflex.

    Raises:
        PatchFails: As `patched` does.
    """
    failures: list[PatchFails] = []
    for variant in variants(name):
        try:
            variant.apply(script)
        except PatchFails as error:
            failures.append(error)
        else:
            return variant
    raise failures[0]


def script_of_reflex(target: str) -> str:
    """Return a script as the installed release of Reflex ships it."""
    return (Templates.Dirs.WEB_TEMPLATE / target).read_text(encoding="utf-8")


class PatchesPlugin(Plugin):
    """Applies patches to the scripts that Reflex ships, not to the output of an earlier build."""

    def __init__(self, *names: str) -> None:
        """`names` are some of `PATCHES`, or none of them for all."""
        self._names = names or PATCHES

    def pre_compile(self, **context: Any) -> None:
        for target in {variant.target for name in self._names for variant in variants(name)}:
            context["add_modify_task"](target, partial(self._patched, target))

    def _patched(self, target: str, _earlier: str) -> str:
        script = script_of_reflex(target)
        for name in self._names:
            if variants(name)[0].target == target:
                script = patched(script, name)
        return script


def _variant(file: Path) -> Variant:
    text = file.read_text(encoding="utf-8")
    header = _TARGET.search(text)
    body = text[header.end() :] if header else ""
    if header is None or not body or _HUNK.sub("", body):
        raise ValueError(f"{file.name} has not the form that kit/reflex/patches describes")
    return Variant(file.name, header[1], [_hunk(*found) for found in _HUNK.findall(body)])


def _hunk(name: str, body: str) -> _Hunk:
    lines = body.splitlines(keepends=True)
    return _Hunk(name, "".join(_side(lines, "-")), "".join(_side(lines, "+")))


def _side(lines: Sequence[str], sign: str) -> Iterator[str]:
    """Yield the unchanged lines and those with a sign; editors may cut the blank of empty lines."""
    for line in lines:
        if line[0] in f" {sign}":
            yield line[1:]
        elif line == "\n":
            yield line
