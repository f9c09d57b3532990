"""The entries of the audit trail."""

from campus_app.shared.rules.audit import HTTP_ACTOR, Actor, AuditAction, AuditEntry, audit_entry
from tests.helpers.clock import WEDNESDAY


def test_audit_entry_has_time_actor_action_and_subject():
    line = audit_entry(
        WEDNESDAY, Actor("asha"), AuditAction.CLOSE_RESTAURANT, "restaurant 3", message="Gas"
    )
    assert line == AuditEntry(
        WEDNESDAY, "asha", AuditAction.CLOSE_RESTAURANT, "restaurant 3", {"message": "Gas"}
    )


def test_audit_entry_marks_names_given_with_the_token():
    line = audit_entry(
        WEDNESDAY, Actor("asha", via="http"), AuditAction.OPEN_RESTAURANT, "restaurant 3"
    )
    assert (line.actor, line.details) == ("asha", {"via": "http"})


def test_http_actor_is_used_when_no_name_is_given():
    line = audit_entry(WEDNESDAY, HTTP_ACTOR, AuditAction.OPEN_RESTAURANT, "restaurant 3")
    assert (line.actor, line.details) == ("http", {})
