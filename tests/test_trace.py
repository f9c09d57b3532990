"""The specification's trace and the invariants hold: their tests exist, nothing is left out."""

import ast
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path

import pytest

from campus_app.domain import constants
from tests.campus_app.test_messages import SPECIFIED

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "specification-trace.md").read_text(encoding="utf-8")
SECTIONS = {
    1: "What the product does and for whom",
    2: "Screens and routes",
    3: "Entities and their fields",
    4: "States and transitions",
    5: "Validation rules",
    6: "Roles and permissions",
    7: "The calls it makes",
    8: "The error catalogue",
    9: "Business constants and limits",
}
"""The specification's own."""

VOICE_SECTIONS = SECTIONS
"""The second specification, of the assistant's site, has the same ones; its rows begin with V."""

VOICE = "V"
VOICE_PAGE_TITLE = "# The assistant's site, traced"
STATEMENTS = {1: 10, 2: 51, 3: 17, 4: 31, 5: 15, 6: 3, 7: 16, 8: 28, 9: 38}
"""How many each section makes at least, so that none is lost unnoticed."""

VOICE_STATEMENTS = {1: 8, 2: 28, 3: 8, 4: 12, 5: 8, 6: 2, 7: 8, 8: 12, 9: 12}

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
"""The texts that the specification of the assistant's site gives to the letter."""

WAITED_FOR = {"live status", "voice site"}
"""The parts of the work that a row may still wait for."""

DECISIONS = {
    f"{letter}{n}" for letter, last in (("M", 15), ("R", 8), ("S", 20)) for n in range(1, last + 1)
}
_PROOF = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)(?:\[([^\]]+)\])?`|open: ([a-z ]+)")


@dataclass(frozen=True)
class Row:
    """One statement of the specification, and what proves it."""

    specification: str
    section: int
    number: int
    requirement: str
    proof: str

    @property
    def name(self):
        return f"{self.specification}{self.section}.{self.number}"


ROWS = [
    Row(specification, int(section), int(number), requirement, proof)
    for specification, section, number, requirement, proof in re.findall(
        r"^\| (V?)(\d+)\.(\d+) \| (.+) \| (.+) \|$", PAGE, re.MULTILINE
    )
]
each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)


@cache
def source(path):
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def defined_in(path):
    """Return the names of the tests that a file defines."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.parse(source(path)).body if isinstance(node, kinds)}


def test_the_page_has_the_specifications_sections_in_their_order():
    headings = re.findall(r"^## (V?\d+)\. (.+)$", PAGE, re.MULTILINE)
    assert headings == [
        *((str(number), title) for number, title in SECTIONS.items()),
        *((f"{VOICE}{number}", title) for number, title in VOICE_SECTIONS.items()),
    ]


def test_each_specification_stands_under_its_own_title():
    ordering, title, voice = PAGE.partition(VOICE_PAGE_TITLE)
    assert title
    assert f"\n| {VOICE}" not in ordering
    assert re.findall(r"^\| \d", voice, re.MULTILINE) == []


def test_every_row_of_the_page_is_read():
    written = [line for line in PAGE.splitlines() if line.startswith("|")]
    heads = [line for line in written if line in {"| # | requirement | proof |", "|---|---|---|"}]
    assert len(written) - len(heads) == len(ROWS)


@pytest.mark.parametrize(
    ("section", "least"),
    [
        *((str(section), least) for section, least in STATEMENTS.items()),
        *((f"{VOICE}{section}", least) for section, least in VOICE_STATEMENTS.items()),
    ],
)
def test_a_section_is_numbered_without_a_gap_under_its_own_heading(section, least):
    part = PAGE.partition(f"\n## {section}. ")[2].partition("\n## ")[0]
    numbers = re.findall(r"^\| (V?\d+)\.(\d+) \|", part, re.MULTILINE)
    assert len(numbers) >= least
    assert numbers == [(section, str(number)) for number in range(1, len(numbers) + 1)]


def test_nothing_is_required_twice():
    required = [(row.specification, row.section, row.requirement) for row in ROWS]
    assert len(required) == len(set(required))


@each_row
def test_a_row_is_proved_by_tests_that_exist(row):
    proofs = row.proof.split("<br>")
    for proof in proofs:
        found = _PROOF.fullmatch(proof)
        assert found, f"{row.name}: {proof} is neither a test nor open"
        path, name, case, waits_for = found.groups()
        if waits_for:
            assert waits_for in WAITED_FOR
            continue
        assert (ROOT / path).is_file(), f"{row.name}: there is no {path}"
        assert name in defined_in(path), f"{row.name}: {path} has no {name}"
        assert not case or f'"{case}"' in source(path), f"{row.name}: {name} has no case {case}"
    assert len(proofs) == len(set(proofs))


@each_row
def test_a_row_departs_from_the_specification_only_as_decided(row):
    cited = re.search(r"DECISIONS ([A-Z0-9, ]+)\)", row.requirement)
    assert ("DECISIONS" in row.requirement) == bool(cited)
    assert set(cited[1].split(", ") if cited else ()) <= DECISIONS


@pytest.mark.parametrize("sentence", [specified for _said, specified in SPECIFIED])
def test_every_specified_sentence_is_traced(sentence):
    assert f"'{sentence}'" in PAGE


@pytest.mark.parametrize("sentence", VOICE_SENTENCES)
def test_sentence_is_traced_when_the_voice_specification_gives_it(sentence):
    assert f"'{sentence}'" in PAGE.partition(VOICE_PAGE_TITLE)[2]


def specified_constants():
    """Return the names of the constants whose source is the specification."""
    named, waiting = [], []
    for node in ast.parse(source("campus_app/domain/constants.py")).body:
        if isinstance(node, ast.AnnAssign):
            waiting.append(node.target.id)
        elif isinstance(node, ast.Expr):
            if "specification" in node.value.value:
                named += waiting
            waiting = []
    return named


@pytest.mark.parametrize("name", specified_constants())
def test_every_specified_constant_is_traced(name):
    assert f"`{name}` = " in PAGE


def test_the_constants_of_the_specification_are_found():
    """The negative control of the test above."""
    assert {"CONVENIENCE_FEE", "SLOT_COUNT", "WAITING_ROOM_SECONDS"} <= set(specified_constants())
    assert "MAXIMUM_LINE_QUANTITY" not in specified_constants()


@pytest.mark.parametrize(
    ("name", "value"), re.findall(r"`([A-Z_]+)` = ([\w.-]*\w)", PAGE), ids=lambda part: part
)
def test_a_constant_is_what_the_page_says(name, value):
    actual = getattr(constants, name)
    try:
        assert actual == Decimal(value)
    except InvalidOperation:
        assert actual == value


def test_no_row_is_open():
    assert [row.name for row in ROWS if "open: " in row.proof] == []


# docs/invariants.md, docs/usability.md


def table(page, letter):
    """Return the rows of a page whose first cell is this letter and a number."""
    lines = (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if re.match(rf"\| {letter}\d", line)]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


INVARIANTS, USABILITY = table("invariants.md", "I"), table("usability.md", "U")
LAST_INVARIANT, LAST_POINT = 22, 20


@pytest.mark.parametrize(
    ("rows", "letter", "last"),
    [(INVARIANTS, "I", LAST_INVARIANT), (USABILITY, "U", LAST_POINT)],
    ids=["invariants", "points of use"],
)
def test_every_row_stands_in_its_place(rows, letter, last):
    assert [row[0] for row in rows] == [f"{letter}{n}" for n in range(1, last + 1)]


@pytest.mark.parametrize("row", [*INVARIANTS, *USABILITY], ids=lambda row: row[0])
def test_what_a_row_names_are_tests_that_exist(row):
    """An invariant's last cell names those that take its guard away."""
    for proof in "<br>".join(row[2:]).split("<br>"):
        found = re.fullmatch(r"`(tests/[\w/]+\.py)::(test_\w+)`", proof)
        assert found, proof
        path, name = found.groups()
        assert name in defined_in(path), f"{path} has no {name}"
