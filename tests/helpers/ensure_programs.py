"""Check that the programs that the tests need are installed; install missing ones with apt-get."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.helpers import browsers, webdriver

_ATTEMPTED = Path("var/stamps/headless-shell-attempted")
PROGRAMS = {
    "chromium": (browsers.NAMES, "chromium"),
    "redis-server": (("redis-server",), "redis-server"),
    "PostgreSQL": (("postgres",), "postgresql"),
    "nginx": (("nginx",), "nginx"),
    "systemd-analyze": (("systemd-analyze",), "systemd"),
    "Firefox": (webdriver.FIREFOX, "firefox-esr"),
    "WebKit's driver": ((webdriver.WEBKIT_DRIVER,), "webkit2gtk-driver"),
    "Xvfb": ((webdriver.XVFB,), "xvfb"),
    "Postfix": (("postfix",), "postfix"),
    "postgrey": (("postgrey",), "postgrey"),
}


def is_installed(names: tuple[str, ...]) -> bool:
    # The PATH of users often does not contain the folder of servers.
    search_path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
    if any(shutil.which(name, path=search_path) for name in names):
        return True
    return names == ("postgres",) and any(Path("/usr/lib/postgresql").glob("*/bin/postgres"))


def missing() -> dict[str, str]:
    return {
        title: package for title, (names, package) in PROGRAMS.items() if not is_installed(names)
    }


def install(packages: list[str]) -> None:
    prefix = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if not shutil.which("apt-get") or (prefix and not shutil.which("sudo")):
        return
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    # Postfix would replace another mail server of this machine: then nothing is installed.
    command = ["apt-get", "-y", "-qq", "--no-install-recommends", "--no-remove"]
    for arguments in (["update"], ["install", *packages]):
        subprocess.run(
            [*prefix, *command, *arguments], env=environment, check=False, stdout=subprocess.DEVNULL
        )


def install_headless_shell() -> None:
    """Try once to install the headless shell, which some systems do not provide."""
    if not is_installed((browsers.SHELL,)) and not _ATTEMPTED.exists():
        install([browsers.SHELL])
        _ATTEMPTED.parent.mkdir(parents=True, exist_ok=True)
        _ATTEMPTED.touch()


def main() -> None:
    install_headless_shell()
    if packages := missing():
        print(f"Installing for the tests: {', '.join(packages)}", flush=True)
        install(list(packages.values()))
    if packages := missing():
        sys.exit(f"The tests need {', '.join(packages)}: install them and run the command again.")


if __name__ == "__main__":
    main()
