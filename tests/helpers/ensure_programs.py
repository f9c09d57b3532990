"""Check that the programs which the tests need are installed; install them where possible."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.helpers import browsers, webdriver

_TRIED = Path("var/stamps/tried-the-lightest-browser")
PROGRAMS = {
    "chromium": (browsers.NAMES, "chromium"),
    "redis-server": (("redis-server",), "redis-server"),
    "PostgreSQL": (("postgres",), "postgresql"),
    "nginx": (("nginx",), "nginx"),
    "Firefox": (webdriver.FIREFOX, "firefox-esr"),
    "WebKit's driver": ((webdriver.WEBKIT_DRIVER,), "webkit2gtk-driver"),
    "a screen that nobody sees": ((webdriver.XVFB,), "xvfb"),
}


def found(names: tuple[str, ...]) -> bool:
    # Servers are often installed outside the PATH of users.
    places = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
    if any(shutil.which(name, path=places) for name in names):
        return True
    return names == ("postgres",) and any(Path("/usr/lib/postgresql").glob("*/bin/postgres"))


def missing() -> dict[str, str]:
    return {title: package for title, (names, package) in PROGRAMS.items() if not found(names)}


def install(packages: list[str]) -> None:
    prefix = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if not shutil.which("apt-get") or (prefix and not shutil.which("sudo")):
        return
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", "-y", "-qq", "--no-install-recommends"]
    for arguments in (["update"], ["install", *packages]):
        subprocess.run(
            [*prefix, *command, *arguments], env=quiet, check=False, stdout=subprocess.DEVNULL
        )


def install_headless_shell() -> None:
    """Install the headless shell once, even if another Chromium exists; some systems don't have it."""
    if not found((browsers.SHELL,)) and not _TRIED.exists():
        install([browsers.SHELL])
        _TRIED.parent.mkdir(parents=True, exist_ok=True)
        _TRIED.touch()


def main() -> None:
    install_headless_shell()
    lacking = missing()
    if lacking:
        print(f"Installing for the tests: {', '.join(lacking)}", flush=True)
        install(list(lacking.values()))
        lacking = missing()
    if lacking:
        sys.exit(f"The tests need {', '.join(lacking)}: please install and run again.")


if __name__ == "__main__":
    main()
