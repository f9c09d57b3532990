"""How often one address may do something: generous, since a whole campus can share one."""

import math
import time

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter


class PerMinute:
    """So many per minute and address, counted in this process."""

    def __init__(self, most: int) -> None:
        self._item = RateLimitItemPerMinute(most)
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def seconds_to_wait(self, address: str) -> int:
        """Count one more; return 0 if it is within the limit, else after how long to come back."""
        if self._limiter.hit(self._item, address):
            return 0
        reset_at = self._limiter.get_window_stats(self._item, address).reset_time
        return max(1, math.ceil(reset_at - time.time()))
