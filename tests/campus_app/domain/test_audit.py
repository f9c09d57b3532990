"""The audit's lines."""

from campus_app.domain.audit import HTTP_ACTOR, Actor, AuditAction, AuditEntry, audit_entry
from tests.helpers.clock import WEDNESDAY


def test_a_line_says_when_who_what_and_about_what():
    line = audit_entry(
        WEDNESDAY, Actor("asha"), AuditAction.CLOSE_RESTAURANT, "restaurant 3", message="Gas"
    )
    assert line == AuditEntry(
        WEDNESDAY, "asha", AuditAction.CLOSE_RESTAURANT, "restaurant 3", {"message": "Gas"}
    )


def test_a_name_that_came_with_the_token_is_marked():
    line = audit_entry(
        WEDNESDAY, Actor("asha", via="http"), AuditAction.OPEN_RESTAURANT, "restaurant 3"
    )
    assert (line.actor, line.details) == ("asha", {"via": "http"})


def test_a_call_without_a_name_is_https():
    line = audit_entry(WEDNESDAY, HTTP_ACTOR, AuditAction.OPEN_RESTAURANT, "restaurant 3")
    assert (line.actor, line.details) == ("http", {})
