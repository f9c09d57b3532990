"""Builds the pages once for every language: `python -m campus_app.build`.

Those in English stand on top of the folder that is served, as the framework built them; those in
each other language below its code, beside the same scripts, styles and pictures. Each page names
the scripts of its own language: nobody loads another's words. Source: DECISIONS H5, ADR 0014.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from reflex.utils.prerequisites import get_web_dir

from campus_app.translations import ENGLISH, LANGUAGES

BUILT: Final = get_web_dir() / "build" / "client"
_ASIDE = get_web_dir() / "languages"
_PAGES = "*.html*"
_SCRIPTS = "assets"


def main() -> None:
    """Build all pages; ends with the framework's own code where it can't."""
    shutil.rmtree(_ASIDE, ignore_errors=True)
    _ASIDE.mkdir(parents=True)
    for code in reversed(LANGUAGES):  # English last: nothing of it has to be moved
        _export(code)
        if code != ENGLISH:
            shutil.move(BUILT, _ASIDE / code)
    for code in LANGUAGES:
        if code != ENGLISH:
            add_language(_ASIDE / code, BUILT, code)
    shutil.rmtree(_ASIDE)


def add_language(pages: Path, built: Path, code: str) -> None:
    """Put a language's pages below its code, and the scripts that are its own beside the others.

    A script is called after its content: what is there already is the same. A page that lies in
    a folder of its own as well would be found at a second address.
    """
    for page in pages.rglob(_PAGES):
        if page.name.startswith("index."):
            continue
        target = built / code / page.relative_to(pages)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(page, target)
    for script in (pages / _SCRIPTS).iterdir():
        if not (built / _SCRIPTS / script.name).exists():
            shutil.move(script, built / _SCRIPTS)


def _export(code: str) -> None:
    print(f"Building the pages in {code}", flush=True)  # noqa: T201 - for who waits
    command = [sys.executable, "-m", "reflex", "export", "--frontend-only", "--no-zip"]
    chosen = {"REFLEX_USE_NPM": "1", "PAGES_LANGUAGE": code}
    done = subprocess.run(command, env={**os.environ, **chosen}, check=False)  # noqa: S603, TID251 - no outside input
    if done.returncode:
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
