"""docs/specification.md is complete and traced; docs/invariants.md and docs/usability.md name tests that exist."""

import ast
import re
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path

import pytest

from campus_app.shared.rules import constants
from tests.campus_app.shared.rules.test_messages import SPECIFIED

ROOT = Path(__file__).parents[1]
SPECIFICATION = (ROOT / "docs" / "specification.md").read_text(encoding="utf-8")
TRACE = (ROOT / "docs" / "specification-trace.md").read_text(encoding="utf-8")
VOICE_PART = SPECIFICATION.partition("\n## V1. ")[2].partition("\n## M. ")[0]
VOICE_SENTENCES = [
    "Force Desktop Version",
    "Meet TARA_x1",
    "About Us",
    "Contact Us",
    "artificial",
    "intelligence",
    "Say goodbye to boring and awkward processes interfaces and start a new life with DA'VINCI",
    "Need Something Different?",
    "Join Waitlist",
    "Send Message",
    "Lets Connect - Davinci Solutions",
    "Listen to TARA",
    "Ready to play",
    "Listening...",
    "Speaking...",
    "Join Waitlist & Request a Demo",
    "Try Demo Version",
    "Request Enterprise Demo",
    "/month",
    "Next Step",
    "Previous",
    "Submitting...",
    "Request Demo",
    "Invalid scale: {value}. Scale must be between 0.25 and 1.0",
    "Invalid fps: {value}. FPS must be one of: 15, 24, 30, 60, 120",
    "Error loading scene",
    "Resource not found",
    "Network error occurred",
    "Loading timeout",
    "Failed to load UnicornStudio script",
    "UnicornStudio.addScene not found",
    "No project ID or JSON file path provided",
    "Failed to initialize scene",
    "Scene initialization timeout",
    "Web Audio API setup failed",
]
"""The texts of the assistant's page that the specification quotes."""

_NUMBER = r"[VCP]?\d+\.\d+|[MRSH]\d+"
_PROOF = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)(?:\[([^\]]+)\])?`")
_CODE_SECTION = "H"
"""Decisions about the code are checked by `make check`, not traced."""

NUMBERS = re.findall(rf"^\| ({_NUMBER}) \|", SPECIFICATION, re.MULTILINE)
ROWS = re.findall(rf"^\| ({_NUMBER}) \| (.+) \|$", TRACE, re.MULTILINE)


def number_parts(number):
    """Return a number's section and its position in that section, counted from 1."""
    section, position = re.fullmatch(r"(?:(.+)\.|([A-Z]))(\d+)", number).group(1, 3)
    return section or number[0], int(position)


SECTIONS = list(dict.fromkeys(number_parts(number)[0] for number in NUMBERS))


@cache
def source(path):
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def defined_in(path):
    """Return the names of the tests that a file defines."""
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.parse(source(path)).body if isinstance(node, definitions)}


@pytest.mark.parametrize("section", SECTIONS)
def test_section_is_numbered_without_a_gap_under_its_own_heading(section):
    part = SPECIFICATION.partition(f"\n## {section}. ")[2].partition("\n## ")[0]
    numbers = re.findall(rf"^\| ({_NUMBER}) \|", part, re.MULTILINE)
    assert [number_parts(number) for number in numbers] == [
        (section, position) for position in range(1, len(numbers) + 1)
    ]
    assert len(numbers) == sum(number_parts(number)[0] == section for number in NUMBERS)


def test_every_requirement_is_traced_once():
    traced = [number for number in NUMBERS if number_parts(number)[0] != _CODE_SECTION]
    assert [number for number, _proof in ROWS] == traced


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_requirement_is_proved_by_tests_that_exist(row):
    number, cell = row
    proofs = cell.split("<br>")
    for proof in proofs:
        found = _PROOF.fullmatch(proof)
        assert found, f"{number}: {proof} is not a test"
        path, name, case = found.groups()
        assert (ROOT / path).is_file(), f"{number}: {path} does not exist"
        assert name in defined_in(path), f"{number}: {path} does not define {name}"
        assert not case or f'"{case}"' in source(path), f"{number}: {name} has no case {case}"
    assert len(proofs) == len(set(proofs))


def test_every_number_that_the_specification_refers_to_exists():
    prose = re.sub(r"`[^`]*`", "", SPECIFICATION)
    cited = re.findall(r"(?<![\w.])(?:[VCP]\d+\.\d+|[MRSH]\d+)\b", prose)
    assert set(cited) <= set(NUMBERS)


@pytest.mark.parametrize("sentence", [specified for _message, specified in SPECIFIED])
def test_every_specified_sentence_is_quoted(sentence):
    assert f"'{sentence}'" in SPECIFICATION


@pytest.mark.parametrize("sentence", VOICE_SENTENCES)
def test_sentence_of_the_assistants_page_is_quoted(sentence):
    assert f"'{sentence}'" in VOICE_PART


def specified_constants():
    """Return the names of the constants whose source is the specification."""
    specified, pending = [], []
    for node in ast.parse(source("campus_app/shared/rules/constants.py")).body:
        if isinstance(node, ast.AnnAssign):
            pending.append(node.target.id)
        elif isinstance(node, ast.Expr):
            if "specification" in node.value.value:
                specified += pending
            pending = []
    return specified


@pytest.mark.parametrize("name", specified_constants())
def test_every_specified_constant_is_named(name):
    assert f"`{name}`" in SPECIFICATION


def test_specified_constants_finds_the_constants_with_a_source():
    """The negative control of the test above."""
    assert {"CONVENIENCE_FEE", "SLOT_COUNT", "WAITING_ROOM_SECONDS"} <= set(specified_constants())
    assert "MAXIMUM_NAME_CHARACTERS" not in specified_constants()


@pytest.mark.parametrize(
    ("name", "value"),
    re.findall(r"`([A-Z_]+)` = ([\w.-]*\w)", SPECIFICATION),
    ids=lambda part: part,
)
def test_constant_has_the_value_that_the_specification_states(name, value):
    actual = getattr(constants, name)
    try:
        assert actual == Decimal(value)
    except InvalidOperation:
        assert actual == value


# docs/invariants.md, docs/usability.md


def table(page, letter):
    """Return the rows of a page whose first cell is this letter and a number."""
    lines = (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if re.match(rf"\| {letter}\d", line)]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


INVARIANTS, USABILITY = table("invariants.md", "I"), table("usability.md", "U")
LAST_INVARIANT, LAST_USABILITY_ROW = 23, 20


@pytest.mark.parametrize(
    ("rows", "letter", "last"),
    [(INVARIANTS, "I", LAST_INVARIANT), (USABILITY, "U", LAST_USABILITY_ROW)],
    ids=["invariants", "usability"],
)
def test_rows_are_numbered_in_order(rows, letter, last):
    assert [row[0] for row in rows] == [f"{letter}{n}" for n in range(1, last + 1)]


@pytest.mark.parametrize("row", [*INVARIANTS, *USABILITY], ids=lambda row: row[0])
def test_each_named_test_exists(row):
    """An invariant's last cell names its negative controls, which remove the guard."""
    for proof in "<br>".join(row[2:]).split("<br>"):
        found = re.fullmatch(r"`(tests/[\w/]+\.py)::(test_\w+)`", proof)
        assert found, proof
        path, name = found.groups()
        assert name in defined_in(path), f"{path} does not define {name}"
