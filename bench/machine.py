"""Description of the measured commit and of the machine."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from browser import chromium
from paths import PROGRAMS, ROOT

_PACKAGES = ("reflex", "uvicorn", "uvloop", "websockets", "sqlmodel", "SQLAlchemy")


def description() -> dict[str, Any]:
    """Return the commit, the machine, the versions of programs, and the time."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _output("git", "rev-parse", "HEAD"),
        "changed_files": len(_output("git", "status", "--porcelain").splitlines()),
        "cpu": _field("/proc/cpuinfo", "model name"),
        "cores": os.cpu_count(),
        "memory": _field("/proc/meminfo", "MemTotal"),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "packages": {name: version(name) for name in _PACKAGES},
        "node": _output(f"{PROGRAMS}/node", "--version"),
        "chromium": _output(chromium(), "--version"),
        "load_average": os.getloadavg()[0],
    }


def headline(machine: dict[str, Any]) -> str:
    """Return the description in one line."""
    changed = f" + {machine['changed_files']} changed files" if machine["changed_files"] else ""
    return (
        f"{machine['date']}, {machine['commit'][:10]}{changed}; {machine['cores']} cores of "
        f"{machine['cpu']}, {machine['memory']}, Linux {machine['kernel']}, Python "
        f"{machine['python']}, Reflex {machine['packages']['reflex']}, Node {machine['node']}, "
        f"{machine['chromium']}"
    )


def _output(*command: str) -> str:
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def _field(file: str, name: str) -> str:
    lines = Path(file).read_text().splitlines()
    values = (line.partition(":")[2].strip() for line in lines if line.startswith(name))
    return next(values, "unknown")
