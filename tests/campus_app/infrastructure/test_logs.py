"""The log: one line that says where and of which kind, never what somebody sent."""

import logging

import pytest

from campus_app.infrastructure import logs

SECRET = "Aarav Sharma, +91 98000 00001"


@pytest.fixture
def mode(monkeypatch):
    """Chooses between serving people and writing screens."""

    def mode(name):
        monkeypatch.setenv("REFLEX_ENV_MODE", name)

    return mode


@pytest.fixture
def quoting():
    """The loggers that quote, put back afterwards as they were."""
    loggers = [logging.getLogger(name) for name in logs._QUOTING]
    before = [(each, each.handlers[:], each.propagate, each.filters[:]) for each in loggers]
    yield loggers
    for logger, handlers, propagate, filters in before:
        logger.handlers[:], logger.propagate, logger.filters[:] = handlers, propagate, filters


def an_error():
    def inner():
        raise LookupError(SECRET)

    try:
        inner()
    except LookupError as error:
        return error


def test_an_event_that_failed_is_a_line_that_says_where_and_how(mode, caplog):
    mode("prod")
    logs.event_failed(an_error())
    (line,) = caplog.messages
    assert line.startswith("event: LookupError in an_error:")
    assert "inner:" in line
    assert "\n" not in line
    assert SECRET not in caplog.text


def test_who_writes_screens_reads_all_of_an_event_that_failed(mode, caplog):
    mode("dev")
    logs.event_failed(an_error())
    assert SECRET in caplog.text


@pytest.mark.parametrize(
    ("told", "line"),
    [
        (f"TypeError: {SECRET}\n at x", "browser: TypeError"),
        (f"Uncaught RangeError {SECRET}", "browser: RangeError"),
        (SECRET, "browser: Error"),
        ("MyTypeErrorOfMine", "browser: Error"),
    ],
)
def test_of_what_a_browser_reports_only_the_kind_is_kept(mode, caplog, told, line):
    mode("prod")
    logs.browser_failed(Exception(told))
    assert caplog.messages == [line]


def test_who_writes_screens_reads_all_that_a_browser_reports(mode, caplog):
    mode("dev")
    logs.browser_failed(Exception(SECRET))
    assert SECRET in caplog.text


def test_the_framework_quotes_nobody_once_people_are_served(mode, quoting, caplog):
    mode("prod")
    logs.stop_quoting()
    for logger in quoting:
        logger.error("%s said\n%s", SECRET, SECRET)
        logger.error("it failed", exc_info=an_error())
    assert len(caplog.messages) == 2 * len(quoting)
    assert all("\n" not in message for message in caplog.messages)
    assert SECRET not in caplog.text
    assert "LookupError in an_error:" in caplog.text


def test_the_framework_may_quote_while_screens_are_written(mode, quoting):
    mode("dev")
    before = [logger.filters[:] for logger in quoting]
    logs.stop_quoting()
    assert [logger.filters for logger in quoting] == before
