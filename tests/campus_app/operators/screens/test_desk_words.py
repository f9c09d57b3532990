"""The words of the desk."""

from campus_app.operators.screens.desk_words import ACTIONS
from campus_app.shared.rules.audit import AuditAction


def test_each_action_of_the_audit_trail_has_words():
    assert set(ACTIONS) == set(AuditAction)
