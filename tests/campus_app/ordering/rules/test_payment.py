"""Payments: transitions, outcomes, scheduled checks, and comparison of amounts."""

from datetime import datetime, timedelta
from decimal import Decimal
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import (
    AmountMatch,
    OrderOutcome,
    PaidAttempt,
    Payment,
    PaymentState,
    PublicStatus,
    ReportedMoney,
    Snapshot,
    can_transition,
    decide_order_outcome,
    last_check,
    match_amounts,
    next_check,
    paid_snapshot,
    public_status,
    reported_state,
    states_before,
    with_recorded_amount,
)
from campus_app.shared.rules.messages import RefundReason

NOON = datetime.fromisoformat("2026-08-24T12:00:00+05:30")
PENDING, FAILED, CANCELLED = PaymentState.PENDING, PaymentState.FAILED, PaymentState.CANCELLED
EXPIRED, PAID = PaymentState.EXPIRED, PaymentState.PAID

states = st.sampled_from(PaymentState)


def payment(state=PENDING):
    return Payment(
        id="p1",
        order_id="o1",
        provider="sandbox",
        reference="r1",
        amount=Decimal("65.00"),
        state=state,
        created_at=NOON,
        expires_at=NOON + timedelta(minutes=20),
    )


def outcome_of(
    *, state=PENDING, order=OrderState.PENDING, paid="65.00", currency="INR", forced=False
):
    amount = None if paid is None else Decimal(paid)
    snapshot = Snapshot(PAID, amount, currency)
    return decide_order_outcome(payment(state), order, snapshot, is_forced_closed=forced)


ALLOWED = {
    *((PENDING, target) for target in (PAID, FAILED, CANCELLED, EXPIRED)),
    *((FAILED, target) for target in (PENDING, PAID, CANCELLED, EXPIRED)),
    *((CANCELLED, target) for target in (PENDING, PAID, FAILED, EXPIRED)),
    (EXPIRED, PAID),  # M11: paid after expiry is recorded
}


def test_can_transition_allows_transition():
    pairs = {*product(PaymentState, repeat=2)}
    assert {pair for pair in pairs if can_transition(*pair)} == ALLOWED
    assert {(now, wanted) for now, wanted in pairs if now in states_before(wanted)} == ALLOWED


@given(st.lists(states))
def test_paid_is_final_after_any_answers(heard):
    state, was_paid, was_expired = PENDING, False, False
    for wanted in heard:
        if can_transition(state, wanted):
            state = wanted
        was_paid = was_paid or wanted is PAID
        was_expired = was_expired or state is EXPIRED
        assert (state is PAID) == was_paid
        assert not was_expired or state in {EXPIRED, PAID}


def test_order_is_refunded_when_seats_are_gone():
    # Source: specification M11.
    snapshot = Snapshot(PAID, Decimal("65.00"), "INR")
    found = decide_order_outcome(
        payment(PENDING), OrderState.PENDING, snapshot, is_forced_closed=False, has_seats=False
    )
    assert found == OrderOutcome(OrderState.REFUND_DUE, RefundReason.SEATS_GONE)


def test_every_payment_state_has_public_status():
    assert {
        state.value: public_status(state, OrderState.CONFIRMED).value for state in PaymentState
    } == {
        "pending": "PENDING",
        "failed": "FAILED",
        "cancelled": "CANCELLED",
        "expired": "EXPIRED",
        "paid": "SUCCESS",
    }
    paid = {order for order in OrderState if public_status(PAID, order) is PublicStatus.SUCCESS}
    assert {*OrderState} - paid == {OrderState.REFUND_DUE}
    assert public_status(PAID, OrderState.REFUND_DUE) is PublicStatus.FAILED


def test_order_is_confirmed_when_amount_matches_in_time():
    for state, paid in product((PENDING, FAILED, CANCELLED), ("65.00", "65")):
        assert outcome_of(state=state, paid=paid) == OrderOutcome(OrderState.CONFIRMED)


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        # M10: another amount or currency; M11: paid twice, late, or at a restaurant that is closed
        ({"paid": "64.99"}, RefundReason.WRONG_AMOUNT),
        ({"paid": "65.01"}, RefundReason.WRONG_AMOUNT),
        ({"paid": "6500.00"}, RefundReason.WRONG_AMOUNT),
        ({"paid": None}, RefundReason.WRONG_AMOUNT),
        ({"currency": "USD"}, RefundReason.WRONG_AMOUNT),
        ({"currency": ""}, RefundReason.WRONG_AMOUNT),
        ({"order": OrderState.REPLACED}, RefundReason.PAID_TWICE),
        ({"order": OrderState.LAPSED}, RefundReason.PAID_LATE),
        ({"state": EXPIRED}, RefundReason.PAID_LATE),
        ({"forced": True}, RefundReason.RESTAURANT_CLOSED),
        # The first reason of this order counts.
        ({"paid": "1", "order": OrderState.REPLACED, "forced": True}, RefundReason.WRONG_AMOUNT),
        ({"order": OrderState.REPLACED, "state": EXPIRED, "forced": True}, RefundReason.PAID_TWICE),
        ({"order": OrderState.LAPSED, "forced": True}, RefundReason.PAID_LATE),
    ],
)
def test_order_is_refunded_when_it_cannot_be_honoured(case, reason):
    assert outcome_of(**case) == OrderOutcome(OrderState.REFUND_DUE, reason)


@given(
    st.sampled_from([PENDING, FAILED, CANCELLED, EXPIRED]),
    st.sampled_from([OrderState.PENDING, OrderState.REPLACED, OrderState.LAPSED]),
    st.sampled_from([None, "0.00", "64.99", "65.00", "65.01"]),
    st.sampled_from(["INR", "USD"]),
    st.booleans(),
)
def test_order_is_confirmed_only_when_all_conditions_hold(state, order, paid, currency, forced):
    found = outcome_of(state=state, order=order, paid=paid, currency=currency, forced=forced)
    is_right = (
        paid == "65.00"
        and currency == "INR"
        and order is OrderState.PENDING
        and state is not EXPIRED
        and not forced
    )
    assert (found.order_state is OrderState.CONFIRMED) == is_right
    assert (found.order_state is OrderState.REFUND_DUE) == (not is_right)
    assert (found.refund_reason is None) == is_right


def test_reported_state_is_the_providers_before_expiry():
    before = payment().expires_at - timedelta(microseconds=1)
    for said in (*PaymentState, None):
        assert reported_state(payment(), Snapshot(said), before) is said


def test_reported_state_is_expired_when_unpaid_at_expiry():
    # M11: money is recorded, however late.
    for said, late in product([*PaymentState, None], (timedelta(0), timedelta(days=2))):
        state = reported_state(payment(), Snapshot(said), payment().expires_at + late)
        assert state is (PAID if said is PAID else EXPIRED), said


@pytest.mark.parametrize(
    ("age_seconds", "wait_seconds"),
    [
        pytest.param(0, 10, id="just created"),
        pytest.param(20, 10, id="half of 20 s"),
        pytest.param(22, 11, id="half of 22 s"),
        pytest.param(60, 30, id="half of a minute"),
        pytest.param(90, 45, id="half of 90 s"),
        pytest.param(92, 45, id="at least every 45 s"),
        pytest.param(1_199, 45, id="a second before it lapses"),
        pytest.param(1_200, 300, id="lapsed after twenty minutes"),
        pytest.param(2_999, 300, id="half an hour later, less a second"),
        pytest.param(-5, 10, id="a clock that went back"),
    ],
)
def test_next_check_of_unpaid_payment(age_seconds, wait_seconds):
    now = NOON + timedelta(seconds=age_seconds)
    for state in (PENDING, FAILED, CANCELLED, EXPIRED):
        assert next_check(payment(state), now) == now + timedelta(seconds=wait_seconds)


def test_checks_end_30_minutes_after_expiry_or_when_paid_after_it():
    for state, ages in ((PENDING, (50, 51, 5_000)), (PAID, (20, 25, 40, 60))):
        for minutes in ages:
            assert next_check(payment(state), NOON + timedelta(minutes=minutes)) is None


@pytest.mark.parametrize("age_minutes", [0, 10, 19])
def test_next_check_of_paid_payment_is_after_its_attempts_end(age_minutes):
    paid_at = NOON + timedelta(minutes=age_minutes)
    assert last_check(payment(), paid_at) == NOON + timedelta(minutes=25)
    assert next_check(payment(PAID), paid_at) == NOON + timedelta(minutes=25)


def test_last_check_follows_late_payment():
    paid_at = NOON + timedelta(minutes=45)
    assert last_check(payment(), paid_at) == paid_at + timedelta(minutes=5)


@given(st.integers(0, 1_199))
def test_checks_are_within_a_minute_while_order_is_payable(age_seconds):
    now = NOON + timedelta(seconds=age_seconds)
    check = next_check(payment(), now)
    assert timedelta(seconds=10) <= check - now <= timedelta(seconds=45)


def test_checks_end():
    now, asked = NOON, 0
    while (following := next_check(payment(), now)) is not None:
        assert following > now
        now, asked = following, asked + 1
    assert asked < 50


# Amounts that match, mismatch or are unreadable. Source: specification P3.1


MATCHES, MISMATCHES, UNREADABLE = AmountMatch


def money(text):
    """Parse `65.00 INR`, `? INR`, `65.00 ?` or `? ?` into the reported money."""
    amount, currency = text.split()
    return ReportedMoney(
        None if amount == "?" else Decimal(amount), "" if currency == "?" else currency
    )


def answer(taken, *ordered):
    found = money(taken)
    return Snapshot(PAID, found.amount, found.currency, ordered=tuple(map(money, ordered)))


@pytest.mark.parametrize(
    ("taken", "ordered", "expected"),
    [
        pytest.param("65.00 INR", [], MATCHES, id="one figure, right"),
        pytest.param("65.00 INR", ["65.00 INR"], MATCHES, id="all right"),
        pytest.param("65.00 INR", ["65.00 INR", "65.00 INR"], MATCHES, id="stated twice"),
        pytest.param("67.00 INR", ["65.00 INR"], MATCHES, id="a surcharge on top"),
        pytest.param("67.00 INR", [], MISMATCHES, id="more, and no amount of the order"),
        pytest.param("64.99 INR", ["65.00 INR"], MISMATCHES, id="a paisa less was taken"),
        pytest.param("65.00 INR", ["66.00 INR"], MISMATCHES, id="the order costs more"),
        pytest.param("65.00 INR", ["64.00 INR"], MISMATCHES, id="the order costs less"),
        pytest.param("65.00 INR", ["? INR"], MISMATCHES, id="no amount of the order"),
        pytest.param("65.00 INR", ["65.00 USD"], MISMATCHES, id="the order is in dollars"),
        pytest.param("65.00 INR", ["65.00 ?"], MISMATCHES, id="no currency of the order"),
        pytest.param("65.00 INR", ["? ?"], MISMATCHES, id="no figures of the order"),
        pytest.param("65.00 INR", ["65.00 INR", "66.00 INR"], MISMATCHES, id="stated in two ways"),
        pytest.param("65.00 USD", ["65.00 INR"], MISMATCHES, id="dollars were taken"),
        pytest.param("? USD", [], MISMATCHES, id="some dollars were taken"),
        pytest.param("64.00 ?", ["65.00 INR"], MISMATCHES, id="too little of another currency"),
        pytest.param("? ?", ["66.00 INR"], MISMATCHES, id="another order, and nothing more"),
        pytest.param("? INR", ["65.00 USD"], MISMATCHES, id="another currency, and nothing more"),
        pytest.param("? ?", [], UNREADABLE, id="both unknown"),
        pytest.param("? INR", [], UNREADABLE, id="INR, unknown amount"),
        pytest.param("65.00 ?", ["65.00 INR"], UNREADABLE, id="amount, unknown currency"),
        pytest.param("? ?", ["65.00 INR"], UNREADABLE, id="the order alone"),
        pytest.param("? ?", ["? ?"], UNREADABLE, id="no amounts at all"),
        pytest.param("? INR", ["? INR"], UNREADABLE, id="only the currency"),
    ],
)
def test_match_amounts_compares_answer_with_order(taken, ordered, expected):
    snapshot = answer(taken, *ordered)
    assert match_amounts(payment(), snapshot) is expected
    confirmed = decide_order_outcome(
        payment(), OrderState.PENDING, snapshot, is_forced_closed=False
    )
    assert (confirmed.order_state is OrderState.CONFIRMED) == (expected is MATCHES)


figures = st.builds(
    ReportedMoney,
    st.sampled_from([None, *map(Decimal, ("0.01", "64.99", "65.00", "65.01", "66.00", "6500.00"))]),
    st.sampled_from(["", "INR", "USD"]),
)


@given(figures, st.lists(figures, max_size=3))
def test_match_amounts_requires_every_amount_readable_and_equal(taken, ordered):
    snapshot = Snapshot(PAID, taken.amount, taken.currency, ordered=tuple(ordered))
    found = match_amounts(payment(), snapshot)
    due = ReportedMoney(Decimal("65.00"), "INR")
    has_right_order = all(each == due for each in ordered)
    is_surcharged = bool(ordered) and taken.is_readable and taken.amount > due.amount
    is_right = has_right_order and taken.currency == "INR"
    assert (found is MATCHES) == (is_right and (taken == due or is_surcharged))
    if found is UNREADABLE:
        assert not taken.is_readable
        assert not any(each.contradicts(due.amount) for each in (taken, *ordered))


@pytest.mark.parametrize(
    ("snapshot", "paid"),
    [
        pytest.param(answer("65.00 INR"), "65.00", id="as requested"),
        pytest.param(answer("67.00 INR", "65.00 INR"), "65.00", id="without its surcharge"),
        pytest.param(answer("60.00 INR", "65.00 INR"), "60.00", id="what was taken"),
        pytest.param(answer("60.00 USD"), "60.00", id="dollars are kept as they came"),
        pytest.param(answer("60.00 ?", "65.00 INR"), None, id="a sum without a currency is none"),
    ],
)
def test_with_recorded_amount_returns_refundable_amount(snapshot, paid):
    assert with_recorded_amount(payment(), snapshot).paid == (
        None if paid is None else Decimal(paid)
    )


def attempt(id_="1", taken="65.00 INR", reference="r1"):
    return PaidAttempt(id_, reference, money(taken))


@pytest.mark.parametrize(
    ("attempts", "paid", "surplus", "has_unread"),
    [
        ([], None, "0", False),
        ([attempt()], "65.00", "0", False),
        ([attempt(), attempt()], "65.00", "0", False),  # one that is listed twice
        ([attempt(), attempt("2")], "65.00", "65.00", False),
        ([attempt(), attempt("2", "5.00 INR"), attempt("3")], "65.00", "70.00", False),
        ([attempt("1", "1.00 INR"), attempt("2")], "1.00", "65.00", False),
        ([attempt(), attempt("2", "? INR")], "65.00", "0", True),
        ([attempt(), attempt("2", "9.00 USD")], "65.00", "0", True),
        ([attempt(""), attempt("")], "65.00", "65.00", False),
        ([attempt(), attempt("1", "9.00 INR")], None, "0", False),  # one id, two sums
        ([attempt(reference="r2")], None, "0", False),  # another order's
        ([attempt(reference="R1")], None, "0", False),
        ([attempt(reference="")], None, "0", False),
        ([attempt(), attempt("2", reference="r2")], None, "0", False),
    ],
)
def test_paid_snapshot_counts_each_attempt_once(attempts, paid, surplus, has_unread):
    found = paid_snapshot("r1", [money("65.00 INR")], attempts)
    assert found.paid == (None if paid is None else Decimal(paid))
    assert (found.surplus, found.has_unread_surplus) == (Decimal(surplus), has_unread)
