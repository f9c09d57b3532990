"""When a page reconnects, for clients without a browser: as reconnection.patch lets the real one.

`tests/kit/reflex/test_patches.py` compares these figures with the patched script.
"""

import math
from random import Random
from typing import Final

SPREAD_MS: Final = 2_000
"""The longest time from the loss of a connection until the first attempt to connect again."""
BACKOFF_MS: Final = 1_000
"""The longest time until the attempt after the first failed attempt; it doubles with each failure."""
LONGEST_BACKOFF_MS: Final = 10_000
MOST_ATTEMPTS: Final = 5
"""The attempts after the loss of a connection."""
PROBE_MS: Final = 5_000
"""The time between requests over HTTP to a server that does not answer."""
RECONNECTING: Final = "reconnecting"
"""The browser event before each attempt."""


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
