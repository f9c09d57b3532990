"""The words of the desk."""

import pytest

from campus_app.operators.screens.desk_words import ACTIONS, list_end
from campus_app.shared.rules.audit import AuditAction


@pytest.mark.parametrize(
    ("shown", "total", "words", "more"),
    [
        (50, 50, "", ""),
        (50, 51, "Newest 50 of 51", "Show 1 more"),
        (50, 1_234, "Newest 50 of 1,234", "Show 50 more"),
        (50, 10_000, "Newest 50 of 10,000", "Show 50 more"),
        (50, 10_001, "Newest 50 of more than 10,000", "Show 50 more"),
        (500, 1_234, "Newest 500 of 1,234", ""),
    ],
)
def test_end_of_a_list_says_what_it_hides(shown, total, words, more):
    assert list_end(shown, total, 50, 500) == {"words": words, "more": more}


def test_each_action_of_the_audit_trail_has_words():
    assert set(ACTIONS) == set(AuditAction)
