"""What the log may hold: where and of which kind, never what somebody sent."""

import logging
import re
import traceback

from reflex.utils.exec import is_prod_mode

logger = logging.getLogger(__name__)

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
_CALLS = 5
_JAVASCRIPT_ERROR = re.compile(r"\b(?:Range|Reference|Syntax|Type|URI)Error\b")


def _place(error: BaseException) -> str:
    """Return which kind of error this is and how it came about, in one line without its words."""
    calls = [f"{f.f_code.co_qualname}:{line}" for f, line in traceback.walk_tb(error.__traceback__)]
    return f"{type(error).__name__} in {' > '.join(calls[-_CALLS:])}"


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
