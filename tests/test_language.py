"""Names follow CONTRIBUTING.md: no banned words, and test names of one form."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("kit", "campus_app", "voice_site", "tools", "deploy", "tests")
BANNED_WORDS = {
    *("bury", "crew", "dying", "errand", "errands", "fate", "fates", "handbill"),
    *("handover", "handovers", "hasten", "hear", "heard", "ledger", "neighbourhood"),
    *("nobody", "nonsense", "nudge", "nudges", "outgoing", "presence", "refusals"),
    *("rehearsal", "rehearse", "revive", "speaking", "stranger", "strangers", "told"),
    *("whoever",),
}
BANNED_NAMES = {
    *("asked_dish", "help_wanted", "is_attended", "kept_order", "ring_store", "when_over"),
}
TEST_NAME = re.compile(r"test(_[a-z0-9]+){2,}")
ARTICLE = re.compile(r"test_(a|an|the|what|whatever|whoever|who|nobody|nothing)_")
MAXIMUM_TEST_NAME_CHARACTERS = 75
DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def modules():
    listed = subprocess.run(
        ["git", "ls-files", "-z", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True
    )
    names = [name for name in listed.stdout.split("\0") if name.endswith(".py")]
    return [name for name in names if (ROOT / name).is_file()]


def defined_names(module):
    """Return the names of a module, its classes and its functions."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    return [
        Path(module).stem,
        *(node.name for node in ast.walk(tree) if isinstance(node, DEFINITIONS)),
    ]


def banned_in(name):
    """Return the banned words and names that an identifier contains."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_")
    return sorted(set(snake.split("_")) & BANNED_WORDS | ({snake} & BANNED_NAMES))


def is_test_name(name):
    return (
        TEST_NAME.fullmatch(name) is not None
        and ARTICLE.match(name) is None
        and len(name) <= MAXIMUM_TEST_NAME_CHARACTERS
    )


def test_names_contain_no_banned_words():
    names = {module: defined_names(module) for module in modules()}
    banned = {
        f"{module}: {name}": found
        for module, defined in names.items()
        for name in defined
        if (found := banned_in(name))
    }
    assert len(names) > 100
    assert banned == {}


def test_test_names_have_the_form_of_the_glossary():
    tests = {module: defined_names(module)[1:] for module in modules() if "tests/" in module}
    wrong = [
        f"{module}: {name}"
        for module, defined in tests.items()
        for name in defined
        if name.startswith("test_") and not is_test_name(name)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "name", ["ring_store", "Stranger", "told_customers", "is_attended", "SqlHandovers"]
)
def test_banned_words_are_found_in_any_notation(name):
    assert banned_in(name)


@pytest.mark.parametrize(
    "name", ["test_the_cart_is_kept", "test_cart", "test_Cart_is_kept", "test_cart_" + "x" * 70]
)
def test_test_name_is_rejected_when_form_is_wrong(name):
    assert not is_test_name(name)
