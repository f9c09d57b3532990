"""What the log may hold: where and of which kind, never what somebody sent."""

import logging
import re
import time
import traceback
from collections import Counter as Tally
from collections.abc import Callable
from typing import Any

from prometheus_client import Counter
from pythonjsonlogger.json import JsonFormatter
from reflex.utils.exec import is_prod_mode

from kit.rate_limit import RateLimited, RateLimiter
from kit.settings import LogFormat

logger = logging.getLogger(__name__)

_LINES = Counter(
    "campus_log_lines",
    "Lines of the log by level: WARNING is looked into tomorrow, ERROR today.",
    ["level", "logger"],
)
_CHATTY = ("httpx", "httpcore", "alembic")
_QUOTING = (
    "engineio.server",
    "reflex.app",
    "reflex_base.event.processor.base_state_processor",
    "reflex_base.event.processor.event_processor",
    "reflex_base.vars.base",
    "uvicorn",
    "uvicorn.error",
)
"""Loggers of the framework and the server that quote what a visitor sent, on many lines."""
_ANYBODYS_CALLS = ("campus_app.api.payments", "campus_app.api.restaurants")
_CAUSED_BY_ANYONE = frozenset({*_QUOTING, *_ANYBODYS_CALLS, __name__})
_TOLD_AT_ONCE = 20
_SECONDS_BETWEEN = 5.0
_CALLS = 5
_JAVASCRIPT_ERROR = re.compile(r"\b(?:Range|Reference|Syntax|Type|URI)Error\b")


def _place(error: BaseException) -> str:
    """Return which kind of error this is and how it came about, in one line without its words."""
    calls = [f"{f.f_code.co_qualname}:{line}" for f, line in traceback.walk_tb(error.__traceback__)]
    return f"{type(error).__name__} in {' > '.join(calls[-_CALLS:])}"


class _WithoutWords:
    """Tells of an error its kind and place."""

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the standard library's name
        return _place(ei[1])


class _Text(_WithoutWords, logging.Formatter):
    """One line for people."""

    def format(self, record: logging.LogRecord) -> str:
        return super().format(record).replace("\n", ": ")


class _Json(_WithoutWords, JsonFormatter):
    """One object for machines; `subject` is the key of the order that the line is about."""


class Seldom(logging.Filter):
    """Lets the same line of what anyone can cause pass only so often: nobody fills our disks.

    The next one that passes says how many were left out.
    """

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._limiter = RateLimiter(1, _SECONDS_BETWEEN, _TOLD_AT_ONCE, now=steady)
        self._left_out: Tally[str] = Tally()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name not in _CAUSED_BY_ANYONE:
            return True
        line = record.getMessage()
        try:
            self._limiter.reserve(line, patience_seconds=0)
        except RateLimited:
            self._left_out[line] += 1
            return False
        if left_out := self._left_out.pop(line, 0):
            record.msg, record.args = "%s (and %s times more)", (line, left_out)
        return True


class _Counting(logging.Handler):
    """Counts what is logged, so that monitoring hears of it."""

    def emit(self, record: logging.LogRecord) -> None:
        _LINES.labels(record.levelname, record.name).inc()


def configure(chosen: LogFormat) -> None:
    """Let this process log from now on, in this format; errors by kind and place alone."""
    handler = logging.StreamHandler()
    if chosen is LogFormat.JSON:
        names = {"levelname": "level", "name": "logger", "exc_info": "error"}
        handler.setFormatter(
            _Json(["levelname", "name", "message"], rename_fields=names, timestamp="at")
        )
    else:
        handler.setFormatter(_Text("%(asctime)s %(levelname)s %(name)s %(message)s"))
    handler.addFilter(Seldom())
    logging.basicConfig(level=logging.INFO, handlers=[handler, _Counting()], force=True)
    logging.captureWarnings(capture=True)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)


def event_failed(exception: Exception) -> None:
    """Log an event that failed; with all its words only to people who write screens."""
    logger.error("event: %s", _place(exception), exc_info=None if is_prod_mode() else exception)


def browser_failed(exception: Exception) -> None:
    """Log what a browser reports, in production only its kind: anyone can report anything."""
    kind = _JAVASCRIPT_ERROR.search(str(exception))
    told = (kind[0] if kind else "Error") if is_prod_mode() else exception
    logger.warning("browser: %s", told)


def _without_quotes(record: logging.LogRecord) -> bool:
    """Keep of a record only where it was logged, and the kind and place of its error."""
    error = record.exc_info[1] if record.exc_info else None
    told = f": {_place(error)}" if error else ""
    record.msg, record.args = "%s:%s%s", (record.funcName, record.lineno, told)
    record.exc_info = record.exc_text = None
    return True


def stop_quoting() -> None:
    """Visitors come from now on: nothing that they send may reach the log."""
    for name in _QUOTING if is_prod_mode() else ():
        quoting = logging.getLogger(name)
        quoting.handlers.clear()
        quoting.propagate = True
        quoting.addFilter(_without_quotes)
