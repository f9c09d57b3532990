"""Missed calls: what is asked of a caller, and the interface of callers."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from campus_app.notifications.rules.missed_call import CallReason


async def always() -> bool:
    """Return True: the call is wanted, whatever has happened meanwhile."""
    return True


@dataclass(frozen=True)
class MissedCall:
    """A call that rings and hangs up."""

    to: str
    restaurant_id: int
    order_number: str
    order_id: str
    call_deadline: datetime
    """The latest time at which the phone may start to ring."""
    reason: CallReason = CallReason.PAID
    is_wanted: Callable[[], Awaitable[bool]] = field(default=always, compare=False)
    """Awaited right before the phone is called; if it returns False, no call is placed."""


class PhoneCaller(Protocol):
    """Calls a phone about an order, once per reason."""

    async def place_call(self, call: MissedCall) -> None:
        """Place the call if it is wanted, or report its progress if it was placed before.

        Raises:
            DeliveryRejected: If the number can never be called.
            DeliveryPostponed: If the phone certainly did not ring, and a retry may succeed.
            OutcomeAwaited: If the outcome is not known yet; a later call of this method
                reports it.
        """
        ...
