"""The room that `make new-room` adds passes the checks that every room passes."""

import pytest

from tests.tools.conftest import run
from tools.new_room import add_room
from tools.rooms import FEATURES

STARTS = """
from campus_app import wiring
print(wiring.services())
"""


def test_new_room_is_typed_built_and_in_the_order(copy):
    for after in FEATURES[:-1]:
        add_room(f"next_to_{after}", after, copy)
    changed = [
        "campus_app/wiring.py",
        *(f"campus_app/{each}" for each in FEATURES),
        "tools/rooms.py",
    ]
    changed += [f"campus_app/next_to_{after}" for after in FEATURES[:-1]]
    run(copy, "-m", "ruff", "format", *changed)  # the new room's name may be longer
    run(copy, "-m", "ruff", "check", "--fix", *changed)
    run(copy, "-m", "ruff", "format", *changed)
    run(copy, "-m", "pyright", *changed)
    run(copy, "-c", STARTS)
    run(copy, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")
    run(copy, "-c", "from tools.rooms import figures; assert figures()[1].value == 0")


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("loyalty", "operators"),
        ("loyalty", "attic"),
        ("Loyalty", "ordering"),
        ("kitchen", "ordering"),
    ],
)
def test_new_room_is_refused_when_its_name_or_its_place_is_invalid(name, after):
    with pytest.raises(ValueError, match=r"none of|made of|there already"):
        add_room(name, after)
