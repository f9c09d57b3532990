"""Missed calls: the interfaces of the caller, the telephone service and the attempt store."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from campus_app.notifications.rules.missed_call import CallAttempt, CallReason, CallReport


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


class TelephoneService(Protocol):
    """A telephone service, such as Twilio: it makes calls and reports their status."""

    name: str
    """Part of the URL of its status webhooks."""

    async def create_call(self, phone: str, webhook_url: str) -> CallReport:
        """Call a phone; an answered call is silent.

        Raises:
            OutcomeUnknown: If the call may have been made, but the response was lost.
            DeliveryRejected: If the call was not made, and a retry would not help.
            ChannelDown: If the call was not made, and a retry may succeed.
        """
        ...

    async def find_calls(
        self, phone: str, since: datetime, until: datetime
    ) -> Sequence[CallReport]:
        """Return the calls to a phone created between `since` and `until`, newest first.

        Raises:
            DeliveryRejected: If the service rejects the request.
            DeliveryPostponed: If a retry may succeed.
        """
        ...

    async def fetch_call(self, sid: str) -> CallReport:
        """Return the status of a call.

        Raises:
            DeliveryRejected: If the service rejects the request.
            DeliveryPostponed: If a retry may succeed.
        """
        ...

    def parse_webhook(self, url: str, headers: Mapping[str, str], body: bytes) -> CallReport:
        """Verify a status webhook that was sent to `url`; return its report.

        Raises:
            BadSignature: If the service did not sign it, or it cannot be parsed.
        """
        ...

    def is_up(self) -> bool:
        """Whether the last calls suggest that calls can be made now."""
        ...


class CallAttemptStore(Protocol):
    """The stored call attempts."""

    async def latest(
        self, order_id: str, reason: CallReason = CallReason.PAID
    ) -> CallAttempt | None:
        """Return the latest attempt of an order for this reason."""
        ...

    async def begin(self, attempt: CallAttempt) -> bool:
        """Store an attempt before its call is made; False if its number is already stored."""
        ...

    async def withdraw(self, attempt: CallAttempt) -> None:
        """Delete an attempt whose call certainly was not made."""
        ...

    async def record_status(
        self, token: str, report: CallReport, at: datetime, *, is_confirmed: bool
    ) -> CallAttempt | None:
        """Apply a report to an attempt; None if the attempt is unknown or has another call.

        If the attempt's outcome changes, the outbox job of its call is run now. A report that the
        service itself assigns to this attempt (`is_confirmed`) takes the call from an attempt that
        it was only matched with.
        """
        ...

    async def count(self, restaurant_id: int, since: datetime) -> int:
        """Return how often a restaurant was called since then."""
        ...

    async def unclaimed(self, sids: Sequence[str]) -> Sequence[str]:
        """Return those of these calls that belong to no attempt, in the same order."""
        ...

    async def count_without_call(self, phone: str, since: datetime, until: datetime) -> int:
        """Return how many attempts to a phone, begun in this time, have no known call."""
        ...
