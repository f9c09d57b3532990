"""Checks the licences of all packages: `python -m tools.licences`, or with `--write` to list them.

A licence must be allowed by licences.toml, and docs/licences.md must list all packages. The exit
code is 1 if one does not hold.
"""

import argparse
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from license_expression import ExpressionError, LicenseExpression, get_spdx_licensing

from tools.sbom import (
    DEVELOPMENT,
    NODE_TOOLS,
    PAGES,
    PRODUCT,
    ROOT,
    Component,
    installed,
    node_components,
    python_components,
)

PAGE = ROOT / "docs" / "licences.md"
_RULES = Path(__file__).with_suffix(".toml")
_SPDX = get_spdx_licensing()
_NONE = "no licence named"
_INTRODUCTION = """# Licences of all packages

For people who distribute or audit this project: the licence of each pinned package, written by
`make lock`. `make check` fails if a licence is not allowed by
[licences.toml](../tools/licences.toml), or if this page does not list all packages. `make sbom`
writes the packages of the product as CycloneDX JSON. The fonts in `assets/fonts` have the SIL Open
Font License; its text is beside each. The packages of `make voices` and of the compared products in
`make bench` have environments of their own, and are neither distributed nor listed.
"""


@dataclass(frozen=True)
class Package:
    """A package and its licence: an SPDX expression, or the text of its metadata."""

    name: str
    version: str
    licence: str


@dataclass(frozen=True)
class Rules:
    """The content of licences.toml."""

    allowed: frozenset[str]
    classifiers: Mapping[str, str]
    packages: Mapping[str, Mapping[str, str]]

    @classmethod
    def read(cls) -> "Rules":
        content = tomllib.loads(_RULES.read_text(encoding="utf-8"))
        return cls(frozenset(content["allowed"]), content["classifiers"], content["packages"])

    def package(self, component: Component) -> Package:
        """Return a component with the licence that it or, if it names none, licences.toml names."""
        declared = [_declared(each) for each in component.get("licenses", [])]
        found = [each for each in declared if _is_spdx(each)]
        found = found or [self.classifiers[each] for each in declared if each in self.classifiers]
        name = component["name"]
        if not found and name in self.packages:
            found = [self.packages[name]["licence"]]
        licence = " AND ".join(dict.fromkeys(found or declared)) or _NONE
        return Package(name, component["version"], licence)

    def is_allowed(self, package: Package) -> bool:
        """Whether a package's licence is allowed, in general or for this package."""
        exception = self.packages.get(package.name)
        if exception is not None and exception["licence"] == package.licence:
            return True
        return _is_spdx(package.licence) and _is_satisfied(
            _SPDX.parse(package.licence), self.allowed
        )


def _declared(entry: Mapping[str, Any]) -> str:
    licence = entry.get("license", {})
    return str(entry.get("expression") or licence.get("id") or licence.get("name"))


def _is_spdx(text: str) -> bool:
    try:
        _SPDX.parse(text, validate=True)
    except ExpressionError:
        return False
    return True


def _is_satisfied(expression: LicenseExpression | None, allowed: frozenset[str]) -> bool:
    """Whether one alternative of an expression consists of allowed licences."""
    if expression is None:
        return False
    parts = [_is_satisfied(each, allowed) for each in expression.args]
    if isinstance(expression, _SPDX.OR):
        return any(parts)
    if isinstance(expression, _SPDX.AND):
        return all(parts)
    return str(expression) in allowed


def groups() -> dict[str, list[Component]]:
    """Return all packages, by what they are for."""
    environment = installed()
    pages = node_components(PAGES)
    return {
        "The server (Python)": python_components(PRODUCT, environment),
        "The pages (npm)": [each for each in pages if each["scope"] == "required"],
        "Building the pages (npm)": [each for each in pages if each["scope"] == "excluded"],
        "Tests, checks and tools (Python)": python_components(DEVELOPMENT, environment),
        "Tests, checks and tools (npm)": [
            each for lock in NODE_TOOLS for each in node_components(lock)
        ],
    }


def page(packages: Mapping[str, Sequence[Package]]) -> str:
    """Return the list of all packages as Markdown: a table of licences for each use."""
    return "\n".join([_INTRODUCTION, *(_table(use, each) for use, each in packages.items())])


def _table(use: str, packages: Sequence[Package]) -> str:
    names: dict[str, set[str]] = {}
    for package in packages:
        names.setdefault(package.licence, set()).add(f"{package.name} {package.version}")
    rows = [f"| {licence} | {', '.join(sorted(names[licence]))} |" for licence in sorted(names)]
    return "\n".join([f"## {use}\n", "| licence | packages |", "|---|---|", *rows, ""])


def findings(rules: Rules, packages: Mapping[str, Sequence[Package]]) -> Iterator[str]:
    """Yield the packages whose licence is not allowed."""
    for use, each in packages.items():
        for package in each:
            if not rules.is_allowed(package):
                yield f"{use}: {package.name} {package.version} has {package.licence}"


def main() -> int:
    """Print what is wrong; return 1 if anything is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/licences.md")
    rules = Rules.read()
    packages = {use: [rules.package(each) for each in found] for use, found in groups().items()}
    text = page(packages)
    if parser.parse_args().write:
        PAGE.write_text(text, encoding="utf-8")
    wrong = [f"not allowed: {each}" for each in findings(rules, packages)]
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        wrong.append("docs/licences.md does not list the locked packages: run `make lock`")
    print("\n".join(wrong) or f"{sum(map(len, packages.values()))} packages, each licence allowed")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
