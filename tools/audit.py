"""Looks up the pinned packages in public vulnerability databases: `python tools/audit.py`.

The exit code is 1 if a package is vulnerable. If a database is unreachable, the last line names
its packages as not audited, with exit code 0: the checks also run on a machine without network.
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
    """A vulnerability database could not be read."""


def python_findings(osv: str = OSV) -> list[str]:
    """Return the known vulnerabilities of the pinned Python packages.

    Raises:
        OutOfReach: if a package could not be looked up.
    """
    # Dependencies are pinned too, so nothing has to be resolved.
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
    """Return the known vulnerabilities of the packages in `reflex.lock`.

    Raises:
        OutOfReach: if the registry could not be read.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise OutOfReach("npm is not on the PATH")
    command = [npm, "audit", "--json", "--package-lock-only", f"--registry={registry}"]
    # Without these, npm retries an unreachable registry for minutes.
    timeouts = ["--fetch-retries=0", "--fetch-timeout=5000"]
    report = _report([*command, *timeouts], ROOT / "reflex.lock")
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
    """Print the vulnerabilities of all packages; return 1 if there is one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--osv", default=OSV, help="address of the database for Python packages")
    parser.add_argument("--registry", default=REGISTRY, help="address of the npm registry")
    chosen = parser.parse_args()
    is_unsafe = False
    not_audited: list[str] = []
    for name, findings in (
        ("requirements.txt", lambda: python_findings(chosen.osv)),
        ("reflex.lock", lambda: node_findings(chosen.registry)),
    ):
        try:
            found = findings()
        except OutOfReach as error:
            not_audited.append(f"{name} ({' '.join(str(error).split())})")
            continue
        is_unsafe = is_unsafe or bool(found)
        print(
            f"{name}: "
            + ("\n  ".join(["unsafe", *found]) if found else "nothing is known against it")
        )
    if not_audited:
        print(f"NOT audited, the advisories are out of reach: {', '.join(not_audited)}")
    return int(is_unsafe)


if __name__ == "__main__":
    sys.exit(main())
