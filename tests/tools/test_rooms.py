"""The measure of the rooms finds what it must."""

import pytest

from tools.rooms import Figure, room_of, scripts_against_order


@pytest.mark.parametrize(
    ("module", "room"),
    [
        ("campus_app.ordering.rules.cart", "ordering"),
        ("campus_app.ordering", "ordering"),
        ("campus_app.wiring", ""),
        ("campus_app", ""),
    ],
)
def test_modules_above_the_rooms_are_in_none(module, room):
    assert room_of(module) == room


def test_script_that_imports_a_later_room_is_found(tmp_path):
    for room, text in (
        ("shell", 'import { a } from "../ordering/cart.jsx";'),
        ("ordering", 'import { a } from "../shell/a.js";\nimport("./b.js");'),
        ("kitchen", "import { a } from '../operators/a.js';"),
    ):
        (tmp_path / room).mkdir()
        (tmp_path / room / "a.js").write_text(text)
    assert scripts_against_order(tmp_path) == [
        "kitchen/a.js imports operators",
        "shell/a.js imports ordering",
    ]


@pytest.mark.parametrize(
    ("value", "is_share", "is_kept"),
    [(0.69, True, False), (0.7, True, True), (2, False, False), (0.5, False, True)],
)
def test_limit_is_a_minimum_for_shares_only(value, is_share, is_kept):
    assert Figure("a figure", value, 0.7, is_share).is_kept is is_kept
