"""When a page reconnects: at a random time, so that the pages of a killed process are spread.

The tests' clients without a browser use the same constants.
"""

from random import Random
from typing import Final

from kit.reflex.state_script import replaced

SPREAD_MS: Final = 2_000
"""The longest time from the loss of a connection until the first attempt to connect again.

The times are uniformly distributed, so that a visitor waits a second on average. Whatever a visitor
does meanwhile connects at once: Reflex connects for every event.
"""
BACKOFF_MS: Final = 200
"""The mean time until the next attempt, for each failed one in succession."""
LONGEST_BACKOFF: Final = 10
"""The number of failed attempts from which the time does not grow any more."""
RECONNECTING: Final = "reconnecting"
"""The browser event before each attempt: the last moment at which storage is read for it."""

_AT_ONCE = """      // Attempt to reconnect transient non-intentional disconnects.
      socket.current.reconnect();
"""
_SPREAD = f"""      window.clearTimeout(retry_timer);
      retry_timer = window.setTimeout(() => {{
        retry_timer = undefined;
        socket.current?.reconnect();
      }}, {SPREAD_MS} * Math.random());
"""
_FAILED = "    failed_attempts = Math.min(failed_attempts + 1, 10);\n"
_FAILED_UP_TO = f"    failed_attempts = Math.min(failed_attempts + 1, {LONGEST_BACKOFF});\n"
_BACKOFF = "    }, 200 * failed_attempts); // Incremental backoff\n"
_RANDOM_BACKOFF = f"    }}, {BACKOFF_MS} * failed_attempts * (0.5 + Math.random()));\n"
_READ_STORAGE = "      socket.current.auth = bootAuth(false);\n"
_DISPATCH = f'      window.dispatchEvent(new Event("{RECONNECTING}"));\n'


def spread_reconnects(script: str) -> str:
    """Reconnect after a random time, and dispatch an event before each attempt.

    Reflex reconnects at once, and retries at fixed intervals: all pages of a killed process would
    connect to the next one in the same instants.

    Raises:
        RuntimeError: if Reflex's script has changed.
    """
    script = replaced(script, _AT_ONCE, _SPREAD)
    script = replaced(script, _FAILED, _FAILED_UP_TO)
    script = replaced(script, _BACKOFF, _RANDOM_BACKOFF)
    return replaced(script, _READ_STORAGE, _DISPATCH + _READ_STORAGE)


def reconnect_seconds(failed_attempts: int, rng: Random) -> float:
    """Return the seconds that a page waits after the loss of a connection, or a failed attempt."""
    if failed_attempts == 0:
        return SPREAD_MS / 1_000 * rng.random()
    steps = min(failed_attempts, LONGEST_BACKOFF)
    return BACKOFF_MS / 1_000 * steps * (0.5 + rng.random())
