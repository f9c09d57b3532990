"""What the recipes promise: one edit of the source adds an offer or a campus everywhere.

Each test edits a copy of the product, as a developer would, and runs tests in it.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ("campus_app", "voice_site", "kit", "assets", "data", "deploy", "tests")
OFFERS = "campus_app/ordering/rules/offers.py"
END_OF_OFFERS = ")\nPRE_RESERVATION_DISCOUNT ="
FRIDAY = """
    Offer(
        id="friday",
        title=gettext_noop("Friday evening: 15% off"),
        restaurant_id=3,
        benefit=PercentOff(15),
        weekdays=(Weekday.FRIDAY,),
        begins=time(19),
    ),
"""

CAMPUSES = "campus_app/shared/rules/campus.py"
END_OF_CAMPUSES = "\n\ndef parse_campus"
EAST = '    EAST = "east", gettext_noop("East Campus"), 40, "/about3", "campus-north.svg"\n'


@pytest.fixture
def copy(tmp_path):
    """A copy of the product's source and tests."""
    leave_out = shutil.ignore_patterns("__pycache__", "external")
    for name in SOURCES:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=leave_out)
    for name in ("pyproject.toml", "rxconfig.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def insert(file, text, *, before):
    source = file.read_text(encoding="utf-8")
    assert source.count(before) == 1
    file.write_text(source.replace(before, text + before), encoding="utf-8")


def run_tests(copy, name):
    command = [sys.executable, "-m", "pytest", "-q", name]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_added_offer_needs_no_further_edit(copy):
    insert(copy / OFFERS, FRIDAY, before=END_OF_OFFERS)
    run_tests(copy, "tests/campus_app/ordering/screens/added_offer.py")


def test_added_campus_needs_no_further_edit(copy):
    insert(copy / CAMPUSES, EAST, before=END_OF_CAMPUSES)
    run_tests(copy, "tests/campus_app/ordering/screens/added_campus.py")
