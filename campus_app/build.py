"""Builds the pages once for every language: `python -m campus_app.build`.

Nothing is built if the sources are unchanged; of the data, the list of restaurants and the facts
about TARA count.

The English pages are at the top of the served folder, those of each other language in a subfolder
named by its code. Scripts, styles and images are shared; each page loads the scripts of its own
language only. Source: specification H5, P6.1.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from campus_app.shared.settings import settings
from campus_app.shared.translations import LANGUAGES
from kit.reflex.pages import BUILT_PAGES, WEB_FOLDER
from kit.translations import ENGLISH
from voice_site.adapters.fact_file import FILE

BUILT: Final = BUILT_PAGES
BUILT_FROM: Final = WEB_FOLDER / "built-from.json"
"""The hashes of the sources of the built pages, as `source_hashes` returns them."""
_ROOT: Final = Path(__file__).parents[1]
SOURCES: Final = (
    "rxconfig.py",
    "requirements.txt",
    "reflex.lock/*",
    "kit/**/*",
    "campus_app/**/*",
    "voice_site/**/*",
    "assets/**/*",
)
"""The sources of the pages, relative to the repository."""
_NOT_IN_PAGES: Final = ("__pycache__", "assets/external")
_ASIDE = WEB_FOLDER / "languages"
_PAGES = "*.html*"
_SCRIPTS = "assets"


def main() -> None:
    """Build all pages if their sources have changed; exit with Reflex's code if that fails."""
    wanted = source_hashes(settings().data_dir)
    if is_built_from(wanted):
        return
    BUILT_FROM.unlink(missing_ok=True)
    _build()
    BUILT_FROM.write_text(json.dumps(wanted), encoding="utf-8")


def source_hashes(data_dir: Path) -> dict[str, str]:
    """Return a hash of the pages' code and assets, and one of their data."""
    code = hashlib.sha256()
    for file in _sources():
        code.update(f"{file.relative_to(_ROOT)}\0".encode())
        code.update(hashlib.sha256(file.read_bytes()).digest())
    data = hashlib.sha256((data_dir / "restaurants.csv").read_bytes())
    facts = data_dir / FILE
    data.update(facts.read_bytes() if facts.is_file() else b"")
    return {"code": code.hexdigest(), "data": data.hexdigest()}


def is_built_from(wanted: dict[str, str]) -> bool:
    """Whether there are complete pages with these hashes."""
    try:
        return json.loads(BUILT_FROM.read_text(encoding="utf-8")) == wanted and BUILT.is_dir()
    except (OSError, ValueError):
        return False


def _sources() -> Iterator[Path]:
    for pattern in SOURCES:
        for file in sorted(_ROOT.glob(pattern)):
            path = file.relative_to(_ROOT).as_posix()
            if file.is_file() and not any(part in path for part in _NOT_IN_PAGES):
                yield file


def _build() -> None:
    shutil.rmtree(_ASIDE, ignore_errors=True)
    _ASIDE.mkdir(parents=True)
    for code in reversed(LANGUAGES):  # English last, since its pages stay where they are
        _export(code)
        if code != ENGLISH:
            shutil.move(BUILT, _ASIDE / code)
    for code in LANGUAGES:
        if code != ENGLISH:
            add_language(_ASIDE / code, BUILT, code)
    shutil.rmtree(_ASIDE)


def add_language(pages: Path, built: Path, code: str) -> None:
    """Move a language's pages into its folder, and its scripts beside the others.

    A script's name contains a hash of its content, so that an existing one is the same.
    Other `index.html` files than the one of "/" are skipped: they duplicate pages under a second
    address.
    """
    for page in pages.rglob(_PAGES):
        if page.name.startswith("index.") and page.parent != pages:
            continue
        target = built / code / page.relative_to(pages)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(page, target)
    for script in (pages / _SCRIPTS).iterdir():
        if not (built / _SCRIPTS / script.name).exists():
            shutil.move(script, built / _SCRIPTS)


def _export(code: str) -> None:
    print(f"Building the pages in {code}", flush=True)  # noqa: T201 - progress
    command = [sys.executable, "-m", "reflex", "export", "--frontend-only", "--no-zip"]
    chosen = {"REFLEX_USE_NPM": "1", "PAGES_LANGUAGE": code}
    done = subprocess.run(command, env={**os.environ, **chosen}, check=False)  # noqa: S603 - no outside input
    if done.returncode:
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
