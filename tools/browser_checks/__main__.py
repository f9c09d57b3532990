"""Checks scripts, styles and structured data: `python -m tools.browser_checks [CHECK] [folder]`.

`scripts` lints `assets/js` with ESLint. `build` rejects a script, style or page of the build that
needs a feature which the oldest browsers lack, by the data of Mozilla and the W3C. Without an
argument, both run. `structured-data` rejects JSON-LD files of a folder that do not follow the
vocabulary of schema.org. The required npm packages are installed once, below `.cache/`.
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
_NODE = Path(sys.executable).parent  # Node comes with the virtual environment
_INSTALLED = _ROOT / ".cache" / "browser_checks"
_PACKAGES = _INSTALLED / "node_modules" / ".package-lock.json"
_FILES = (
    "package.json",
    "package-lock.json",
    "check.mjs",
    "eslint.config.mjs",
    "structured_data.mjs",
)
_FOLDERS = {
    "scripts": _ROOT / "assets" / "js",
    "build": _ROOT / ".web" / "build" / "client",
}


def main() -> None:
    """Run the checks; the exit code is 1 if one of them finds a problem."""
    chosen, *given = sys.argv[1:] or [""]
    _install()
    checks = [chosen] if chosen else list(_FOLDERS)
    codes = [_run(check, Path(given[0]) if given else _FOLDERS[check]) for check in checks]
    sys.exit(max(codes))


def _run(check: str, folder: Path) -> int:
    if check == "scripts":
        eslint = _INSTALLED / "node_modules" / "eslint" / "bin" / "eslint.js"
        config = _INSTALLED / "eslint.config.mjs"
        command = [_NODE / "node", eslint, "--config", config, "--max-warnings=0", "."]
    elif check == "structured-data":
        command = [_NODE / "node", _INSTALLED / "structured_data.mjs", folder]
    else:
        oldest = json.dumps(OLDEST_BROWSERS)
        command = [_NODE / "node", _INSTALLED / "check.mjs", oldest, folder]
    return subprocess.run(command, cwd=folder, check=False).returncode  # noqa: S603 - no outside input


def _install() -> None:
    _INSTALLED.mkdir(parents=True, exist_ok=True)
    # Tests may run this at the same time.
    with (_INSTALLED / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _PACKAGES.exists() and all(map(_is_copied, _FILES)):
            return
        _PACKAGES.unlink(missing_ok=True)
        for name in _FILES:
            shutil.copyfile(_HERE / name, _INSTALLED / name)
        command = [_NODE / "npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run(command, cwd=_INSTALLED, check=True)  # noqa: S603 - no outside input


def _is_copied(name: str) -> bool:
    copy = _INSTALLED / name
    return copy.exists() and copy.read_bytes() == (_HERE / name).read_bytes()


if __name__ == "__main__":
    main()
