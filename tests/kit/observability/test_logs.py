"""The log: one line that says where and of which kind, never what somebody sent."""

import json
import logging
from datetime import UTC, datetime, timedelta

import pytest
from prometheus_client import REGISTRY

from kit.observability import logs
from kit.settings import LogFormat

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


# How it is written


@pytest.fixture
def log(capsys):
    """Configures the log of a process, and gives back what it wrote; puts it back afterwards."""
    root = logging.getLogger()
    before = (root.handlers[:], root.level)

    def written():
        return capsys.readouterr().err.splitlines()

    def configured(chosen):
        logs.configure(chosen)
        return written

    yield configured
    root.handlers[:] = before[0]
    root.setLevel(before[1])


def test_for_people_a_line_is_a_line(log):
    written = log(LogFormat.TEXT)
    logging.getLogger("kitchen").info("order %s is paid", 7, extra={"subject": "7"})
    logging.getLogger("kitchen").error("it failed", exc_info=an_error())
    paid, failed = written()
    assert paid.endswith("INFO kitchen order 7 is paid")
    assert "ERROR kitchen it failed: LookupError in an_error:" in failed
    assert SECRET not in paid + failed


def test_for_machines_a_line_is_an_object_with_what_it_is_about(log):
    written = log(LogFormat.JSON)
    logging.getLogger("kitchen").warning("order %s is late", 7, extra={"subject": "7"})
    (line,) = written()
    told = json.loads(line)
    at = datetime.fromisoformat(told.pop("at"))
    assert datetime.now(UTC) - at < timedelta(minutes=1)
    assert told == {
        "level": "WARNING",
        "logger": "kitchen",
        "message": "order 7 is late",
        "subject": "7",
    }


def test_for_machines_an_error_is_its_kind_and_place_without_its_words(log):
    written = log(LogFormat.JSON)
    logging.getLogger("kitchen").error("it failed", exc_info=an_error())
    (line,) = written()
    assert json.loads(line)["error"].startswith("LookupError in an_error:")
    assert SECRET not in line


@pytest.mark.parametrize("words", ["two\nlines", 'a "quote"', "\u2028 \x00 \x1b[31m", "தமிழ்"])
def test_for_machines_whatever_is_said_stays_on_its_line(log, words):
    written = log(LogFormat.JSON)
    logging.getLogger("kitchen").info("%s", words)
    (line,) = written()
    assert json.loads(line)["message"] == words


def test_chatter_of_libraries_is_left_out(log):
    written = log(LogFormat.TEXT)
    logging.getLogger("httpx").info("GET https://…?token=%s", SECRET)
    assert written() == []


def counted(level):
    return (
        REGISTRY.get_sample_value("campus_log_lines_total", {"level": level, "logger": "kitchen"})
        or 0
    )


def test_monitoring_hears_how_many_lines_of_each_level_there_were(log):
    log(LogFormat.TEXT)
    before = counted("ERROR"), counted("DEBUG")
    logging.getLogger("kitchen").error("one")
    logging.getLogger("kitchen").error("two")
    logging.getLogger("kitchen").debug("three")
    assert (counted("ERROR"), counted("DEBUG")) == (before[0] + 2, before[1])


# What anyone can cause


@pytest.fixture
def seldom():
    """A filter whose time the test lets pass."""

    class Moment:
        seconds = 0.0

    return logs.Seldom(lambda: Moment.seconds), Moment


def passed(filter_, name, line):
    """Return the line as it passes, or None."""
    record = logging.LogRecord(name, logging.ERROR, "", 1, "event: %s", (line,), None)
    return record.getMessage() if filter_.filter(record) else None


def test_what_anyone_can_cause_is_told_twenty_times_and_then_seldom(seldom):
    limited, moment = seldom
    lines = [passed(limited, logs.__name__, "LookupError") for _ in range(1_000)]
    assert [line is not None for line in lines] == [True] * 20 + [False] * 980
    moment.seconds += 5
    told = passed(limited, logs.__name__, "LookupError")
    assert told == "event: LookupError (and 980 times more)"
    assert passed(limited, logs.__name__, "LookupError") is None
    moment.seconds += 100
    assert passed(limited, logs.__name__, "LookupError") == "event: LookupError (and 1 times more)"
    assert passed(limited, logs.__name__, "LookupError") == "event: LookupError"


def test_one_line_that_comes_often_leaves_the_others_alone(seldom):
    limited, _ = seldom
    assert sum(passed(limited, logs.__name__, "LookupError") is not None for _ in range(99)) == 20
    assert passed(limited, logs.__name__, "TypeError") == "event: TypeError"


def test_what_is_said_of_orders_is_always_told(seldom):
    limited, _ = seldom
    name = "campus_app.services.payments"
    assert all(passed(limited, name, "LookupError") for _ in range(1_000))


def test_the_log_of_a_process_tells_seldom_what_anyone_can_cause(log):
    written = log(LogFormat.TEXT)
    for _ in range(100):
        logs.browser_failed(LookupError())
    assert len(written()) == 20
