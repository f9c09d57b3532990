"""Refunds: ids, transitions, and comparison with the provider's answer."""

import re
import uuid
from dataclasses import replace
from decimal import Decimal
from itertools import product

import pytest

from campus_app.ordering.rules.refund import (
    OPEN,
    RefundState,
    ReportedRefund,
    can_refund_transition,
    compared_refund_state,
    refund_id,
    refund_states_before,
)

DUE, ASKED, PENDING, CONTRADICTED, DONE, FAILED = RefundState


def test_refund_id_is_alphanumeric_and_short():
    names = {refund_id(uuid.uuid4().hex, number) for number in (1, 2, 99)}
    assert len(names) == 3
    assert all(re.fullmatch(r"[A-Za-z0-9]{3,40}", name) for name in names)


def test_refund_id_is_deterministic():
    assert refund_id("0123", 1) == refund_id("0123", 1) != refund_id("0123", 2)


ALLOWED = {
    (DUE, ASKED),
    (ASKED, DUE),
    (ASKED, PENDING),
    (ASKED, DONE),
    (ASKED, FAILED),
    (ASKED, CONTRADICTED),
    (PENDING, CONTRADICTED),
    (CONTRADICTED, PENDING),
    (CONTRADICTED, DONE),
    (CONTRADICTED, FAILED),
    (PENDING, DONE),
    (PENDING, FAILED),
}


@pytest.mark.parametrize(("current", "said"), list(product(RefundState, repeat=2)))
def test_can_refund_transition_allows_transitions(current, said):
    assert can_refund_transition(current, said) == ((current, said) in ALLOWED)


@pytest.mark.parametrize("wanted", RefundState)
def test_refund_states_before_is_consistent(wanted):
    assert refund_states_before(wanted) == {before for before, after in ALLOWED if after is wanted}


def test_open_states_are_asked_pending_and_contradicted():
    assert {ASKED, PENDING, CONTRADICTED} == OPEN


# Source: specification P3.2


REPORTED = ReportedRefund(DONE, "rf1", "AS-1", Decimal("65.00"), "INR")


def reported_refund(**changes):
    return compared_refund_state(
        replace(REPORTED, **changes), refund_id="rf1", reference="AS-1", amount=Decimal("65.00")
    )


@pytest.mark.parametrize("state", [PENDING, DONE, FAILED])
def test_compared_refund_state_is_reported_one_when_figures_match(state):
    assert reported_refund(state=state) is state


@pytest.mark.parametrize(
    "change",
    [
        {"id": "rf2"},
        {"id": "RF1"},
        {"id": ""},
        {"reference": "AS-2"},
        {"reference": "as-1"},
        {"reference": ""},
        {"amount": Decimal("1.00")},
        {"amount": Decimal("65.01")},
        {"amount": None},
        {"currency": "USD"},
        {"currency": ""},
    ],
    ids=str,
)
@pytest.mark.parametrize("state", [PENDING, DONE, FAILED])
def test_compared_refund_state_is_contradicted_when_figure_differs(state, change):
    assert reported_refund(state=state, **change) is CONTRADICTED
