"""Test names follow CONTRIBUTING.md."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEST_NAME = re.compile(r"test(_[a-z0-9]+){2,}")
ARTICLE = re.compile(r"test_(a|an|the|what|whatever|whoever|who|nobody|nothing)_")
MAXIMUM_TEST_NAME_CHARACTERS = 75
DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def modules():
    listed = subprocess.run(
        ["git", "ls-files", "-z", "tests"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    names = [name for name in listed.stdout.split("\0") if name.endswith(".py")]
    return [name for name in names if (ROOT / name).is_file()]


def defined_names(module):
    """Return the names of a module's classes and functions."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    return [node.name for node in ast.walk(tree) if isinstance(node, DEFINITIONS)]


def is_test_name(name):
    return (
        TEST_NAME.fullmatch(name) is not None
        and ARTICLE.match(name) is None
        and len(name) <= MAXIMUM_TEST_NAME_CHARACTERS
    )


def test_test_names_have_the_form_of_the_glossary():
    tests = {module: defined_names(module) for module in modules()}
    wrong = [
        f"{module}: {name}"
        for module, defined in tests.items()
        for name in defined
        if name.startswith("test_") and not is_test_name(name)
    ]
    assert len(tests) > 100
    assert wrong == []


@pytest.mark.parametrize(
    "name", ["test_the_cart_is_kept", "test_cart", "test_Cart_is_kept", "test_cart_" + "x" * 70]
)
def test_test_name_is_rejected_when_form_is_wrong(name):
    assert not is_test_name(name)
