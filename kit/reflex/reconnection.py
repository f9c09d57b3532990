"""When a page reconnects: at random times, so that the pages of a killed process are spread.

The tests' clients without a browser use the same constants.
"""

import math
from random import Random
from typing import Final

from kit.reflex.state_script import replaced

SPREAD_MS: Final = 2_000
"""The longest time from the loss of a connection until the first attempt to connect again.

The times are uniformly distributed, so that a visitor waits a second on average. Whatever a visitor
does meanwhile connects at once: Reflex connects for every event.
"""
BACKOFF_MS: Final = 1_000
"""The longest time until the attempt after the first failed one; it doubles with each other one."""
LONGEST_BACKOFF_MS: Final = 10_000
MOST_ATTEMPTS: Final = 5
"""The attempts after the loss of a connection. Source: specification 4.5, 9.22.

Then the page connects when the visitor clicks or returns to it, at the browser's event `online`,
and when the server, which did not answer over HTTP, answers again.
"""
PROBE_MS: Final = 5_000
"""The time between requests over HTTP to a server that does not answer."""
PING: Final = "/ping"
"""Reflex's route that answers while a process runs."""
RECONNECTING: Final = "reconnecting"
"""The browser event before each attempt: the last moment at which storage is read for it."""
STALLED: Final = "stalled"
"""The browser event with which a page gives up a connection that answers nothing."""
ASKED: Final = "asked"
"""The browser event of each message to the server; `answered` is that of each update."""

_AT_ONCE = """      // Attempt to reconnect transient non-intentional disconnects.
      socket.current.reconnect();
"""
_SPREAD = f"""      window.clearTimeout(retry_timer);
      retry_timer = window.setTimeout(() => {{
        retry_timer = undefined;
        socket.current?.reconnect();
      }}, {SPREAD_MS} * Math.random());
"""
_RETRY = """    window.clearTimeout(retry_timer);
    retry_timer = window.setTimeout(() => {
      retry_timer = undefined;
      if (socket"""
_LIMITED_RETRY = _RETRY.replace(
    "(retry_timer);\n",
    f"""(retry_timer);
    if (failed_attempts >= {MOST_ATTEMPTS}) {{
      retry_timer = undefined;
      probe();
      return;
    }}
""",
)
_STATE = "  let retry_timer;\n"
_PROBE = f"""  let retry_timer;
  // A socket may be blocked where HTTP works: only a server that was unreachable is tried again.
  let wasUnreachable = false;
  let probe_timer;
  const probe = () => {{
    window.clearTimeout(probe_timer);
    probe_timer = window.setTimeout(async () => {{
      if (document.hidden || socket.current?.connected) return;
      const isReachable = await fetch("{PING}").then(({{ ok }}) => ok, () => false);
      if (isReachable && wasUnreachable) window.dispatchEvent(new Event("online"));
      wasUnreachable = !isReachable;
      if (!isReachable) probe();
    }}, {PROBE_MS});
  }};
"""
_BACKOFF = "    }, 200 * failed_attempts); // Incremental backoff\n"
_RANDOM_BACKOFF = (
    f"    }}, Math.min({BACKOFF_MS} * 2 ** (failed_attempts - 1), {LONGEST_BACKOFF_MS})"
    " * (0.5 + Math.random() / 2));\n"
)
_LISTENER = '  document.addEventListener("visibilitychange", checkVisibility);\n'
_FURTHER_LISTENERS = f"""  window.addEventListener("online", () => {{
    failed_attempts = 0;
    checkVisibility();
  }});
  window.addEventListener("click", () => {{
    if (failed_attempts >= {MOST_ATTEMPTS}) checkVisibility();
  }});
  window.addEventListener("{STALLED}", () => {{
    if (socket.current?.connected) socket.current.io.engine.close();
  }});
"""
_SEND = '    socket.emit("event", encodeFormDataArgs(routed_event));\n'
_SEND_AND_DISPATCH = f'{_SEND}    window.dispatchEvent(new Event("{ASKED}"));\n'
_READ_STORAGE = "      socket.current.auth = bootAuth(false);\n"
_DISPATCH = f'      window.dispatchEvent(new Event("{RECONNECTING}"));\n'


def spread_reconnects(script: str) -> str:
    """Reconnect at random times, `MOST_ATTEMPTS` times, and dispatch an event before each attempt.

    Reflex reconnects at once, and retries at fixed intervals for ever: all pages of a killed
    process would connect to the next one in the same instants.

    The event `stalled` closes a connection that is open but transfers nothing, which a browser may
    report only after minutes, so that the page reconnects.

    Raises:
        RuntimeError: if Reflex's script has changed.
    """
    script = replaced(script, _AT_ONCE, _SPREAD)
    script = replaced(script, _STATE, _PROBE)
    script = replaced(script, _RETRY, _LIMITED_RETRY)
    script = replaced(script, _BACKOFF, _RANDOM_BACKOFF)
    script = replaced(script, _LISTENER, _LISTENER + _FURTHER_LISTENERS)
    script = replaced(script, _SEND, _SEND_AND_DISPATCH)
    return replaced(script, _READ_STORAGE, _DISPATCH + _READ_STORAGE)


def reconnect_seconds(failed_attempts: int, rng: Random) -> float:
    """Return the seconds that a page waits after the loss of a connection, or a failed attempt.

    Infinity after `MOST_ATTEMPTS` failed ones.
    """
    if failed_attempts == 0:
        return SPREAD_MS / 1_000 * rng.random()
    if failed_attempts >= MOST_ATTEMPTS:
        return math.inf
    longest = min(BACKOFF_MS * 2 ** (failed_attempts - 1), LONGEST_BACKOFF_MS)
    return longest / 1_000 * (0.5 + rng.random() / 2)
