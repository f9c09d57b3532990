"""The rate limiter of both products: a number of permits per period for each key.

The arithmetic is pyrate-limiter's GCRA (generic cell rate algorithm, a token bucket that is stored
as one timestamp). Permits are counted in this process.
"""

import ipaddress
import math
import time
from collections.abc import Callable
from functools import lru_cache

from pyrate_limiter import GCRA, Rate

_MINUTE_SECONDS = 60.0
_MS = 1000
_SHARE_AT_ONCE = 4
_ADDRESSES_KEPT = 4096
_IPV6_NETWORK_BITS = 64
"""A provider assigns at least a /64 network to each customer."""
_GCRA = GCRA()
_NEVER_BLOCKED = -math.inf
_State = tuple[float, ...]
"""The state that GCRA stores for a key."""


@lru_cache(maxsize=_ADDRESSES_KEPT)
def rate_limit_key(address: str) -> str:
    """Return the rate-limit key of an address: itself, or the /64 network of an IPv6 address."""
    try:
        known = ipaddress.IPv6Address(address)
    except ValueError:
        return address
    if known.ipv4_mapped is not None:  # the form of IPv4 addresses on a dual-stack socket
        return str(known.ipv4_mapped)
    return str(ipaddress.IPv6Network((known, _IPV6_NETWORK_BITS), strict=False))


class RateLimited(Exception):
    """No permit is free within the maximum wait; one will be free in `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"not for {seconds:.0f} s")
        self.seconds = seconds


class RateLimiter:
    """Grants each key `burst` permits at once, and after that `limit` permits each `seconds`.

    A key takes no memory once all its permits are free again.
    """

    def __init__(
        self,
        limit: int,
        seconds: float = _MINUTE_SECONDS,
        burst: int | None = None,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """`now` returns the time in seconds since any fixed moment."""
        self._rates = [Rate(limit, max(1, round(seconds * _MS)), burst)]
        self._permit_seconds = seconds / limit
        self._burst = self._rates[0].burst
        self._now = now
        self._states: dict[str, _State] = {}
        self._blocked_until: dict[str, float] = {}
        self._next_cleanup = _NEVER_BLOCKED

    @classmethod
    def within_a_minute(
        cls, most: int, *, now: Callable[[], float] = time.monotonic
    ) -> "RateLimiter":
        """Return a limiter that grants at most `most` permits in any minute, a quarter at once."""
        burst = max(1, most // _SHARE_AT_ONCE)
        return cls(max(1, most - burst), _MINUTE_SECONDS, burst, now=now)

    def __len__(self) -> int:
        """Return the number of stored keys."""
        return len(self._states.keys() | self._blocked_until.keys())

    @property
    def burst(self) -> int:
        """The maximum number of permits of a key."""
        return self._burst

    def seconds_until(self, permits: int = 1, key: str = "") -> float:
        """Return the seconds until a key has so many free permits; none is reserved."""
        now = self._now()
        fitting = min(permits, self._burst)
        _, decision = _GCRA.step(self._rates, self._state(key), round(now * _MS), fitting)
        missing = (decision.retry_after_ms or 0) / _MS
        missing += (permits - fitting) * self._permit_seconds
        return max(missing, self._blocked_until.get(key, _NEVER_BLOCKED) - now)

    def reserve(self, key: str = "", permits: int = 1, max_wait_seconds: float = math.inf) -> float:
        """Reserve the next permits of a key; return the seconds until they may be used.

        Raises:
            RateLimited: If that is more than `max_wait_seconds`; no permit is reserved then.
        """
        self._delete_idle_keys()
        wait = self.seconds_until(permits, key)
        if wait > max_wait_seconds:
            raise RateLimited(wait)
        start = max(self._now(), self._blocked_until.get(key, _NEVER_BLOCKED))
        at_ms, state = round(start * _MS), self._state(key)
        while permits > 0:
            weight = min(permits, self._burst)
            state, decision = _GCRA.step(self._rates, state, at_ms, weight)
            if decision.retry_after_ms:
                at_ms += decision.retry_after_ms
            else:
                permits -= weight
        self._states[key] = state
        return wait

    def retry_after(self, key: str) -> int:
        """Reserve a permit of a key if one is free, and return 0.

        Otherwise return the whole seconds until one is, at least 1.
        """
        try:
            self.reserve(key, max_wait_seconds=0.0)
        except RateLimited as limited:
            return max(1, math.ceil(limited.seconds))
        return 0

    def block(self, seconds: float, key: str = "") -> None:
        """Grant a key no permit for this number of seconds."""
        until = self._now() + seconds
        self._blocked_until[key] = max(self._blocked_until.get(key, _NEVER_BLOCKED), until)

    def _state(self, key: str) -> _State:
        return self._states.get(key) or _GCRA.initial(self._rates)

    def _delete_idle_keys(self) -> None:
        now = self._now()
        if now < self._next_cleanup:
            return
        self._blocked_until = {
            key: until for key, until in self._blocked_until.items() if until > now
        }
        self._states = {
            key: state
            for key, state in self._states.items()
            if _GCRA.consumed(self._rates, state, round(now * _MS))
        }
        self._next_cleanup = now + self._burst * self._permit_seconds
