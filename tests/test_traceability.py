"""docs/specification.md is complete and traced; docs/invariants.md and docs/usability.md name tests that exist."""

import ast
import re
from collections import Counter
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


@cache
def source(path):
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def defined_in(path):
    """Return the names of the tests that a file defines."""
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.parse(source(path)).body if isinstance(node, definitions)}


def numbers_under(section):
    """Return the numbers below a section's heading."""
    part = SPECIFICATION.partition(f"\n## {section}. ")[2].partition("\n## ")[0]
    return [number_parts(each) for each in re.findall(rf"^\| ({_NUMBER}) \|", part, re.MULTILINE)]


def test_sections_are_numbered_without_a_gap_under_their_own_headings():
    counts = Counter(number_parts(number)[0] for number in NUMBERS)
    found = {section: numbers_under(section) for section in counts}
    expected = {
        section: [(section, position) for position in range(1, count + 1)]
        for section, count in counts.items()
    }
    assert found == expected


def test_every_requirement_is_traced_once():
    traced = [number for number in NUMBERS if number_parts(number)[0] != _CODE_SECTION]
    assert [number for number, _proof in ROWS] == traced


def fault_of(proof):
    """Return why a cell's part names no test, or ""."""
    found = _PROOF.fullmatch(proof)
    if not found:
        return f"{proof} is not a test"
    path, name, case = found.groups()
    if not (ROOT / path).is_file():
        return f"{path} does not exist"
    if name not in defined_in(path):
        return f"{path} does not define {name}"
    return f"{name} has no case {case}" if case and f'"{case}"' not in source(path) else ""


def faults_of(rows):
    """Return the faults of rows, each a number and a cell of tests."""
    proofs = [(number, proof) for number, cell in rows for proof in cell.split("<br>")]
    repeated = [f"{each} is named twice" for each, times in Counter(proofs).items() if times > 1]
    return repeated + [f"{number}: {why}" for number, proof in proofs if (why := fault_of(proof))]


def test_requirements_are_proved_by_tests_that_exist():
    assert faults_of(ROWS) == []


def test_control_each_fault_of_a_trace_is_found():
    here = "tests/test_traceability.py::test_every_requirement_is_traced_once"
    rows = [
        ("1.1", f"`{here}`"),
        ("1.2", f"`{here}`<br>`{here}`"),
        ("1.3", "by hand"),
        ("1.4", "`tests/test_absent.py::test_absent`"),
        ("1.5", f"`{here}_and_again`"),
        ("1.6", f"`{here}[no case]`"),
    ]
    assert [fault.partition(":")[0] for fault in faults_of(rows)[1:]] == [
        "1.3",
        "1.4",
        "1.5",
        "1.6",
    ]
    assert "1.2" in faults_of(rows)[0]


def test_every_number_that_the_specification_refers_to_exists():
    prose = re.sub(r"`[^`]*`", "", SPECIFICATION)
    cited = re.findall(r"(?<![\w.])(?:[VCP]\d+\.\d+|[MRSH]\d+)\b", prose)
    assert set(cited) <= set(NUMBERS)


def test_every_specified_sentence_is_quoted():
    sentences = [specified for _message, specified in SPECIFIED]
    assert [each for each in sentences if f"'{each}'" not in SPECIFICATION] == []


def test_sentences_of_the_assistants_page_are_quoted():
    assert [each for each in VOICE_SENTENCES if f"'{each}'" not in VOICE_PART] == []


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


def test_every_specified_constant_is_named():
    assert [name for name in specified_constants() if f"`{name}`" not in SPECIFICATION] == []


def test_specified_constants_finds_the_constants_with_a_source():
    """The negative control of the test above."""
    assert {"CONVENIENCE_FEE", "SLOT_COUNT", "WAITING_ROOM_SECONDS"} <= set(specified_constants())
    assert "MAXIMUM_NAME_CHARACTERS" not in specified_constants()


def is_value(actual, stated):
    try:
        return actual == Decimal(stated)
    except InvalidOperation:
        return actual == stated


def test_constants_have_the_values_that_the_specification_states():
    stated = re.findall(r"`([A-Z_]+)` = ([\w.-]*\w)", SPECIFICATION)
    assert len(stated) > 40
    wrong = [each for each in stated if not is_value(getattr(constants, each[0]), each[1])]
    assert wrong == []


# docs/invariants.md, docs/usability.md


def table(page, letter):
    """Return the rows of a page whose first cell is this letter and a number."""
    lines = (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if re.match(rf"\| {letter}\d", line)]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


INVARIANTS, USABILITY = table("invariants.md", "I"), table("usability.md", "U")
LAST_INVARIANT, LAST_USABILITY_ROW = 24, 20


@pytest.mark.parametrize(
    ("rows", "letter", "last"),
    [(INVARIANTS, "I", LAST_INVARIANT), (USABILITY, "U", LAST_USABILITY_ROW)],
    ids=["invariants", "usability"],
)
def test_rows_are_numbered_in_order(rows, letter, last):
    assert [row[0] for row in rows] == [f"{letter}{n}" for n in range(1, last + 1)]


def test_tests_of_invariants_and_usability_exist():
    """An invariant's last cell names its negative controls, which remove the guard."""
    cells = [(row[0], cell) for row in (*INVARIANTS, *USABILITY) for cell in row[2:]]
    assert faults_of(cells) == []
