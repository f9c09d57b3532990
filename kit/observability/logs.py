"""The log of a process: one line a record, without values from requests."""

import logging
import re
import time
import traceback
from collections import Counter as Tally
from collections.abc import Callable, Collection
from typing import Any

from prometheus_client import Counter
from pythonjsonlogger.json import JsonFormatter

from kit.rate_limit import RateLimited, RateLimiter
from kit.settings import LogFormat

logger = logging.getLogger(__name__)

_RECORDS = Counter(
    "campus_log_lines",
    "Log records by level: WARNING needs attention tomorrow, ERROR today.",
    ["level", "logger"],
)
_VERBOSE = ("httpx", "httpcore", "alembic")
_BURST = 20
_SECONDS_PER_REPEAT = 5.0
_CALLS = 5
_SHARED_PACKAGE = __name__.partition(".")[0]
_MESSAGE_READERS = ("engineio", "socketio", "reflex_base.event", "reflex_base.vars")
"""Loggers of the libraries that read the messages of clients, and assign what they contain."""
_SERVER = "uvicorn.error"
_JAVASCRIPT_ERROR = re.compile(r"\b(?:NotFound|Range|Reference|Syntax|Type|URI)Error\b")
"""NotFoundError is of a page that a translator or an extension has changed."""


def _kind_and_place(error: BaseException) -> str:
    """Return an error's class and its last calls on one line, without its message."""
    calls = [f"{f.f_code.co_qualname}:{line}" for f, line in traceback.walk_tb(error.__traceback__)]
    return f"{type(error).__name__} in {' > '.join(calls[-_CALLS:])}"


def _packages_of(error: BaseException) -> set[str]:
    """Return the top-level packages of the calls that led to an error."""
    names = (
        str(f.f_globals.get("__name__", "")) for f, _ in traceback.walk_tb(error.__traceback__)
    )
    return {name.partition(".")[0] for name in names}


class _WithoutMessages:
    """Formats an exception as its kind and place."""

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the standard library's name
        return _kind_and_place(ei[1])


class _TextFormatter(_WithoutMessages, logging.Formatter):
    """One line for people."""

    def format(self, record: logging.LogRecord) -> str:
        return super().format(record).replace("\n", ": ")


class _JsonFormatter(_WithoutMessages, JsonFormatter):
    """One object for programs; `subject` is the key of the order that the record is about."""


class Redaction(logging.Filter):
    """Reduces the records of every library to the place of the call and the kind of the error.

    Libraries quote values from requests. `own` names the packages whose records are not changed, so
    a library's new or renamed logger is covered. An ERROR of a library about a client's message
    becomes a WARNING: anyone can cause it, and no operator can mend it.
    """

    def __init__(self, own: Collection[str]) -> None:
        super().__init__()
        self._own = frozenset(own)

    def filter(self, record: logging.LogRecord) -> bool:
        if not self.is_own(record):
            error = record.exc_info[1] if record.exc_info else None
            if record.levelno == logging.ERROR and self._is_about_a_message(record.name, error):
                record.levelno, record.levelname = logging.WARNING, "WARNING"
            suffix = f": {_kind_and_place(error)}" if error else ""
            record.msg, record.args = "%s:%s%s", (record.funcName, record.lineno, suffix)
            record.exc_info = record.exc_text = record.stack_info = None
        return True

    def is_in_product(self, error: BaseException) -> bool:
        """Whether the code of a product was running when an error was raised."""
        return bool(_packages_of(error) & (self._own - {_SHARED_PACKAGE}))

    def _is_about_a_message(self, name: str, error: BaseException | None) -> bool:
        is_reader = name.startswith(_MESSAGE_READERS)
        if error is None or is_reader:
            return is_reader and (error is None or not self.is_in_product(error))
        return name == _SERVER and "engineio" in _packages_of(error)

    def is_own(self, record: logging.LogRecord) -> bool:
        """Whether one of our packages has logged a record."""
        return record.name.partition(".")[0] in self._own


class RepeatLimit(logging.Filter):
    """Limits how often the same message is logged, so that no client can fill the disk.

    It applies to libraries and to the loggers in `public`, whose records anyone can cause. The next
    record that passes contains the number of suppressed ones.
    """

    def __init__(
        self,
        redaction: Redaction,
        public: Collection[str] = (),
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._redaction = redaction
        self._public = frozenset({*public, __name__})
        self._limiter = RateLimiter(1, _SECONDS_PER_REPEAT, _BURST, now=now)
        self._suppressed: Tally[str] = Tally()

    def filter(self, record: logging.LogRecord) -> bool:
        if self._redaction.is_own(record) and record.name not in self._public:
            return True
        message = record.getMessage()
        try:
            self._limiter.reserve(message, max_wait_seconds=0)
        except RateLimited:
            self._suppressed[message] += 1
            return False
        if suppressed := self._suppressed.pop(message, 0):
            record.msg, record.args = "%s (and %s times more)", (message, suppressed)
        return True


class _CountingHandler(logging.Handler):
    """Counts records for Prometheus."""

    def emit(self, record: logging.LogRecord) -> None:
        _RECORDS.labels(record.levelname, record.name).inc()


def configure(chosen: LogFormat, own: Collection[str], public: Collection[str] = ()) -> None:
    """Log to standard error from now on.

    Args:
        chosen: The format of a line.
        own: The packages whose messages may be logged; see `Redaction`.
        public: Those of their loggers whose records anyone can cause; see `RepeatLimit`.
    """
    handler = logging.StreamHandler()
    if chosen is LogFormat.JSON:
        names = {"levelname": "level", "name": "logger", "exc_info": "error"}
        handler.setFormatter(
            _JsonFormatter(["levelname", "name", "message"], rename_fields=names, timestamp="at")
        )
    else:
        handler.setFormatter(_TextFormatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    redaction = Redaction(own)
    handler.addFilter(redaction)
    handler.addFilter(RepeatLimit(redaction, public))
    logging.basicConfig(level=logging.INFO, handlers=[handler, _CountingHandler()], force=True)
    logging.captureWarnings(capture=True)
    for name in _VERBOSE:
        logging.getLogger(name).setLevel(logging.WARNING)


def remove_other_handlers() -> None:
    """Remove the handlers that libraries add when they load, so that only the root's are used."""
    for each in logging.root.manager.loggerDict.values():
        if isinstance(each, logging.Logger):
            each.handlers.clear()
            each.propagate = True


def _redaction() -> Redaction | None:
    """Return the filter of `configure`; None while a developer runs Reflex's own server."""
    filters = (each for handler in logging.root.handlers for each in handler.filters)
    return next((each for each in filters if isinstance(each, Redaction)), None)


def event_failed(exception: Exception) -> None:
    """Log an event that failed; with its message and traceback only to a developer.

    It is an ERROR if a product's code was running: otherwise the message itself was invalid.
    """
    redaction = _redaction()
    is_invalid = redaction is not None and not redaction.is_in_product(exception)
    level = logging.WARNING if is_invalid else logging.ERROR
    full = None if redaction else exception
    logger.log(level, "event: %s", _kind_and_place(exception), exc_info=full)


def browser_failed(exception: Exception) -> None:
    """Log an error that a browser reports: only its kind, unless to a developer.

    Anyone can report anything.
    """
    kind = _JAVASCRIPT_ERROR.search(str(exception))
    logger.warning("browser: %s", (kind[0] if kind else "Error") if _redaction() else exception)
