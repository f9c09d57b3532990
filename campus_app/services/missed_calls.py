"""Missed calls through a telephone service: each order at most once, and how each of them ended.

A ring is noted before the service is asked for it, so that nothing asks twice, whoever dies in
between. Notices only write down what they say; the outbox comes back and decides.
"""

import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from campus_app.domain import constants
from campus_app.domain.missed_call import CallReport, Ring, RingOutcome, seconds_to_next_look
from campus_app.ports.calls import MissedCall, RingStore, TelephoneService
from campus_app.services.logged import about
from kit.clock import Clock
from kit.outbox.errors import (
    DeliveryPostponed,
    DeliveryRejected,
    OutcomeAwaited,
    OutcomeUnknown,
)

logger = logging.getLogger(__name__)

_TOKEN_BYTES = 24
_WAITED_FOR = "rung; how that went is not known yet"
_HOUR = timedelta(hours=1)
_CLOCKS_DIFFER_BY = timedelta(seconds=5)
"""The service's clock is another, and counts in whole seconds."""
_ON_ITS_WAY_FOR = timedelta(seconds=30)
"""A call that was taken any later is another's."""


@dataclass(frozen=True)
class MissedCalls:
    """A `PhoneCaller` that may be asked again and again about the same order."""

    rings: RingStore
    telephone: TelephoneService
    clock: Clock
    origin: str
    """Where the service reaches us, without a slash at the end."""
    most_per_hour: int
    """How often a restaurant may be called within an hour, about whatever orders."""
    unwanted_by: frozenset[int] = frozenset()
    """Restaurants that do not want to be called, or no more."""

    async def ring(self, call: MissedCall) -> None:
        """Ring if nobody has, else say how it went; return once the phone has rung.

        Raises:
            DeliveryRejected: If it did not ring, and will not.
            OutcomeUnknown: If nobody will know.
            OutcomeAwaited: If it may ring just now, or soon will.
            ChannelDown: If it certainly did not, and may later.
        """
        last = await self.rings.last(call.order_id)
        if last is not None and last.outcome is RingOutcome.OPEN:
            last = await self._asked_after(last)
        if last is None:
            await self._begin(call, 1)
        elif last.outcome is RingOutcome.OPEN:
            raise self._awaited(last)
        elif last.outcome is RingOutcome.FAILED:
            await self._begin_again(call, last)

    async def take_notice(self, token: str, headers: Mapping[str, str], body: bytes) -> bool:
        """Write down what a notice says; False if there is no such ring, or it is another call's.

        Raises:
            BadSignature: If it is not the service's.
        """
        report = self.telephone.parse_notice(self._notice_url(token), headers, body)
        now = self.clock.now()
        return await self.rings.hear(token, report, now, is_certain=True) is not None

    def _notice_url(self, token: str) -> str:
        return f"{self.origin}/api/calls/{self.telephone.name}/{token}"

    async def _begin_again(self, call: MissedCall, last: Ring) -> None:
        if last.number >= constants.MISSED_CALL_MOST_RINGS:
            raise DeliveryRejected(f"the phone could not be rung: {last.status}")
        age = max((self.clock.now() - last.begun_at).total_seconds(), 0.0)
        if age < constants.MISSED_CALL_PAUSE_SECONDS:
            pause = constants.MISSED_CALL_PAUSE_SECONDS - age
            raise OutcomeAwaited(f"the phone did not ring: {last.status}", pause)
        await self._begin(call, last.number + 1)

    async def _begin(self, call: MissedCall, number: int) -> None:
        now = self.clock.now()
        await self._require_welcome(call, now)
        ring = Ring(
            token=secrets.token_urlsafe(_TOKEN_BYTES),
            order_id=call.order_id,
            number=number,
            restaurant_id=call.restaurant_id,
            phone=call.to,
            begun_at=now,
        )
        if await self.rings.begin(ring):
            ring = await self._place(ring)
        if ring.outcome is not RingOutcome.REACHED:
            raise self._awaited(ring)

    async def _require_welcome(self, call: MissedCall, now: datetime) -> None:
        if call.restaurant_id in self.unwanted_by:
            raise DeliveryRejected("the restaurant does not want to be called")
        if now >= call.useful_until:
            raise DeliveryRejected("too late: the call would be of no use any more")
        if await self.rings.count(call.restaurant_id, now - _HOUR) >= self.most_per_hour:
            raise DeliveryRejected("the restaurant was called too often within the hour")

    async def _place(self, ring: Ring) -> Ring:
        """Have the phone called; what is certain not to have rung leaves no trace."""
        try:
            report = await self.telephone.place(ring.phone, self._notice_url(ring.token))
        except OutcomeUnknown:
            logger.warning(
                "calls: nobody knows whether the call about %s was made",
                ring.order_id,
                extra=about(ring.order_id),
            )
            return ring
        except (DeliveryRejected, DeliveryPostponed):
            await self.rings.withdraw(ring)
            raise
        logger.info(
            "calls: the call about %s is %s", ring.order_id, report.sid, extra=about(ring.order_id)
        )
        return await self._heard(ring, report, is_certain=True)

    async def _heard(self, ring: Ring, report: CallReport, *, is_certain: bool) -> Ring:
        now = self.clock.now()
        return await self.rings.hear(ring.token, report, now, is_certain=is_certain) or ring

    async def _asked_after(self, ring: Ring) -> Ring:
        """Return a ring with what the service says of it, if it is time to ask and it answers.

        Raises:
            OutcomeUnknown: If nobody confirmed the call, and it can't be found. That the service
                lists none is no proof: what it took may still be on its way to the phone.
        """
        age = (self.clock.now() - ring.begun_at).total_seconds()
        try:
            report = await self._report_of(ring, age)
        except (DeliveryRejected, DeliveryPostponed) as error:
            logger.warning(
                "calls: no news of the call about %s: %s",
                ring.order_id,
                error,
                extra=about(ring.order_id),
            )
            return ring
        if report is not None:
            return await self._heard(ring, report, is_certain=False)
        if not ring.sid and age >= constants.MISSED_CALL_NOTICE_SECONDS:
            raise OutcomeUnknown
        return ring

    async def _report_of(self, ring: Ring, age: float) -> CallReport | None:
        if ring.sid:
            is_time = age >= constants.MISSED_CALL_NOTICE_SECONDS
            return await self.telephone.fetch(ring.sid) if is_time else None
        if age < constants.MISSED_CALL_SEARCH_SECONDS:
            return None
        found = await self.telephone.find(
            ring.phone, ring.begun_at - _CLOCKS_DIFFER_BY, ring.begun_at + _ON_ITS_WAY_FOR
        )
        reports = {report.sid: report for report in found}
        unclaimed = await self.rings.unclaimed(list(reports))
        return reports[unclaimed[-1]] if unclaimed else None

    def _awaited(self, ring: Ring) -> OutcomeAwaited:
        seconds = seconds_to_next_look(ring, self.clock.now())
        if seconds is None:
            raise OutcomeUnknown
        return OutcomeAwaited(_WAITED_FOR, seconds)
