"""Phone calls that ring once, and the store of their attempts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from campus_app.domain.missed_call import CallReport, Ring


@dataclass(frozen=True)
class MissedCall:
    """A call that rings and hangs up."""

    to: str
    restaurant_id: int
    order_number: str
    order_id: str
    useful_until: datetime
    """After that the phone need not begin to ring any more."""


class PhoneCaller(Protocol):
    """Rings a phone once about an order."""

    async def ring(self, call: MissedCall) -> None:
        """Ring.

        Raises:
            DeliveryRejected: If the number will never ring.
            DeliveryPostponed: If it certainly did not ring and may later.
            OutcomeAwaited: If it may ring just now; asked again, it says how that went.
        """
        ...


class TelephoneService(Protocol):
    """Calls phones, and says how that went."""

    name: str
    """Stands in the address of its notices."""

    async def place(self, phone: str, notice_url: str) -> CallReport:
        """Call a phone that rings and hears nothing.

        Raises:
            OutcomeUnknown: If it may ring, and the service does not say so.
            DeliveryRejected: If it will never ring.
            ChannelDown: If it certainly does not, and may later.
        """
        ...

    async def find(self, phone: str, since: datetime, until: datetime) -> Sequence[CallReport]:
        """Return the calls to a phone that were asked for in that time, the newest first.

        Raises:
            DeliveryRejected: If the service does not say.
            DeliveryPostponed: If it may say so later.
        """
        ...

    async def fetch(self, sid: str) -> CallReport:
        """Return how a call stands.

        Raises:
            DeliveryRejected: If the service does not say.
            DeliveryPostponed: If it may say so later.
        """
        ...

    def parse_notice(self, url: str, headers: Mapping[str, str], body: bytes) -> CallReport:
        """Return what a notice says that came to this address of ours.

        Raises:
            BadSignature: If it is not the service's, or none that we can read.
        """
        ...

    def is_up(self) -> bool:
        """Whether calls can be asked for now, as far as is known."""
        ...


class RingStore(Protocol):
    """The calls that were asked for."""

    async def last(self, order_id: str) -> Ring | None:
        """Return the newest one about an order."""
        ...

    async def begin(self, ring: Ring) -> bool:
        """Note that a call is about to be asked for; False if this one was noted before."""
        ...

    async def withdraw(self, ring: Ring) -> None:
        """Forget one that certainly was not made."""
        ...

    async def hear(
        self, token: str, report: CallReport, at: datetime, *, is_certain: bool
    ) -> Ring | None:
        """Take in what the service says of a ring; None if it is not about that one.

        Whoever waits for how it ends is woken. What the service itself says of this ring
        (`is_certain`) takes the call from a ring that it only looked like.
        """
        ...

    async def count(self, restaurant_id: int, since: datetime) -> int:
        """Return how often a restaurant was called since then."""
        ...

    async def unclaimed(self, sids: Sequence[str]) -> Sequence[str]:
        """Return which of these calls belong to no ring, in the same order."""
        ...
