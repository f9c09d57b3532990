"""The errors with which a Redis that cannot be reached is noticed."""

from typing import Final

from redis.exceptions import RedisError

UNAVAILABLE: Final = (RedisError, OSError, RuntimeError)
"""uvloop raises RuntimeError for a write to a transport that is already closed."""
