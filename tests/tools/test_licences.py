"""The check of licences: what is allowed, and what it finds."""

import subprocess
import sys

import pytest

from tests.helpers.product import ROOT
from tools.licences import Package, Rules, findings, page

RULES = Rules(
    allowed=frozenset({"MIT", "BSD-3-Clause", "Apache-2.0"}),
    classifiers={"License :: OSI Approved :: BSD License": "BSD-3-Clause"},
    packages={
        "driver": {"licence": "LGPL-3.0-only", "reason": "loaded at run time"},
        "silent": {"licence": "MIT", "reason": "its LICENSE says so"},
    },
)
BSD = {"license": {"name": "License :: OSI Approved :: BSD License"}}


def component(*licences, name="package"):
    return {"name": name, "version": "1.0", "licenses": list(licences)}


def expression(text):
    return {"expression": text}


@pytest.mark.parametrize(
    ("found", "licence"),
    [
        (component(expression("MIT")), "MIT"),
        (component({"license": {"id": "MIT"}}), "MIT"),
        (component(BSD), "BSD-3-Clause"),
        (component({"license": {"id": "MIT"}}, BSD), "MIT"),
        (component(expression("MIT"), expression("Zlib")), "MIT AND Zlib"),
        (component(name="silent"), "MIT"),
        (component(expression("GPL-3.0-only"), name="silent"), "GPL-3.0-only"),
        (component({"license": {"name": "Ours"}}), "Ours"),
        (component(), "no licence named"),
    ],
)
def test_package_has_the_licence_of_its_metadata(found, licence):
    assert RULES.package(found) == Package(found["name"], "1.0", licence)


@pytest.mark.parametrize(
    ("licence", "is_allowed"),
    [
        ("MIT", True),
        ("MIT AND BSD-3-Clause", True),
        ("MIT OR GPL-3.0-only", True),
        ("(GPL-3.0-only OR MIT) AND Apache-2.0", True),
        ("MIT AND GPL-3.0-only", False),
        ("GPL-3.0-only", False),
        ("LGPL-3.0-only", False),
        ("Apache-2.0 WITH LLVM-exception", False),
        ("Ours", False),
        ("no licence named", False),
    ],
)
def test_licence_is_allowed_when_an_alternative_is_in_the_list(licence, is_allowed):
    assert RULES.is_allowed(Package("package", "1.0", licence)) is is_allowed


def test_exception_holds_for_its_package_and_licence_alone():
    assert RULES.is_allowed(Package("driver", "1.0", "LGPL-3.0-only"))
    assert not RULES.is_allowed(Package("driver", "2.0", "GPL-3.0-only"))
    assert not RULES.is_allowed(Package("other", "1.0", "LGPL-3.0-only"))


def test_findings_name_use_package_and_licence():
    packages = {
        "The server": [Package("good", "1.0", "MIT"), Package("bad", "2.0", "GPL-3.0-only")],
    }
    assert list(findings(RULES, packages)) == ["The server: bad 2.0 has GPL-3.0-only"]


def test_page_groups_packages_by_licence():
    text = page({"The server": [Package(name, "1.0", "MIT") for name in ("zebra", "ant", "ant")]})
    assert text.endswith(
        "## The server\n\n| licence | packages |\n|---|---|\n| MIT | ant 1.0, zebra 1.0 |\n"
    )


def test_each_locked_package_is_allowed_and_listed():
    done = subprocess.run(
        [sys.executable, "-m", "tools.licences"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "each licence allowed" in done.stdout


def test_each_exception_of_the_rules_is_used_and_has_a_reason():
    listed = (ROOT / "docs" / "licences.md").read_text()
    for name, exception in Rules.read().packages.items():
        assert f" {name} " in listed, name
        assert exception["reason"].endswith("."), name
