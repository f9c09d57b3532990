"""Asks public advisories whether a package that we pin is unsafe: `python tools/audit.py`.

Ends with 1 where one is. Where the advisories are out of reach it says so, and that nothing was
looked at, with 0: a machine without a way out can still check everything else.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
OSV = "https://api.osv.dev/v1/query"
REGISTRY = "https://registry.npmjs.org/"
_LONGEST_SECONDS = 120


class OutOfReach(Exception):
    """Nobody answered who knows."""


def python_findings(osv: str = OSV) -> list[str]:
    """Return what is known of the Python packages that are pinned.

    Raises:
        OutOfReach: If the advisories of any package could not be read.
    """
    # Everything is pinned, what is brought along too: nothing has to be resolved.
    options = ["--no-deps", "--disable-pip", "--format=json", "--progress-spinner=off"]
    service = ["--vulnerability-service=osv", f"--osv-url={osv}", "--timeout=5"]
    # pip-audit does not follow the `-r` in requirements-dev.txt.
    files = ["--requirement", "requirements.txt", "--requirement", "requirements-dev.txt"]
    command = [sys.executable, "-m", "pip_audit", *files]
    packages = _report([*command, *options, *service], ROOT).get("dependencies", [])
    if not packages or any("skip_reason" in each for each in packages):
        raise OutOfReach("the service left packages out")
    return [
        f"{each['name']} {each['version']}: {found['id']}"
        f" (mended in {', '.join(found['fix_versions']) or 'no version yet'})"
        for each in packages
        for found in each["vulns"]
    ]


def node_findings(registry: str = REGISTRY) -> list[str]:
    """Return what is known of the packages of `reflex.lock`.

    Raises:
        OutOfReach: If the advisories could not be read.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise OutOfReach("npm is not on the PATH")
    command = [npm, "audit", "--json", "--package-lock-only", f"--registry={registry}"]
    # One that does not answer would otherwise be asked for minutes.
    patience = ["--fetch-retries=0", "--fetch-timeout=5000"]
    report = _report([*command, *patience], ROOT / "reflex.lock")
    if "vulnerabilities" not in report:
        raise OutOfReach(str(report.get("message", "no answer")))
    return [
        f"{name}: {found['severity']}, {found['range']}"
        for name, found in report["vulnerabilities"].items()
    ]


def _report(command: Sequence[str], folder: Path) -> dict[str, Any]:
    try:
        done = subprocess.run(  # noqa: S603 - our own tools
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=_LONGEST_SECONDS,
            check=False,
        )
        return json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError) as error:
        raise OutOfReach(type(error).__name__) from None


def main() -> int:
    """Tell what is known of all packages; return 1 where one is unsafe."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--osv", default=OSV, help="where Python's advisories are")
    parser.add_argument("--registry", default=REGISTRY, help="where npm's advisories are")
    chosen = parser.parse_args()
    is_unsafe = False
    for name, look in (
        ("requirements.txt", lambda: python_findings(chosen.osv)),
        ("reflex.lock", lambda: node_findings(chosen.registry)),
    ):
        try:
            found = look()
        except OutOfReach as error:
            print(f"{name}: NOT audited, its advisories are out of reach: {error}")
            continue
        is_unsafe = is_unsafe or bool(found)
        print(
            f"{name}: "
            + ("\n  ".join(["unsafe", *found]) if found else "nothing is known against it")
        )
    return int(is_unsafe)


if __name__ == "__main__":
    sys.exit(main())
