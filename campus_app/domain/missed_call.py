"""Missed calls: what the words of a telephone service mean for an order."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from campus_app.domain import constants


class CallStatus(StrEnum):
    """How far a call has come, each further than those before it; from FAILED on it is over."""

    QUEUED = "queued"
    INITIATED = "initiated"
    RINGING = "ringing"
    IN_PROGRESS = "in-progress"
    FAILED = "failed"
    CANCELED = "canceled"
    NO_ANSWER = "no-answer"
    BUSY = "busy"
    COMPLETED = "completed"


class RingOutcome(StrEnum):
    """What became of a ring."""

    OPEN = "open"
    REACHED = "reached"
    """The phone shows a missed call, or somebody answered and heard nothing."""
    FAILED = "failed"
    """The phone certainly did not ring."""


_ORDER = {status: place for place, status in enumerate(CallStatus)}
_HAS_RUNG = {CallStatus.RINGING, CallStatus.IN_PROGRESS}


@dataclass(frozen=True)
class Ring:
    """One call about an order that was asked for, whether or not anybody confirmed it."""

    token: str
    """Stands in the address of its notices, and can't be guessed."""
    order_id: str
    number: int
    """The first or the second about this order."""
    restaurant_id: int
    phone: str
    begun_at: datetime
    sid: str = ""
    """The service's name for the call, once it is known."""
    is_confirmed: bool = False
    """Whether the service itself said that this is the call; else it only looks like it."""
    status: CallStatus | None = None
    has_rung: bool = False
    sequence: int = -1
    """The highest number of a notice so far."""

    @property
    def outcome(self) -> RingOutcome:
        """What became of it, as far as is known.

        Source: specification P4.8.
        """
        if self.status is None or _ORDER[self.status] < _ORDER[CallStatus.FAILED]:
            return RingOutcome.OPEN
        if self.status is CallStatus.FAILED:
            return RingOutcome.FAILED
        if self.status is CallStatus.CANCELED and not self.has_rung:
            return RingOutcome.FAILED
        return RingOutcome.REACHED


@dataclass(frozen=True)
class CallReport:
    """What a telephone service says of a call; `status` is None for a word that nobody knows."""

    sid: str
    status: CallStatus | None
    sequence: int = -1
    """The number of the notice that says so, if one does."""


def may_be(ring: Ring, sid: str, *, is_certain: bool) -> bool:
    """Whether a call may be this ring's: it is, none is known yet, or it was only guessed."""
    return ring.sid in {"", sid} or (is_certain and not ring.is_confirmed)


def unclaimed(ring: Ring) -> Ring:
    """Return a ring whose call was another's after all: nothing is known of it."""
    return replace(ring, sid="", is_confirmed=False, status=None, has_rung=False, sequence=-1)


def heard(ring: Ring, report: CallReport, *, is_certain: bool) -> Ring:
    """Return the ring after one more word of it: the furthest counts, in whatever order they come.

    A word that nobody knows (None) changes nothing but the call's name.
    """
    before = ring if ring.sid in {"", report.sid} else unclaimed(ring)
    status, furthest = report.status, before.status
    if status is not None and (furthest is None or _ORDER[status] > _ORDER[furthest]):
        furthest = status
    return replace(
        before,
        sid=report.sid,
        is_confirmed=before.is_confirmed or is_certain,
        status=furthest,
        has_rung=before.has_rung or status in _HAS_RUNG,
        sequence=max(before.sequence, report.sequence),
    )


def useful_until(paid_at: datetime) -> datetime:
    """Return until when a phone may begin to ring about an order that was paid at a moment."""
    return paid_at + timedelta(seconds=constants.MISSED_CALL_USEFUL_SECONDS)


def seconds_to_next_look(ring: Ring, at: datetime) -> float | None:
    """Return after how many seconds an open ring is looked at again; None if it is given up.

    A call that was confirmed is asked after every minute until it would be of no use any more. One
    that was not is looked for soon, and a last time after a minute.
    """
    age = max((at - ring.begun_at).total_seconds(), 0.0)  # the clock may have been put back
    if age >= constants.MISSED_CALL_USEFUL_SECONDS:
        return None
    if not ring.sid and age < constants.MISSED_CALL_SEARCH_SECONDS:
        return constants.MISSED_CALL_SEARCH_SECONDS - age
    if age < constants.MISSED_CALL_NOTICE_SECONDS:
        return constants.MISSED_CALL_NOTICE_SECONDS - age
    return constants.MISSED_CALL_NOTICE_SECONDS
