"""The audit finds each kind of loss in otherwise consistent records."""

from dataclasses import replace

import pytest

from tests.simulation.audit import audit, findings
from tests.simulation.customer_log import SUCCESS
from tests.simulation.db_rows import Job, Refund
from tests.simulation.fixtures import (
    CALL,
    CONFIRMED,
    DATABASE,
    EVIDENCE,
    GOES_BACK,
    KILLED_AT,
    LAPSED,
    MAILED_AT,
    NOON,
    VENDOR,
    customer_log,
    mail,
    ms,
    order,
    provider_order,
)
from tests.simulation.lunch_hour import Interval

UNKNOWN = "outcome unknown, not repeated"


def with_rows(**changes):
    return replace(EVIDENCE, database=replace(DATABASE, **changes))


def with_order(changed, *, instead_of=CONFIRMED):
    """Return the records with a changed order row."""
    return with_rows(
        orders=tuple(changed if each is instead_of else each for each in DATABASE.orders)
    )


def with_provider_order(changed):
    return replace(EVIDENCE, provider_orders=(changed, *EVIDENCE.provider_orders[1:]))


def with_mails(*more):
    return replace(EVIDENCE, mails=(*EVIDENCE.mails, *more))


def with_customer_log(changed):
    return replace(EVIDENCE, customer_logs=(changed, *EVIDENCE.customer_logs[1:]))


def unrung(error, **changes):
    """Return the records with a call that was given up."""
    job = Job(CONFIRMED.id, "call.vendor", "dead", error)
    jobs = tuple(job if each.topic == job.topic else each for each in DATABASE.jobs)
    return replace(EVIDENCE, database=replace(DATABASE, jobs=jobs), **({"calls": ()} | changes))


FAILED_TWICE = tuple(replace(CALL, sid=f"CA{n}", statuses=("failed",)) for n in range(2))
CLOSED = Interval("2", NOON, NOON + 600, ms(NOON), ms(NOON + 600))
A_LUNCH_ELSEWHERE = replace(provider_order(CONFIRMED), reference="AS-999", number="AS_999")

WRONG = {
    "a rupee is lost": (with_rows(refunds=()), "20 taken, ₹0 kept for it, ₹0 going back"),
    "a payment of nobody's": (
        replace(EVIDENCE, provider_orders=(*EVIDENCE.provider_orders, A_LUNCH_ELSEWHERE)),
        "₹20 for no order of ours",
    ),
    "a doubled charge that nobody marked": (
        with_provider_order(
            provider_order(CONFIRMED, payments={"payment-101": 20_00, "payment-again": 20_00})
        ),
        "₹40 taken, ₹20 kept",
    ),
    "money for an order that lapsed": (
        replace(
            EVIDENCE,
            provider_orders=(
                *EVIDENCE.provider_orders[:2],
                provider_order(LAPSED, payments={"late": 20_00}),
            ),
        ),
        "₹20 taken, ₹0 kept",
    ),
    "more marked for refund than was taken": (
        with_rows(refunds=(*DATABASE.refunds, Refund("more", CONFIRMED.id, 20_00, "", "due"))),
        "₹20 kept for it, ₹20 going back",
    ),
    "confirmed without money": (
        with_provider_order(provider_order(CONFIRMED, payments={})),
        "the provider took no such payment",
    ),
    "confirmed for a paisa": (
        with_provider_order(provider_order(CONFIRMED, payments={"payment-101": 1})),
        "the provider took no such payment",
    ),
    "confirmed by another's payment": (
        with_order(replace(CONFIRMED, provider_payment_id="payment-102")),
        "the provider took no such payment",
    ),
    "two orders on one payment": (
        with_rows(orders=(*DATABASE.orders, replace(CONFIRMED, id="order-104"))),
        "one payment confirms 2 orders",
    ),
    "confirmed though our payment waits": (
        with_order(replace(CONFIRMED, payment_state="pending")),
        "our own payment says otherwise",
    ),
    "a refund that the provider never made": (
        replace(
            EVIDENCE,
            provider_orders=(
                EVIDENCE.provider_orders[0],
                provider_order(GOES_BACK),
                EVIDENCE.provider_orders[2],
            ),
        ),
        "the provider made none",
    ),
    "a refund that nobody asked for": (
        with_provider_order(provider_order(CONFIRMED, refunds={"rf-unknown": 20_00})),
        "we know of no such refund",
    ),
    "a refund that we do not know to be done": (
        with_rows(refunds=(replace(DATABASE.refunds[0], state="asked"),)),
        "we do not know that it did",
    ),
    "more given back than taken": (
        replace(
            EVIDENCE,
            provider_orders=(
                EVIDENCE.provider_orders[0],
                provider_order(GOES_BACK, refunds={"refund-102": 40_00}),
            ),
        ),
        "more went back than was taken",
    ),
    "a total that is not its parts": (
        with_order(replace(CONFIRMED, donation_paise=10_00)),
        "the parts of the bill make ₹510",
    ),
    "due and paid are not the total": (
        with_order(replace(CONFIRMED, remaining_paise=479_99)),
        "are not the total",
    ),
    "less than nothing is due": (
        with_order(replace(CONFIRMED, remaining_paise=-20_00, grand_total_paise=0)),
        "below nothing",
    ),
    "another amount is asked for": (
        with_provider_order(provider_order(CONFIRMED, paise=65_00)),
        "asked for another amount",
    ),
    "one number for two orders": (
        with_order(replace(LAPSED, number=CONFIRMED.number), instead_of=LAPSED),
        "the number of 2 orders",
    ),
    "one key for two orders": (
        with_order(replace(LAPSED, key=CONFIRMED.key), instead_of=LAPSED),
        "the key of 2 orders",
    ),
    "an order left half way": (
        with_order(order(103, "pending", "pending"), instead_of=LAPSED),
        "pending, its payment pending",
    ),
    "no mail to the customer": (
        replace(EVIDENCE, mails=EVIDENCE.mails[1:]),
        "no mail to the customer",
    ),
    "no mail to the kitchen": (
        replace(EVIDENCE, mails=(EVIDENCE.mails[0], EVIDENCE.mails[2])),
        "no mail to the kitchen",
    ),
    "a mail twice, without a reason": (
        with_mails(mail(CONFIRMED, VENDOR, received_at=MAILED_AT + 30)),
        "a mail to the kitchen came again after 30 s",
    ),
    "a mail twice, before anything was killed": (
        with_mails(mail(CONFIRMED, VENDOR, received_at=KILLED_AT - 10)),
        "came again",
    ),
    "a mail twice, sooner than a lease ends": (
        with_mails(
            mail(CONFIRMED, VENDOR, received_at=KILLED_AT - 0.1),
            mail(CONFIRMED, VENDOR, received_at=KILLED_AT + 3),
        ),
        "came again after 3 s",
    ),
    "two mails that are not one": (
        with_mails(mail(CONFIRMED, VENDOR, message_id="<another>", received_at=KILLED_AT)),
        "2 different mails to the kitchen",
    ),
    "no mail about money that goes back": (
        replace(EVIDENCE, mails=EVIDENCE.mails[:2]),
        "no mail to the customer",
    ),
    "a kitchen cooks what nobody pays": (
        with_mails(mail(GOES_BACK, VENDOR)),
        "the kitchen was told of an order that is not honoured",
    ),
    "a mail about an order that is not paid": (
        with_mails(mail(LAPSED, LAPSED.email)),
        "a mail, and no order that is paid",
    ),
    "a mail to a stranger": (
        with_mails(mail(CONFIRMED, "stranger@students.example")),
        "a mail went to somebody else",
    ),
    "a call about an order that is not paid": (
        replace(EVIDENCE, calls=(CALL, replace(CALL, sid="CA2", token="token-103"))),
        "a call, and no order that is paid",
    ),
    "a stranger's phone": (
        replace(EVIDENCE, calls=(replace(CALL, to="+919800000999"),)),
        "another phone than the kitchen's",
    ),
    "a kitchen rung twice": (
        replace(EVIDENCE, calls=(CALL, replace(CALL, sid="CA2"))),
        "rung 2 times",
    ),
    "a call that never was": (replace(EVIDENCE, calls=()), "it was not"),
    "a call given up for no reason": (unrung("the service said no"), "did not ring"),
    "a call of an unknown end, with nothing wrong": (
        unrung(UNKNOWN, kills=()),
        "did not ring: outcome unknown",
    ),
    "a call said to have failed twice that failed once": (
        unrung("the phone could not be rung: failed", calls=FAILED_TWICE[:1]),
        "could not be rung",
    ),
    "a notice that waits for ever": (
        with_rows(jobs=(*DATABASE.jobs[1:], Job(CONFIRMED.id, "mail.customer", "leased", "x"))),
        "mail.customer still waits",
    ),
    "a mail that was given up": (
        with_rows(jobs=(*DATABASE.jobs[1:], Job(CONFIRMED.id, "mail.customer", "dead", "x"))),
        "mail.customer was given up",
    ),
    "a notice that is there twice": (
        with_rows(jobs=(*DATABASE.jobs, DATABASE.jobs[0])),
        "mail.customer is there 2 times",
    ),
    "more guests than seats": (replace(EVIDENCE, seats_per_slot=3), "4 guests on 3 seats"),
    "a table without seats": (with_rows(seats=DATABASE.seats[1:]), "its seats are not held"),
    "seats held for nobody": (
        with_rows(seats=(*DATABASE.seats[:2], replace(DATABASE.seats[2], state="firm"))),
        "by no confirmed order",
    ),
    "an order at a closed kitchen": (
        replace(EVIDENCE, closures=(CLOSED,)),
        "taken by a kitchen that was closed",
    ),
    "an order confirmed by a closed kitchen": (
        replace(EVIDENCE, closures=(replace(CLOSED, begins_ms=ms(NOON + 49.5)),)),
        "confirmed by a kitchen that was closed",
    ),
    "told of success, and never paid": (
        replace(
            EVIDENCE, customer_logs=(*EVIDENCE.customer_logs[:2], customer_log(LAPSED, SUCCESS))
        ),
        "nothing was paid",
    ),
    "told of success for money that goes back": (
        replace(
            EVIDENCE,
            customer_logs=(
                EVIDENCE.customer_logs[0],
                customer_log(GOES_BACK, SUCCESS),
                EVIDENCE.customer_logs[2],
            ),
        ),
        "the money goes back",
    ),
    "told of success before paying": (
        with_customer_log(customer_log(CONFIRMED, SUCCESS, paid_at=NOON + 57)),
        "before paying",
    ),
    "told of success, then of failure": (
        with_customer_log(customer_log(CONFIRMED, SUCCESS, "FAILED")),
        "then of FAILED",
    ),
    "told of an order that is not there": (
        with_customer_log(customer_log(CONFIRMED, key="key-999")),
        "told of an order that is not stored",
    ),
    "told another number": (
        with_customer_log(customer_log(CONFIRMED, number="AS_999")),
        "another number",
    ),
    "told another amount": (
        with_customer_log(customer_log(CONFIRMED, total_paise=501_00)),
        "other amounts",
    ),
    "another price than the menu's": (
        with_customer_log(customer_log(CONFIRMED, subtotal_paise=549_00)),
        "the menu says ₹549",
    ),
    "an order of nobody's": (
        replace(EVIDENCE, customer_logs=EVIDENCE.customer_logs[1:]),
        "nobody ordered it",
    ),
}


def test_audit_finds_nothing_when_records_agree():
    checked = audit(EVIDENCE)
    assert findings(checked) == []
    assert [each for one in checked for each in one.explained] == []
    assert all(one.checked_count for one in checked)


@pytest.mark.parametrize(("evidence", "text"), WRONG.values(), ids=WRONG)
def test_audit_finds_each_discrepancy(evidence, text):
    assert any(text in found.text for found in findings(audit(evidence)))


EXPLAINED = {
    "a mail that was taken as its sender was killed": with_mails(
        mail(CONFIRMED, VENDOR, received_at=KILLED_AT - 0.1),
        mail(CONFIRMED, VENDOR, received_at=KILLED_AT + 60),
    ),
    "a mail that came again when time was skipped": replace(
        with_mails(
            mail(CONFIRMED, VENDOR, received_at=KILLED_AT - 0.1),
            mail(CONFIRMED, VENDOR, received_at=KILLED_AT + 10),
        ),
        clock_jumps=((KILLED_AT + 5, 75.0),),
    ),
    "a call asked for as its process was killed": unrung(UNKNOWN),
    "a phone that failed twice": unrung("the phone could not be rung: failed", calls=FAILED_TWICE),
    "a call that rang, and nobody knows": unrung(UNKNOWN, calls=(CALL,)),
}


@pytest.mark.parametrize("case", EXPLAINED)
def test_audit_explains_effects_of_a_crash(case):
    evidence = EXPLAINED[case]
    if case.startswith("a mail"):  # the explained pair replaces the first mail
        evidence = replace(evidence, mails=evidence.mails[:1] + evidence.mails[2:])
    checked = audit(evidence)
    assert findings(checked) == []
    assert len([each for one in checked for each in one.explained]) == 1


def test_each_check_fails_for_at_least_one_discrepancy():
    """The negative control: every check can fail."""
    failed = {
        each.check.title
        for evidence, _words in WRONG.values()
        for each in audit(evidence)
        if each.findings
    }
    assert failed == {each.check.title for each in audit(EVIDENCE)}
