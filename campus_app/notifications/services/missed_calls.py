"""Missed calls through a telephone service: at most one that rings per order and reason.

An attempt is stored before the service is asked to call, so that no attempt is made twice even if
a process dies in between. Webhooks only store the status; the outbox job runs again and decides.
"""

import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from campus_app.notifications.providers.twilio.calls import TwilioCalls
from campus_app.notifications.rules.callers import MissedCall
from campus_app.notifications.rules.missed_call import (
    CallAttempt,
    CallOutcome,
    CallReason,
    CallReport,
    seconds_until_next_poll,
)
from campus_app.notifications.sql.call_attempts import SqlCallAttempts
from campus_app.ordering.services.order_log import log_order
from campus_app.shared.rules import constants
from kit.clock import Clock
from kit.outbox.errors import DeliveryPostponed, DeliveryRejected, OutcomeAwaited, OutcomeUnknown

logger = logging.getLogger(__name__)

_TOKEN_BYTES = 24
_OUTCOME_AWAITED = "rung; how that went is not known yet"
_HOUR = timedelta(hours=1)
_CLOCK_SKEW = timedelta(seconds=5)
"""The service's clock may differ from ours, and has a resolution of one second."""
_CREATION_WINDOW = timedelta(seconds=30)
"""A call created later than this belongs to another attempt."""


@dataclass(frozen=True)
class MissedCalls:
    """A `PhoneCaller` that is safe to call repeatedly for the same order and reason."""

    attempts: SqlCallAttempts
    telephone: TwilioCalls
    clock: Clock
    origin: str
    """The public origin of our webhooks, without a trailing slash."""
    hourly_limit: int
    """Calls to one restaurant per hour, for all its orders together."""
    opted_out: frozenset[int] = frozenset()
    """Restaurants that do not want to be called."""

    async def place_call(self, call: MissedCall) -> None:
        """Place the call unless it was placed before; return once the phone has rung.

        A call that is not wanted any more is not placed, but one that was placed is followed.

        Raises:
            DeliveryRejected: If it did not ring, and will not.
            OutcomeUnknown: If the outcome will never be known.
            OutcomeAwaited: If it may be ringing, or soon will.
            ChannelDown: If it certainly did not ring, and a retry may succeed.
        """
        last = await self.attempts.latest(call.order_id, call.reason)
        if last is not None and last.outcome is CallOutcome.OPEN:
            last = await self._polled(last)
        if last is None:
            await self._start(call, call.reason.first_number)
        elif last.outcome is CallOutcome.OPEN:
            raise self._awaited(last)
        elif last.outcome is CallOutcome.FAILED:
            await self._retry(call, last)

    async def can_ring(self, order_id: str, restaurant_id: int, deadline: datetime) -> bool:
        """Whether a retry of the call about a paid order is more than another rejection."""
        reason = CallReason.PAID
        last = await self.attempts.latest(order_id, reason)
        if last is not None and last.outcome is not CallOutcome.FAILED:
            return True
        if last is not None and last.number >= reason.last_number:
            return False
        try:
            await self._require_allowed(restaurant_id, deadline, reason)
        except DeliveryRejected:
            return False
        return True

    async def receive_webhook(self, token: str, headers: Mapping[str, str], body: bytes) -> bool:
        """Store the reported status; False if the attempt is unknown or has another call.

        Raises:
            BadSignature: If the service did not sign it.
        """
        report = self.telephone.parse_webhook(self._webhook_url(token), headers, body)
        now = self.clock.now()
        return await self.attempts.record_status(token, report, now, is_confirmed=True) is not None

    def _webhook_url(self, token: str) -> str:
        return f"{self.origin}/api/calls/{self.telephone.name}/{token}"

    async def _retry(self, call: MissedCall, last: CallAttempt) -> None:
        if last.number >= call.reason.last_number:
            raise DeliveryRejected(f"the phone could not be rung: {last.status}")
        age = max((self.clock.now() - last.started_at).total_seconds(), 0.0)
        if age < constants.MISSED_CALL_RETRY_SECONDS:
            pause = constants.MISSED_CALL_RETRY_SECONDS - age
            raise OutcomeAwaited(f"the phone did not ring: {last.status}", pause)
        await self._start(call, last.number + 1)

    async def _start(self, call: MissedCall, number: int) -> None:
        if not await call.is_wanted():
            return
        await self._require_allowed(call.restaurant_id, call.call_deadline, call.reason)
        attempt = CallAttempt(
            token=secrets.token_urlsafe(_TOKEN_BYTES),
            order_id=call.order_id,
            number=number,
            restaurant_id=call.restaurant_id,
            phone=call.to,
            started_at=self.clock.now(),
        )
        if await self.attempts.begin(attempt):
            attempt = await self._create_call(attempt)
        if attempt.outcome is not CallOutcome.REACHED:
            raise self._awaited(attempt)

    async def _require_allowed(
        self, restaurant_id: int, deadline: datetime, reason: CallReason
    ) -> None:
        now = self.clock.now()
        if restaurant_id in self.opted_out:
            raise DeliveryRejected("the restaurant does not want to be called")
        if now >= deadline:
            raise DeliveryRejected("too late: the call would be of no use any more")
        if await self.attempts.count(restaurant_id, now - _HOUR) >= self._limit(reason):
            raise DeliveryRejected("the restaurant was called too often within the hour")

    def _limit(self, reason: CallReason) -> int:
        """Return the calls per hour up to which another one for this reason may be placed.

        Calls about unseen orders must leave some for orders that are paid later.
        """
        return self.hourly_limit if reason is CallReason.PAID else self.hourly_limit // 2

    async def _create_call(self, attempt: CallAttempt) -> CallAttempt:
        """Create the call; an attempt that certainly caused no call is deleted."""
        try:
            report = await self.telephone.create_call(
                attempt.phone, self._webhook_url(attempt.token)
            )
        except OutcomeUnknown:
            message = "calls: unknown whether the call for order %s was made"
            log_order(logger, logging.WARNING, message, attempt.order_id)
            return attempt
        except (DeliveryRejected, DeliveryPostponed):
            await self.attempts.withdraw(attempt)
            raise
        message = "calls: the call for order %s is %s"
        log_order(logger, logging.INFO, message, attempt.order_id, report.sid)
        return await self._record_status(attempt, report, is_confirmed=True)

    async def _record_status(
        self, attempt: CallAttempt, report: CallReport, *, is_confirmed: bool
    ) -> CallAttempt:
        now = self.clock.now()
        return (
            await self.attempts.record_status(attempt.token, report, now, is_confirmed=is_confirmed)
            or attempt
        )

    async def _polled(self, attempt: CallAttempt) -> CallAttempt:
        """Return the attempt with its current status, if it is time to poll.

        Raises:
            OutcomeUnknown: If the call is unconfirmed and cannot be found. Its absence from
                the service's list proves nothing: the call may still be on its way to the
                phone.
        """
        age = (self.clock.now() - attempt.started_at).total_seconds()
        try:
            report = await self._fetch_report(attempt, age)
        except (DeliveryRejected, DeliveryPostponed) as error:
            message = "calls: cannot fetch the status of the call for order %s: %s"
            log_order(logger, logging.WARNING, message, attempt.order_id, error)
            return attempt
        if report is not None:
            return await self._record_status(attempt, report, is_confirmed=False)
        if not attempt.sid and age >= constants.MISSED_CALL_POLL_SECONDS:
            raise OutcomeUnknown
        return attempt

    async def _fetch_report(self, attempt: CallAttempt, age: float) -> CallReport | None:
        if attempt.sid:
            is_time = age >= constants.MISSED_CALL_POLL_SECONDS
            return await self.telephone.fetch_call(attempt.sid) if is_time else None
        if age < constants.MISSED_CALL_SEARCH_SECONDS:
            return None
        return await self._search(attempt)

    async def _search(self, attempt: CallAttempt) -> CallReport | None:
        """Return the attempt's call from the account's list; None if it is ambiguous.

        After the loss of a host, several attempts to one phone may have neither a response nor a
        webhook. Their calls cannot be told apart: with those of another attempt, one that failed
        would count as done, and one that rang would be repeated.
        """
        begins, ends = attempt.started_at - _CLOCK_SKEW, attempt.started_at + _CREATION_WINDOW
        calls = await self.telephone.find_calls(attempt.phone, begins, ends)
        reports = {report.sid: report for report in calls}
        unclaimed = await self.attempts.unclaimed(list(reports))
        competing = await self.attempts.count_without_call(
            attempt.phone, begins - _CREATION_WINDOW, ends + _CLOCK_SKEW
        )
        return reports[unclaimed[0]] if (len(unclaimed), competing) == (1, 1) else None

    def _awaited(self, attempt: CallAttempt) -> OutcomeAwaited:
        seconds = seconds_until_next_poll(attempt, self.clock.now())
        if seconds is None:
            raise OutcomeUnknown
        return OutcomeAwaited(_OUTCOME_AWAITED, seconds)
