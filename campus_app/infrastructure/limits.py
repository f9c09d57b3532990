"""How often one address may do something: generous, since a whole campus can share one."""

import ipaddress
import math
import time
from dataclasses import dataclass
from functools import lru_cache

_WINDOW_SECONDS = 60.0
_ADDRESSES_KEPT = 4096
_NEIGHBOURS_BITS = 64
"""Whoever has one IPv6 address has all that begin like it."""


@lru_cache(maxsize=_ADDRESSES_KEPT)
def neighbourhood(address: str) -> str:
    """Return what stands for everybody who may well be the same person."""
    try:
        known = ipaddress.IPv6Address(address)
    except ValueError:
        return address
    if known.ipv4_mapped is not None:  # as a socket for both kinds names the old ones
        return str(known.ipv4_mapped)
    return str(ipaddress.IPv6Network((known, _NEIGHBOURS_BITS), strict=False))


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
        now, key = time.monotonic(), neighbourhood(address)
        self._forget_ended(now)
        window = self._windows.get(key)
        if window is None or window.ends_at <= now:
            window = self._windows[key] = _Window(now + _WINDOW_SECONDS)
        window.count += 1
        return 0 if window.count <= self._most else max(1, math.ceil(window.ends_at - now))

    def _forget_ended(self, now: float) -> None:
        if now >= self._tidy_at:
            self._windows = {key: kept for key, kept in self._windows.items() if kept.ends_at > now}
            self._tidy_at = now + _WINDOW_SECONDS
