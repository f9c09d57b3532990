"""Call attempts: status reports and the outcomes that follow from them."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.notifications.rules.missed_call import (
    CallAttempt,
    CallOutcome,
    CallReason,
    CallReport,
    CallStatus,
    call_deadline,
    call_reason,
    can_claim,
    seconds_until_next_poll,
    with_report,
    without_call,
)
from tests.helpers.clock import WEDNESDAY

ATTEMPT = CallAttempt(
    "a token", "an order", number=1, restaurant_id=1, phone="+919800000001", started_at=WEDNESDAY
)
SID = "CA0123"
OPEN, REACHED, FAILED = CallOutcome


def attempt_after(*words):
    attempt = ATTEMPT
    for number, word in enumerate(words):
        attempt = reported(attempt, CallStatus(word), number)
    return attempt


def reported(attempt, status, sequence=None, sid=SID, *, is_confirmed=True):
    return with_report(attempt, CallReport(sid, status, sequence), is_confirmed=is_confirmed)


OUTCOMES = {
    OPEN: ["", "queued", "initiated", "ringing", "in-progress"],
    REACHED: [
        *("no-answer", "busy", "completed", "ringing canceled"),
        "canceled ringing",  # reported before it rang
    ],
    FAILED: ["queued canceled", "queued failed"],
}
"""An outcome, and the words that are reported one after the other."""


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_outcome_follows_from_status(outcome):
    # Source: specification P4.8.
    for words in OUTCOMES[outcome]:
        assert attempt_after(*words.split()).outcome is outcome, words
    assert len(CallStatus) == 9


@given(st.permutations(["initiated", "ringing", "in-progress", "completed"]), st.data())
def test_with_report_ignores_late_and_duplicate_webhooks(order, data):
    repeated = data.draw(st.lists(st.sampled_from(order), max_size=6))
    attempt = attempt_after(*order, *repeated)
    assert (attempt.status, attempt.has_rung, attempt.outcome) == ("completed", True, REACHED)


@given(st.lists(st.sampled_from(list(CallStatus)), min_size=1, max_size=8), st.randoms())
def test_with_report_is_independent_of_webhook_order(words, random):
    shuffled = random.sample(words, len(words))
    assert replace(attempt_after(*words), sequence=0) == replace(
        attempt_after(*shuffled), sequence=0
    )


@given(st.lists(st.sampled_from(list(CallStatus)), max_size=8), st.sampled_from(list(CallStatus)))
def test_outcome_stays_reached_after_any_status(words, last):
    before = attempt_after(*words)
    if before.outcome is REACHED:
        assert reported(before, last).outcome is REACHED


def test_with_report_sets_only_sid_when_status_is_unknown():
    assert reported(ATTEMPT, None) == replace(ATTEMPT, sid=SID, is_confirmed=True)


def test_with_report_keeps_highest_sequence_number():
    assert reported(reported(ATTEMPT, CallStatus.RINGING, 3), CallStatus.QUEUED, 1).sequence == 3


GUESSED = reported(ATTEMPT, CallStatus.NO_ANSWER, is_confirmed=False)
CONFIRMED = reported(ATTEMPT, CallStatus.NO_ANSWER)


@pytest.mark.parametrize(
    ("attempt", "sid", "is_confirmed", "expected"),
    [
        pytest.param(ATTEMPT, SID, False, True, id="no call assigned yet"),
        pytest.param(GUESSED, SID, False, True, id="same call"),
        pytest.param(GUESSED, "CA9", False, False, id="another matched call"),
        pytest.param(GUESSED, "CA9", True, True, id="confirmed call replaces matched one"),
        pytest.param(CONFIRMED, SID, True, True, id="same call, confirmed"),
        pytest.param(CONFIRMED, "CA9", True, False, id="another call, but confirmed before"),
    ],
)
def test_can_claim_lets_confirmed_call_replace_matched_one(attempt, sid, is_confirmed, expected):
    assert can_claim(attempt, sid, is_confirmed=is_confirmed) is expected


def test_with_report_discards_status_of_wrongly_matched_call():
    assert reported(GUESSED, CallStatus.RINGING, sid="CA9").outcome is OPEN


def test_without_call_resets_attempt():
    assert without_call(reported(CONFIRMED, CallStatus.RINGING, 3)) == ATTEMPT


def test_with_report_keeps_confirmation_of_matched_call():
    attempt = reported(reported(GUESSED, None), CallStatus.BUSY, is_confirmed=False)
    assert (attempt.is_confirmed, attempt.outcome) == (True, REACHED)


def test_seconds_until_next_poll_for_open_attempt():
    for sid, polls in {
        "": {0: 5, 2: 3, 5: 55, 600: None},  # an unknown call is searched for soon
        SID: {-3600: 60, 0: 60, 40: 20, 60: 60, 599: 60, 600: None},  # P4.6, P4.9
    }.items():
        attempt = replace(ATTEMPT, sid=sid)
        for age, seconds in polls.items():
            now = WEDNESDAY + timedelta(seconds=age)
            assert seconds_until_next_poll(attempt, now) == seconds, (sid, age)


def test_call_deadline_is_ten_minutes_after_payment():
    assert call_deadline(WEDNESDAY) - WEDNESDAY == timedelta(minutes=10)


def test_call_reason_is_that_of_the_attempt_number():
    numbers = {reason: range(reason.first_number, reason.last_number + 1) for reason in CallReason}
    assert numbers == {CallReason.PAID: range(1, 3), CallReason.UNSEEN: range(101, 102)}
    for reason, range_ in numbers.items():
        assert {call_reason(number) for number in range_} == {reason}
