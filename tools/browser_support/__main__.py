"""Refuses a build that the oldest browsers can't read: `python -m tools.browser_support [folder]`.

What the browsers know is Mozilla's and the W3C's data; ESLint and Stylelint look for it in every
script, style and page of the build. They are npm packages, installed below `.cache/`.
"""

import fcntl
import json
import shutil
import subprocess
import sys
from pathlib import Path

from kit.reflex.browser_targets import OLDEST_BROWSERS

_HERE = Path(__file__).parent
_ROOT = _HERE.parents[1]
_BIN = Path(sys.executable).parent  # Node comes with the virtual environment
_PLACE = _ROOT / ".cache" / "browser_support"
_PACKAGES = _PLACE / "node_modules" / ".package-lock.json"
_FILES = ("package.json", "package-lock.json", "check.mjs")


def main() -> None:
    """Check one folder; the exit code is 1 where something in it is refused."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else _ROOT / ".web" / "build" / "client"
    _install()
    command = [_BIN / "node", _PLACE / "check.mjs", json.dumps(OLDEST_BROWSERS), folder]
    sys.exit(subprocess.run(command, check=False).returncode)  # noqa: S603 - no outside input


def _install() -> None:
    _PLACE.mkdir(parents=True, exist_ok=True)
    # Tests may run this at the same time.
    with (_PLACE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _PACKAGES.exists() and all(map(_is_copied, _FILES)):
            return
        _PACKAGES.unlink(missing_ok=True)
        for name in _FILES:
            shutil.copyfile(_HERE / name, _PLACE / name)
        command = [_BIN / "npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run(command, cwd=_PLACE, check=True)  # noqa: S603 - no outside input


def _is_copied(name: str) -> bool:
    copy = _PLACE / name
    return copy.exists() and copy.read_bytes() == (_HERE / name).read_bytes()


if __name__ == "__main__":
    main()
