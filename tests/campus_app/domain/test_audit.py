"""The audit's lines."""

from campus_app.domain.audit import OVER_HTTP, Action, Actor, AuditEntry, audited
from tests.helpers.clock import WEDNESDAY


def test_a_line_says_when_who_what_and_about_what():
    line = audited(WEDNESDAY, Actor("asha"), Action.CLOSE_RESTAURANT, "restaurant 3", message="Gas")
    assert line == AuditEntry(
        WEDNESDAY, "asha", Action.CLOSE_RESTAURANT, "restaurant 3", {"message": "Gas"}
    )


def test_a_name_that_came_with_the_token_is_marked():
    line = audited(WEDNESDAY, Actor("asha", via="http"), Action.OPEN_RESTAURANT, "restaurant 3")
    assert (line.actor, line.details) == ("asha", {"via": "http"})


def test_a_call_without_a_name_is_https():
    line = audited(WEDNESDAY, OVER_HTTP, Action.OPEN_RESTAURANT, "restaurant 3")
    assert (line.actor, line.details) == ("http", {})
