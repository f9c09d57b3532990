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


def test_refund_id_is_alphanumeric_short_and_deterministic():
    names = [refund_id(each, number) for each in ("0123", uuid.uuid4().hex) for number in (1, 99)]
    assert len(set(names)) == 4
    assert all(re.fullmatch(r"[A-Za-z0-9]{3,40}", name) for name in names)
    assert refund_id("0123", 1) == names[0]


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


def test_refund_transitions_are_those_allowed():
    pairs = {*product(RefundState, repeat=2)}
    assert {pair for pair in pairs if can_refund_transition(*pair)} == ALLOWED
    assert {(now, to) for now, to in pairs if now in refund_states_before(to)} == ALLOWED


def test_open_states_are_asked_pending_and_contradicted():
    assert {ASKED, PENDING, CONTRADICTED} == OPEN


# Source: specification P3.2


REPORTED = ReportedRefund(DONE, "rf1", "AS-1", Decimal("65.00"), "INR")


def reported_refund(**changes):
    return compared_refund_state(
        replace(REPORTED, **changes), refund_id="rf1", reference="AS-1", amount=Decimal("65.00")
    )


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
def test_compared_refund_state_is_contradicted_when_figure_differs(change):
    for state in (PENDING, DONE, FAILED):
        assert reported_refund(state=state) is state
        assert reported_refund(state=state, **change) is CONTRADICTED
