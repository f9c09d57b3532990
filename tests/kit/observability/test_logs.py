"""The log: one line a record, without anything that a visitor sent."""

import json
import logging
from datetime import UTC, datetime, timedelta

import pytest
from prometheus_client import REGISTRY

from kit.observability import logs
from kit.settings import LogFormat

LINES = "campus_log_lines_total"
SECRET = "Aarav Sharma, +91 98000 00001"


def an_error():
    def inner():
        raise LookupError(SECRET)

    try:
        inner()
    except LookupError as error:
        return error


@pytest.fixture
def log(capsys):
    """Configures the log of a process and returns what it wrote; restores it afterwards."""
    root = logging.getLogger()
    before = (root.handlers[:], root.level)

    def written():
        return capsys.readouterr().err.splitlines()

    def configured(chosen=LogFormat.TEXT):
        logs.configure(chosen, ["kitchen", "kit"], ["kitchen.api"])
        return written

    yield configured
    root.handlers[:] = before[0]
    root.setLevel(before[1])


# Redaction


@pytest.mark.parametrize(
    "name", ["reflex.app", "reflex_base.vars", "uvicorn.error", "asyncio", "a.new.library", "kite"]
)
@pytest.mark.parametrize("chosen", LogFormat)
def test_redaction_reduces_every_library_to_place_and_kind(log, chosen, name):
    written = log(chosen)
    logger = logging.getLogger(name)
    logger.error("%s said\n%s", SECRET, SECRET)
    logger.error("it failed", exc_info=an_error())
    logger.error(SECRET, stack_info=True)
    lines = written()
    assert len(lines) == 3
    assert SECRET not in "".join(lines)
    assert all(name in line for line in lines)
    assert all("test_redaction_reduces" in line for line in lines)
    assert "LookupError in an_error:" in lines[1]


@pytest.mark.parametrize("name", ["kitchen", "kitchen.orders", "kit.outbox"])
def test_redaction_keeps_messages_of_own_packages(log, name):
    written = log()
    logging.getLogger(name).info("order %s is paid", 7)
    (line,) = written()
    assert line.endswith(f"INFO {name} order 7 is paid")


def test_libraries_log_through_the_root_after_remove_other_handlers(log):
    written = log()
    library = logging.getLogger("library.server")
    library.addHandler(logging.StreamHandler())
    library.propagate = False
    logs.remove_other_handlers()
    library.error(SECRET)
    (line,) = written()
    assert SECRET not in line


def test_event_failed_logs_kind_and_place_on_one_line(log):
    written = log()
    logs.event_failed(an_error())
    (line,) = written()
    assert "event: LookupError in an_error:" in line
    assert "inner:" in line
    assert SECRET not in line


PRODUCT = {"__name__": "kitchen.states"}
FRAMEWORK = {"__name__": "reflex_base.event.processor"}
SOCKETS = {"__name__": "engineio.async_socket"}


def raised_in(*modules):
    """Return an error that these modules, each called by the one before, have raised."""
    source = (
        "def call(others):\n    if not others: raise TypeError('x')\n    others[0](others[1:])\n"
    )
    calls = []
    for module in modules:
        names = dict(module)
        exec(source, names)
        calls.append(names["call"])
    try:
        calls[0](calls[1:])
    except TypeError as error:
        return error


@pytest.mark.parametrize(
    ("modules", "level"),
    [
        pytest.param([FRAMEWORK], "WARNING", id="the message is invalid"),
        pytest.param([FRAMEWORK, PRODUCT], "ERROR", id="a handler failed"),
        pytest.param([FRAMEWORK, PRODUCT, FRAMEWORK], "ERROR", id="a handler's call failed"),
    ],
)
def test_event_failed_is_an_error_when_a_product_s_code_failed(log, modules, level):
    written = log()
    logs.event_failed(raised_in(*modules))
    (line,) = written()
    assert f" {level} kit.observability.logs event: TypeError in " in line


@pytest.mark.parametrize(
    ("name", "modules", "level"),
    [
        ("engineio.server", [SOCKETS], "WARNING"),
        ("engineio.server", [SOCKETS, PRODUCT], "ERROR"),
        ("reflex_base.vars.base", [], "WARNING"),
        ("uvicorn.error", [SOCKETS], "WARNING"),
        ("uvicorn.error", [PRODUCT], "ERROR"),
        ("uvicorn.error", [FRAMEWORK], "ERROR"),
        ("reflex.utils.tasks", [FRAMEWORK], "ERROR"),
        ("asyncio", [], "ERROR"),
    ],
)
def test_error_of_a_library_about_a_message_is_a_warning(log, name, modules, level):
    written = log()
    errors = REGISTRY.get_sample_value(LINES, {"level": level, "logger": name}) or 0
    error = raised_in(*modules) if modules else None
    logging.getLogger(name).error("a message", exc_info=error)
    (line,) = written()
    assert f" {level} {name} " in line
    assert REGISTRY.get_sample_value(LINES, {"level": level, "logger": name}) == errors + 1


def test_failures_are_logged_whole_when_a_developer_serves(caplog):
    for failed in (logs.event_failed, logs.browser_failed):
        caplog.clear()
        failed(an_error())
        assert SECRET in caplog.text


def test_browser_failed_logs_only_the_kind(log):
    written = log()
    for reported, logged in {
        f"TypeError: {SECRET}\n at x": "browser: TypeError",
        f"Uncaught RangeError {SECRET}": "browser: RangeError",
        f"NotFoundError: {SECRET}": "browser: NotFoundError",
        SECRET: "browser: Error",
        "MyTypeErrorOfMine": "browser: Error",
    }.items():
        logs.browser_failed(Exception(reported))
        (line,) = written()
        assert line.endswith(logged)


# Format


def test_text_format_writes_one_line_a_record(log):
    written = log(LogFormat.TEXT)
    logging.getLogger("kitchen").info("order %s is paid", 7, extra={"subject": "7"})
    logging.getLogger("kitchen").error("it failed", exc_info=an_error())
    paid, failed = written()
    assert paid.endswith("INFO kitchen order 7 is paid")
    assert "ERROR kitchen it failed: LookupError in an_error:" in failed
    assert SECRET not in paid + failed


def test_json_format_writes_an_object_with_its_subject(log):
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


def test_json_format_writes_one_line_whatever_the_message_or_error(log):
    written = log(LogFormat.JSON)
    logger = logging.getLogger("kitchen")
    logger.error("it failed", exc_info=an_error())
    (line,) = written()
    assert json.loads(line)["error"].startswith("LookupError in an_error:")
    assert SECRET not in line
    for words in ("two\nlines", 'a "quote"', "\u2028 \x00 \x1b[31m", "தமிழ்"):
        logger.info("%s", words)
        (line,) = written()
        assert json.loads(line)["message"] == words


def test_verbose_libraries_log_no_requests(log):
    written = log(LogFormat.TEXT)
    logging.getLogger("httpx").info("GET https://…?token=%s", SECRET)
    assert written() == []


def test_counter_counts_records_by_level(log):
    def counted(level):
        return REGISTRY.get_sample_value(LINES, {"level": level, "logger": "kitchen"}) or 0

    log(LogFormat.TEXT)
    before = counted("ERROR"), counted("DEBUG")
    for say in (logging.getLogger("kitchen").error,) * 2 + (logging.getLogger("kitchen").debug,):
        say("a line")
    assert (counted("ERROR"), counted("DEBUG")) == (before[0] + 2, before[1])


# Repeat limit


@pytest.fixture
def repeat_limit():
    """The filter, with a time that the test sets."""

    class Moment:
        seconds = 0.0

    redaction = logs.Redaction(["kit", "kitchen"])
    return logs.RepeatLimit(redaction, ["kitchen.api"], lambda: Moment.seconds), Moment


def passed(filter_, name, line):
    """Return the line as it passes, or None."""
    record = logging.LogRecord(name, logging.ERROR, "", 1, "event: %s", (line,), None)
    return record.getMessage() if filter_.filter(record) else None


@pytest.mark.parametrize("name", [logs.__name__, "kitchen.api", "reflex.app"])
def test_repeat_limit_passes_a_burst_and_then_one_in_five_seconds(repeat_limit, name):
    limited, moment = repeat_limit
    lines = [passed(limited, name, "LookupError") for _ in range(1_000)]
    assert [line is not None for line in lines] == [True] * 20 + [False] * 980
    moment.seconds += 5
    assert passed(limited, name, "LookupError") == "event: LookupError (and 980 times more)"
    assert passed(limited, name, "LookupError") is None
    moment.seconds += 100
    assert passed(limited, name, "LookupError") == "event: LookupError (and 1 times more)"
    assert passed(limited, name, "LookupError") == "event: LookupError"


def test_repeat_limit_counts_each_message_by_itself(repeat_limit):
    limited, _ = repeat_limit
    assert sum(passed(limited, logs.__name__, "LookupError") is not None for _ in range(99)) == 20
    assert passed(limited, logs.__name__, "TypeError") == "event: TypeError"


def test_repeat_limit_does_not_apply_to_own_packages(repeat_limit):
    limited, _ = repeat_limit
    name = "kitchen.payments"
    assert all(passed(limited, name, "LookupError") for _ in range(1_000))


def test_configured_log_limits_repeated_messages(log):
    written = log(LogFormat.TEXT)
    for _ in range(100):
        logs.browser_failed(LookupError())
    assert len(written()) == 20
