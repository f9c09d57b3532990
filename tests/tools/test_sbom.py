"""The list of the product's packages: complete, valid, and only of what is locked."""

import json

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packaging.utils import canonicalize_name

from tools import sbom
from tools.sbom import PAGES, PRODUCT, Lock, PackageMissing, installed, python_components


@pytest.fixture(scope="module")
def bom():
    return sbom.bom()


@pytest.fixture(scope="module")
def environment():
    return installed()


def by_name(bom, kind):
    return {
        canonicalize_name(each["name"]) if kind == "pypi" else each["name"]: each
        for each in bom["components"]
        if each["purl"].startswith(f"pkg:{kind}/")
    }


def test_bom_matches_the_schema_of_cyclonedx(bom):
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(bom)) is None
    hashed = next(each for each in bom["components"] if "SHA-512" in json.dumps(each))
    wrong = json.dumps(bom | {"components": [hashed], "dependencies": []})
    wrong = wrong.replace("SHA-512", "SHA-0")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(wrong)


def test_bom_lists_each_locked_package_of_the_product(bom):
    python, node = by_name(bom, "pypi"), by_name(bom, "npm")
    assert {"reflex", "sqlalchemy", "starlette", "typing-extensions"} <= python.keys()
    pinned = [line for line in PRODUCT.read().splitlines() if "==" in line]
    # A marker excludes packages of other systems and interpreters.
    required = {canonicalize_name(line.split("==")[0]) for line in pinned if ";" not in line}
    assert required <= python.keys()
    packages = json.loads(PAGES.read())["packages"]
    assert {path.rpartition("node_modules/")[2] for path in packages if path} == node.keys()
    assert (python["httpx"]["version"], node["react"]["scope"]) == ("0.28.1", "required")
    assert node["vite"]["scope"] == "excluded"


def test_bom_lists_no_package_of_the_tests(bom):
    assert "pytest" not in by_name(bom, "pypi")
    references = {each["bom-ref"] for each in bom["components"]} | {"root-component"}
    for edge in bom["dependencies"]:
        assert {edge["ref"], *edge.get("dependsOn", [])} <= references


def lock_of(text):
    class Text(Lock):
        def read(self):
            return text

    return Text("requirements.txt", is_shipped=True)


@pytest.mark.parametrize("pinned", ["httpx==0.28.0", "no-such-package==1.0"])
def test_python_components_fail_when_a_locked_package_is_not_installed(pinned, environment):
    with pytest.raises(PackageMissing, match=pinned.partition("==")[0]):
        python_components(lock_of(f"{pinned} \\\n"), environment)


def test_python_components_omit_packages_of_other_systems(environment):
    text = "no-such-package==1.0 ; sys_platform == 'win32' \\\nhttpx==0.28.1 \\\n"
    assert [each["name"] for each in python_components(lock_of(text), environment)] == ["httpx"]
