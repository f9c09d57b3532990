"""Folders of releases, and a next release of the product, whose states, pages and scripts differ from this one's.

In the states a variable is renamed, one is added and one removed, and an event handler is renamed.
The pages use the new names, so this release has a build of its own, in English only.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from campus_app.build import SOURCES, source_hashes
from deploy.nginx import BUILT
from kit.translations import ENGLISH
from tests.helpers.product import ROOT
from tests.helpers.settings import DATA

_FOLDER = ROOT / "var" / "next_release"
_STAMP = _FOLDER / "built-from.json"
_LOCK = _FOLDER.with_suffix(".lock")
_BUILD_SECONDS = 240
_SCHEMA = re.compile(r'stateSchema = "(\w+)"')
_WEB = ".web"
_MODULES = "node_modules"
_NOT_COPIED = shutil.ignore_patterns("build", _MODULES, "__pycache__")

EDITS = {
    "campus_app/ordering/screens/cart_state.py": (
        ('    refusal: str = ""\n', '    refused_because: str = ""\n    steps: int = 0\n'),
        ("self.refusal", "self.refused_because"),
        ("    _prompted_at: float = 0.0\n", "    _prompted_at: float = 0.0\n    _added: str = ''\n"),
        ("        self.sequence = str(sequence)\n", "        self.sequence = str(sequence)\n"
         "        self.steps += 1\n        self._added += '.'\n"),
        ("async def reprice(self)", "async def price_again(self)"),
    ),
    "campus_app/ordering/screens/checkout_state.py": (
        ("    offer_ms: int = 0\n", ""),
        ("offer_id, self.offer_ms = current_offer", "offer_id, _ = current_offer"),
    ),
    "campus_app/ordering/screens/customer_state.py": (("likely_email", "suggested_email"),),
    "campus_app/ordering/screens/menu_page.py": (
        ("CartState.refusal", "CartState.refused_because"),
        ("CartState.reprice", "CartState.price_again"),
    ),
    "campus_app/ordering/screens/checkout_page.py": (
        ("        after(CheckoutState.offer_ms, CheckoutState.open),\n", ""),
    ),
    "campus_app/ordering/screens/personal_info_page.py": (
        ("CustomerState.likely_email", "CustomerState.suggested_email"),
    ),
}  # fmt: skip
"""Texts and their replacements, all occurrences, by file."""


def next_release() -> Path:
    """Return the folder of the next release; build it unless it is of the same sources.

    Raises:
        RuntimeError: If a text to replace is not in its file, or the build fails.
    """
    edits = hashlib.sha256(json.dumps(EDITS).encode()).hexdigest()
    wanted = {**source_hashes(DATA), "edits": edits}
    _LOCK.parent.mkdir(exist_ok=True)
    with _LOCK.open("w") as lock:  # parallel test processes share the folder
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (_STAMP.is_file() and json.loads(_STAMP.read_text()) == wanted):
            shutil.rmtree(_FOLDER, ignore_errors=True)
            _copy_sources()
            _edit()
            _build()
            _STAMP.write_text(json.dumps(wanted))
    return _FOLDER


def _copy_sources() -> None:
    for name in sorted({Path(pattern).parts[0] for pattern in SOURCES}):
        source, target = ROOT / name, _FOLDER / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=_NOT_COPIED)
        else:
            shutil.copy2(source, target)
    shutil.copytree(ROOT / _WEB, _FOLDER / _WEB, ignore=_NOT_COPIED, symlinks=True)
    (_FOLDER / _WEB / _MODULES).symlink_to(ROOT / _WEB / _MODULES)


def _edit() -> None:
    for name, replacements in EDITS.items():
        file = _FOLDER / name
        code = file.read_text(encoding="utf-8")
        for text, replacement in replacements:
            if text not in code:
                raise RuntimeError(f"{name} does not contain {text!r}")
            code = code.replace(text, replacement)
        file.write_text(code, encoding="utf-8")


def _build() -> None:
    settings = {"REFLEX_USE_NPM": "1", "PAGES_LANGUAGE": ENGLISH, "DATA_DIR": str(DATA)}
    done = subprocess.run(
        [sys.executable, "-m", "reflex", "export", "--frontend-only", "--no-zip"],
        cwd=_FOLDER,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=_BUILD_SECONDS,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"the build failed:\n{done.stdout}\n{done.stderr}")


class Links:
    """The links to the current and the previous release, as on a host."""

    def __init__(self, folder: Path) -> None:
        self.current, self.previous = folder / "food-points", folder / "food-points-previous"
        self.current.symlink_to(ROOT)
        self.previous.symlink_to(ROOT)

    def switch(self, release: Path) -> None:
        """Point to another release; the current one becomes the previous one."""
        for link, target in ((self.previous, self.current.readlink()), (self.current, release)):
            new = link.with_suffix(".new")
            new.symlink_to(target)
            new.replace(link)


@contextlib.contextmanager
def release_links() -> Iterator[Links]:
    """Yield links to this release in a temporary folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # if we are root, nginx's workers run as another user
        yield Links(folder)


def has_script(release: Path, path: str) -> bool:
    """Whether a release's build contains a file, such as /assets/menu-xyz.js."""
    return (release / BUILT / path.removeprefix("/")).is_file()


def schema_of(release: Path) -> str:
    """Return the hash of the states for which a release's pages are built."""
    context = (release / _WEB / "utils" / "context.jsx").read_text(encoding="utf-8")
    match = _SCHEMA.search(context)
    assert match, "Reflex's context.jsx has changed"
    return match[1]
