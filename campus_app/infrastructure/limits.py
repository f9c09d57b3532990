"""How often one address may do something: generous, since a whole campus can share one."""

import math
import time
from dataclasses import dataclass

_WINDOW_SECONDS = 60.0


@dataclass
class _Window:
    ends_at: float
    count: int = 0


class PerMinute:
    """So many per minute and address, counted in this process.

    An address's minute begins with its first call; counting costs the same however many may pass.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._windows: dict[str, _Window] = {}
        self._tidy_at = 0.0

    def seconds_to_wait(self, address: str) -> int:
        """Count one more; return 0 if it is within the limit, else after how long to come back."""
        now = time.monotonic()
        self._forget_ended(now)
        window = self._windows.get(address)
        if window is None or window.ends_at <= now:
            window = self._windows[address] = _Window(now + _WINDOW_SECONDS)
        window.count += 1
        return 0 if window.count <= self._most else max(1, math.ceil(window.ends_at - now))

    def _forget_ended(self, now: float) -> None:
        if now >= self._tidy_at:
            self._windows = {key: kept for key, kept in self._windows.items() if kept.ends_at > now}
            self._tidy_at = now + _WINDOW_SECONDS
