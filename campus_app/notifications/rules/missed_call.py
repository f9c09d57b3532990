"""Missed calls: the attempts to call a restaurant about an order, and their outcomes."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from campus_app.shared.rules import constants


class CallStatus(StrEnum):
    """A call's status at the telephone service, in order of progress; final from FAILED on."""

    QUEUED = "queued"
    INITIATED = "initiated"
    RINGING = "ringing"
    IN_PROGRESS = "in-progress"
    FAILED = "failed"
    CANCELED = "canceled"
    NO_ANSWER = "no-answer"
    BUSY = "busy"
    COMPLETED = "completed"


class CallOutcome(StrEnum):
    """The outcome of a call attempt."""

    OPEN = "open"
    REACHED = "reached"
    """The phone shows a missed call, or the call was answered."""
    FAILED = "failed"
    """The phone certainly did not ring."""


class CallReason(StrEnum):
    """Why a restaurant is called about an order; the value is the topic of the outbox job."""

    PAID = "call.vendor"
    """The order is paid."""
    UNSEEN = "call.unseen"
    """No device of the kitchen has marked the paid order as seen. Source: specification 10.29."""

    @property
    def first_number(self) -> int:
        """The number of the first call attempt for this reason."""
        return _FIRST_NUMBERS[self]

    @property
    def last_number(self) -> int:
        """The number of the last attempt that is made. An unseen order is never called twice."""
        attempts = constants.MISSED_CALL_MAXIMUM_ATTEMPTS if self is CallReason.PAID else 1
        return self.first_number + attempts - 1


_FIRST_NUMBERS = {CallReason.PAID: 1, CallReason.UNSEEN: 101}
"""They are stored and must not change: they separate the attempts of the two reasons."""


def call_reason(number: int) -> CallReason:
    """Return the reason of the call attempt with a number."""
    is_unseen = number >= CallReason.UNSEEN.first_number
    return CallReason.UNSEEN if is_unseen else CallReason.PAID


_PROGRESS = {status: index for index, status in enumerate(CallStatus)}
_HAS_RUNG = {CallStatus.RINGING, CallStatus.IN_PROGRESS}


@dataclass(frozen=True)
class CallAttempt:
    """An attempt to call a restaurant about an order, stored before the service is called."""

    token: str
    """An unguessable part of the URL of its status webhooks."""
    order_id: str
    number: int
    """1 and 2 for the attempts when the order is paid, 101 for the one when it is unseen."""
    restaurant_id: int
    phone: str
    started_at: datetime
    sid: str = ""
    """The service's id of the call; empty while it is unknown."""
    is_confirmed: bool = False
    """Whether the service named this call for this attempt; otherwise it was matched by search."""
    status: CallStatus | None = None
    has_rung: bool = False
    sequence: int | None = None
    """The highest sequence number of a webhook so far."""

    @property
    def outcome(self) -> CallOutcome:
        """The outcome as far as it is known.

        Source: specification P4.8.
        """
        if self.status is None or _PROGRESS[self.status] < _PROGRESS[CallStatus.FAILED]:
            return CallOutcome.OPEN
        if self.status is CallStatus.FAILED:
            return CallOutcome.FAILED
        if self.status is CallStatus.CANCELED and not self.has_rung:
            return CallOutcome.FAILED
        return CallOutcome.REACHED


@dataclass(frozen=True)
class CallReport:
    """A call's status as the service reports it; `status` is None for an unknown word."""

    sid: str
    status: CallStatus | None
    sequence: int | None = None
    """The sequence number of the webhook, if it has one."""


def can_claim(attempt: CallAttempt, sid: str, *, is_confirmed: bool) -> bool:
    """Whether a call may be the attempt's: the same one, none so far, or only a matched one."""
    return attempt.sid in {"", sid} or (is_confirmed and not attempt.is_confirmed)


def without_call(attempt: CallAttempt) -> CallAttempt:
    """Return the attempt without its call, which belongs to another attempt."""
    return replace(attempt, sid="", is_confirmed=False, status=None, has_rung=False, sequence=None)


def with_report(attempt: CallAttempt, report: CallReport, *, is_confirmed: bool) -> CallAttempt:
    """Return the attempt with a report applied: the most advanced status counts, in any order.

    An unknown status (None) changes nothing but the call's id.
    """
    before = attempt if attempt.sid in {"", report.sid} else without_call(attempt)
    status, latest = report.status, before.status
    if status is not None and (latest is None or _PROGRESS[status] > _PROGRESS[latest]):
        latest = status
    return replace(
        before,
        sid=report.sid,
        is_confirmed=before.is_confirmed or is_confirmed,
        status=latest,
        has_rung=before.has_rung or status in _HAS_RUNG,
        sequence=max(
            (each for each in (before.sequence, report.sequence) if each is not None), default=None
        ),
    )


def call_deadline(paid_at: datetime) -> datetime:
    """Return the latest time at which a call about an order paid at `paid_at` is useful."""
    return paid_at + timedelta(seconds=constants.MISSED_CALL_DEADLINE_SECONDS)


def seconds_until_next_poll(attempt: CallAttempt, at: datetime) -> float | None:
    """Return the seconds until an open attempt is polled again; None if polling ends.

    A known call is polled every minute until the deadline. An unknown one is searched for soon,
    and a last time after a minute.
    """
    age = max((at - attempt.started_at).total_seconds(), 0.0)  # the clock may have been set back
    if age >= constants.MISSED_CALL_DEADLINE_SECONDS:
        return None
    if not attempt.sid and age < constants.MISSED_CALL_SEARCH_SECONDS:
        return constants.MISSED_CALL_SEARCH_SECONDS - age
    if age < constants.MISSED_CALL_POLL_SECONDS:
        return constants.MISSED_CALL_POLL_SECONDS - age
    return constants.MISSED_CALL_POLL_SECONDS
