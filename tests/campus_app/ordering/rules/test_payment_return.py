"""The return from the payment page: the step after every answer and error."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.ordering.rules.payment import PublicStatus
from campus_app.ordering.rules.payment_return import (
    ReturnAction,
    ReturnProgress,
    ReturnStep,
    after_answer,
    after_error,
    return_home,
)
from campus_app.shared.rules.messages import PaymentMessage

CHECKING = "Verifying your payment..."
KEPT = "Nothing was taken and your cart is kept."
ERROR = None

waiting = st.sampled_from([ERROR, ("PENDING", False), ("PENDING", True), ("SUCCESS", False)])
anything = st.one_of(
    st.none(), st.tuples(st.sampled_from([status.value for status in PublicStatus]), st.booleans())
)


def after(progress, answers):
    if answers is ERROR:
        return after_error(progress)
    status, is_processed = answers
    return after_answer(progress, PublicStatus(status), is_processed=is_processed)


def walk(answers):
    """Return the steps up to the one that ends the waiting."""
    progress, steps = ReturnProgress(), []
    for each in answers:
        steps.append(after(progress, each))
        progress = steps[-1].progress
        if steps[-1].action is not ReturnAction.WAIT:
            break
    return steps


@pytest.mark.parametrize(
    ("status", "is_processed", "action", "seconds", "message"),
    [
        pytest.param("SUCCESS", True, "confirm", 0, CHECKING, id="4.17: SUCCESS and processed"),
        pytest.param("SUCCESS", False, "wait", 1, CHECKING, id="4.19: not yet processed"),
        pytest.param("PENDING", False, "wait", 1, CHECKING, id="4.19: any other, keep waiting"),
        pytest.param("PENDING", True, "wait", 1, CHECKING, id="4.19: processed but not SUCCESS"),
        ("NOT_FOUND", False, "home", 3, "Order not found. Redirecting..."),  # 4.18
        ("FAILED", False, "payment_failed", 0, f"The payment was declined. {KEPT}"),  # S3
        ("CANCELLED", False, "payment_failed", 0, f"The payment was cancelled. {KEPT}"),
        ("EXPIRED", False, "payment_failed", 0, f"The time to pay ran out. {KEPT}"),
    ],
)
def test_after_answer_returns_step_for_each_status(status, is_processed, action, seconds, message):
    step = after(ReturnProgress(3, 2), (status, is_processed))
    assert step == ReturnStep(ReturnAction(action), seconds, message, ReturnProgress(4, 2))


def test_after_answer_needs_verification_at_30th_pending_answer():
    steps = walk([("PENDING", False)] * 40)
    assert len(steps) == 30
    assert all((step.action, step.seconds) == (ReturnAction.WAIT, 1) for step in steps[:-1])
    assert steps[-1] == ReturnStep(
        ReturnAction.NEEDS_VERIFICATION,
        3,
        "Payment verification taking longer than expected. Redirecting...",
        ReturnProgress(30, 0),
    )


@pytest.mark.parametrize(
    ("answers", "action"),
    [
        pytest.param(("SUCCESS", True), "confirm", id="paid at last"),
        pytest.param(("FAILED", True), "payment_failed", id="declined at last"),
        pytest.param(("NOT_FOUND", False), "home", id="unknown at last"),
        pytest.param(("SUCCESS", False), "needs_verification", id="paid but not processed"),
    ],
)
def test_after_answer_ends_at_30th_answer(answers, action):
    assert after(ReturnProgress(29, 29), answers).action is ReturnAction(action)


def test_after_error_fails_verification_after_30_retries():
    steps = walk([ERROR] * 40)
    assert len(steps) == 31
    assert steps[-1] == ReturnStep(
        ReturnAction.HAS_ERROR,
        3,
        "Payment verification failed. Redirecting...",
        ReturnProgress(0, 31),
    )


@pytest.mark.parametrize(
    ("errors", "message"),
    [
        pytest.param(0, "Retrying payment verification... (1/30)", id="8.15: the first retry"),
        pytest.param(1, "Retrying payment verification... (2/30)", id="8.15: the second"),
        pytest.param(29, "Retrying payment verification... (30/30)", id="8.15: the last"),
    ],
)
def test_after_error_waits_2_s_and_counts_attempts(errors, message):
    step = after_error(ReturnProgress(5, errors))
    assert step == ReturnStep(ReturnAction.WAIT, 2, message, ReturnProgress(5, errors + 1))


@pytest.mark.parametrize(
    ("reason", "progress", "message"),
    [
        (PaymentMessage.ORDER_ID_MISSING, (), "Order ID not found. Redirecting..."),
        (
            PaymentMessage.PROCESSING_ERROR,
            (ReturnProgress(5, 1),),
            "Error processing payment response. Redirecting...",
        ),
    ],
)
def test_return_home_redirects_after_3_s_and_keeps_progress(reason, progress, message):
    (kept,) = progress or (ReturnProgress(),)
    assert return_home(reason, *progress) == ReturnStep(ReturnAction.HOME, 3, message, kept)


@given(st.lists(waiting, min_size=61, max_size=61))
def test_waiting_ends_within_30_answers_and_30_errors(answers):
    last = walk(answers)[-1]
    if last.action is ReturnAction.NEEDS_VERIFICATION:
        assert last.progress.attempts == 30
        assert last.progress.errors <= 30
    else:
        assert last.action is ReturnAction.HAS_ERROR
        assert last.progress.errors == 31
        assert last.progress.attempts < 30


@given(st.lists(anything, min_size=61, max_size=61))
def test_return_ends_after_any_answers_and_errors(answers):
    steps = walk(answers)
    ending, before = steps[-1], steps[:-1]
    assert ending.action is not ReturnAction.WAIT
    assert ending.progress.attempts + ending.progress.errors == len(steps)
    assert ending.progress.attempts <= 30
    assert ending.progress.errors <= 31
    assert all(step.seconds in {1, 2} for step in before)
    is_confirmed = ending.action is ReturnAction.CONFIRM
    assert is_confirmed == (answers[len(steps) - 1] == ("SUCCESS", True))
    # Source: specification S16.
    assert all("Redirecting" not in step.message or step.seconds >= 2.5 for step in steps)
