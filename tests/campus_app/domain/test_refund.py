"""Money that goes back: its names and its states."""

import re
import uuid
from dataclasses import replace
from decimal import Decimal
from itertools import product

import pytest

from campus_app.domain.refund import (
    OPEN,
    RefundState,
    ReportedRefund,
    can_refund_transition,
    compared_refund_state,
    refund_id,
    refund_states_before,
)

DUE, ASKED, PENDING, CONTRADICTED, DONE, FAILED = RefundState


def test_a_refunds_name_is_what_every_provider_takes():
    names = {refund_id(uuid.uuid4().hex, number) for number in (1, 2, 99)}
    assert len(names) == 3
    assert all(re.fullmatch(r"[A-Za-z0-9]{3,40}", name) for name in names)


def test_the_same_refund_has_the_same_name():
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
def test_where_a_refund_may_go(current, said):
    assert can_refund_transition(current, said) == ((current, said) in ALLOWED)


@pytest.mark.parametrize("wanted", RefundState)
def test_from_where_a_refund_may_come(wanted):
    assert refund_states_before(wanted) == {before for before, after in ALLOWED if after is wanted}


def test_what_is_open_is_what_only_the_provider_knows():
    assert {ASKED, PENDING, CONTRADICTED} == OPEN


# Source: specification P3.2


REPORTED = ReportedRefund(DONE, "rf1", "AS-1", Decimal("65.00"), "INR")


def said(**changes):
    return compared_refund_state(
        replace(REPORTED, **changes), refund_id="rf1", reference="AS-1", amount=Decimal("65.00")
    )


@pytest.mark.parametrize("state", [PENDING, DONE, FAILED])
def test_state_of_refund_is_the_reported_one_when_all_figures_agree(state):
    assert said(state=state) is state


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
def test_state_of_refund_is_contradicted_when_a_figure_differs(state, change):
    assert said(state=state, **change) is CONTRADICTED
