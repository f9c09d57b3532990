"""Writes the list of the product's packages (SBOM) as CycloneDX JSON: `make sbom`.

It has the Python packages of requirements.txt, as installed, with licences and dependencies, and
the npm packages of reflex.lock, from which the pages are built, with licences and hashes. Packages
that only build the pages have the scope `excluded`.
"""

import base64
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packaging.markers import Marker
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
FILE = ROOT / "var" / "sbom" / "food-points.cdx.json"
_PINNED = re.compile(r"^([\w.-]+)==([^\s;]+)(?: ; (.+?))? \\$", re.MULTILINE)

Component = dict[str, Any]
"""A package as CycloneDX JSON."""


class PackageMissing(Exception):
    """A locked package is not installed in the version of the lock."""


@dataclass(frozen=True)
class Lock:
    """A file that pins packages."""

    path: str
    is_shipped: bool
    """Whether its packages run in production or, of npm, are a part of the pages."""

    def read(self) -> str:
        return (ROOT / self.path).read_text(encoding="utf-8")


PRODUCT = Lock("requirements.txt", is_shipped=True)
DEVELOPMENT = Lock("requirements-dev.txt", is_shipped=False)
PAGES = Lock("reflex.lock/package-lock.json", is_shipped=True)
NODE_TOOLS = (
    Lock("bench/lighthouse_tool/package-lock.json", is_shipped=False),
    Lock("tools/browser_checks/package-lock.json", is_shipped=False),
)


def installed() -> dict[str, Any]:
    """Return all packages of this environment as CycloneDX JSON, with their dependencies."""
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible"]
    options = ["--no-validate", "--pyproject", str(ROOT / "pyproject.toml"), sys.executable]
    done = subprocess.run(  # noqa: S603 - our own program
        [*command, *options], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def python_components(lock: Lock, environment: Mapping[str, Any]) -> list[Component]:
    """Return the packages of a requirements file, as installed.

    Raises:
        PackageMissing: If one is not installed in the version of the file.
    """
    found = {canonicalize_name(each["name"]): each for each in environment["components"]}
    components: list[Component] = []
    for name, version, marker in _PINNED.findall(lock.read()):
        component = found.get(canonicalize_name(name), {})
        if component.get("version") == version:
            components.append(_scoped(component, is_shipped=lock.is_shipped))
        elif not marker or Marker(marker).evaluate():
            raise PackageMissing(f"{lock.path}: {name} {version} is not installed")
    return components


def node_components(lock: Lock) -> list[Component]:
    """Return the packages of a lock file of npm; those that only build are not shipped."""
    packages = json.loads(lock.read())["packages"]
    return [
        _scoped(
            _node_component(path, package), is_shipped=lock.is_shipped and not package.get("dev")
        )
        for path, package in packages.items()
        if path
    ]


def bom() -> dict[str, Any]:
    """Return the SBOM of the product as CycloneDX JSON."""
    environment = installed()
    python = python_components(PRODUCT, environment)
    components = [*python, *node_components(PAGES)]
    root = environment["metadata"]["component"]["bom-ref"]
    known = {root, *(each["bom-ref"] for each in python)}
    return {
        **environment,
        "components": sorted(components, key=lambda each: each["bom-ref"]),
        "dependencies": list(_dependencies(environment["dependencies"], known)),
    }


def _dependencies(edges: list[dict[str, Any]], known: set[str]) -> Iterator[dict[str, Any]]:
    for edge in edges:
        if edge["ref"] in known:
            targets = [each for each in edge.get("dependsOn", []) if each in known]
            yield {"ref": edge["ref"], **({"dependsOn": targets} if targets else {})}


def _scoped(component: Component, *, is_shipped: bool) -> Component:
    return {**component, "scope": "required" if is_shipped else "excluded"}


def _node_component(path: str, package: Mapping[str, Any]) -> Component:
    name = path.rpartition("node_modules/")[2]
    purl = f"pkg:npm/{name.replace('@', '%40')}@{package['version']}"
    algorithm, _, digest = package["integrity"].partition("-")
    licence = package.get("license")
    return {
        "bom-ref": f"{path}@{package['version']}",
        "type": "library",
        "name": name,
        "version": package["version"],
        "purl": purl,
        "hashes": [
            {"alg": algorithm.replace("sha", "SHA-"), "content": base64.b64decode(digest).hex()}
        ],
        "licenses": [{"expression": licence}] if licence else [],
    }


def main() -> int:
    """Write the SBOM; return 1 if it does not match the schema of CycloneDX."""
    text = json.dumps(bom(), indent=2, ensure_ascii=False) + "\n"
    if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        print(f"not a valid SBOM: {error}")
        return 1
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(text, encoding="utf-8")
    print(f"written to {FILE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
