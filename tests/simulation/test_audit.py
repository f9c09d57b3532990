"""The audit finds what is wrong: each kind of loss, in books that are sound but for it."""

from dataclasses import replace

import pytest

from tests.simulation.audit import audit, findings
from tests.simulation.customer_log import SUCCESS
from tests.simulation.db_rows import Job, Refund
from tests.simulation.fixtures import (
    BOOKS,
    CALL,
    CONFIRMED,
    GOES_BACK,
    KILLED_AT,
    LAPSED,
    MAILED_AT,
    NOON,
    OURS,
    VENDOR,
    letter,
    ms,
    order,
    taken,
    told,
)
from tests.simulation.hour import Happened

UNKNOWN = "outcome unknown, not repeated"


def ours(**changes):
    return replace(BOOKS, ours=replace(OURS, **changes))


def with_order(changed, *, instead_of=CONFIRMED):
    """Return the books with another row of an order, whatever the others say of it."""
    return ours(orders=tuple(changed if each is instead_of else each for each in OURS.orders))


def with_taken(changed):
    return replace(BOOKS, taken=(changed, *BOOKS.taken[1:]))


def with_letters(*more):
    return replace(BOOKS, letters=(*BOOKS.letters, *more))


def with_told(changed):
    return replace(BOOKS, told=(changed, *BOOKS.told[1:]))


def unrung(error, **changes):
    """Return the books with a call that was given up."""
    job = Job(CONFIRMED.id, "call.vendor", "dead", error)
    jobs = tuple(job if each.topic == job.topic else each for each in OURS.jobs)
    return replace(BOOKS, ours=replace(OURS, jobs=jobs), **({"calls": ()} | changes))


FAILED_TWICE = tuple(replace(CALL, sid=f"CA{n}", statuses=("failed",)) for n in range(2))
CLOSED = Happened("2", NOON, NOON + 600, ms(NOON), ms(NOON + 600))
A_LUNCH_ELSEWHERE = replace(taken(CONFIRMED), reference="AS-999", number="AS_999")

WRONG = {
    "a rupee is lost": (ours(refunds=()), "20 taken, ₹0 kept for it, ₹0 going back"),
    "a payment of nobody's": (
        replace(BOOKS, taken=(*BOOKS.taken, A_LUNCH_ELSEWHERE)),
        "₹20 for no order of ours",
    ),
    "a doubled charge that nobody marked": (
        with_taken(taken(CONFIRMED, payments={"payment-101": 20_00, "payment-again": 20_00})),
        "₹40 taken, ₹20 kept",
    ),
    "money for an order that lapsed": (
        replace(BOOKS, taken=(*BOOKS.taken[:2], taken(LAPSED, payments={"late": 20_00}))),
        "₹20 taken, ₹0 kept",
    ),
    "more marked for refund than was taken": (
        ours(refunds=(*OURS.refunds, Refund("more", CONFIRMED.id, 20_00, "", "due"))),
        "₹20 kept for it, ₹20 going back",
    ),
    "confirmed without money": (
        with_taken(taken(CONFIRMED, payments={})),
        "the provider took no such payment",
    ),
    "confirmed for a paisa": (
        with_taken(taken(CONFIRMED, payments={"payment-101": 1})),
        "the provider took no such payment",
    ),
    "confirmed by another's payment": (
        with_order(replace(CONFIRMED, provider_payment_id="payment-102")),
        "the provider took no such payment",
    ),
    "two orders on one payment": (
        ours(orders=(*OURS.orders, replace(CONFIRMED, id="order-104"))),
        "one payment confirms 2 orders",
    ),
    "confirmed though our payment waits": (
        with_order(replace(CONFIRMED, payment_state="pending")),
        "our own payment says otherwise",
    ),
    "a refund that the provider never made": (
        replace(BOOKS, taken=(BOOKS.taken[0], taken(GOES_BACK), BOOKS.taken[2])),
        "the provider made none",
    ),
    "a refund that nobody asked for": (
        with_taken(taken(CONFIRMED, refunds={"rf-unknown": 20_00})),
        "we know of no such refund",
    ),
    "a refund that we do not know to be done": (
        ours(refunds=(replace(OURS.refunds[0], state="asked"),)),
        "we do not know that it did",
    ),
    "more given back than taken": (
        replace(BOOKS, taken=(BOOKS.taken[0], taken(GOES_BACK, refunds={"refund-102": 40_00}))),
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
        with_taken(taken(CONFIRMED, paise=65_00)),
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
        replace(BOOKS, letters=BOOKS.letters[1:]),
        "no mail to the customer",
    ),
    "no mail to the kitchen": (
        replace(BOOKS, letters=(BOOKS.letters[0], BOOKS.letters[2])),
        "no mail to the kitchen",
    ),
    "a mail twice, without a reason": (
        with_letters(letter(CONFIRMED, VENDOR, taken_at=MAILED_AT + 30)),
        "a mail to the kitchen came again after 30 s",
    ),
    "a mail twice, before anything was killed": (
        with_letters(letter(CONFIRMED, VENDOR, taken_at=KILLED_AT - 10)),
        "came again",
    ),
    "a mail twice, sooner than a lease ends": (
        with_letters(
            letter(CONFIRMED, VENDOR, taken_at=KILLED_AT - 0.1),
            letter(CONFIRMED, VENDOR, taken_at=KILLED_AT + 3),
        ),
        "came again after 3 s",
    ),
    "two mails that are not one": (
        with_letters(letter(CONFIRMED, VENDOR, message_id="<another>", taken_at=KILLED_AT)),
        "2 different mails to the kitchen",
    ),
    "no mail about money that goes back": (
        replace(BOOKS, letters=BOOKS.letters[:2]),
        "no mail to the customer",
    ),
    "a kitchen cooks what nobody pays": (
        with_letters(letter(GOES_BACK, VENDOR)),
        "the kitchen was told of an order that is not honoured",
    ),
    "a mail about an order that is not paid": (
        with_letters(letter(LAPSED, LAPSED.email)),
        "a mail, and no order that is paid",
    ),
    "a mail to a stranger": (
        with_letters(letter(CONFIRMED, "stranger@students.example")),
        "a mail went to somebody else",
    ),
    "a call about an order that is not paid": (
        replace(BOOKS, calls=(CALL, replace(CALL, sid="CA2", token="token-103"))),
        "a call, and no order that is paid",
    ),
    "a stranger's phone": (
        replace(BOOKS, calls=(replace(CALL, to="+919800000999"),)),
        "another phone than the kitchen's",
    ),
    "a kitchen rung twice": (
        replace(BOOKS, calls=(CALL, replace(CALL, sid="CA2"))),
        "rung 2 times",
    ),
    "a call that never was": (replace(BOOKS, calls=()), "it was not"),
    "a call given up for no reason": (unrung("the service said no"), "did not ring"),
    "a call of an unknown end, with nothing wrong": (
        unrung(UNKNOWN, deaths=()),
        "did not ring: outcome unknown",
    ),
    "a call said to have failed twice that failed once": (
        unrung("the phone could not be rung: failed", calls=FAILED_TWICE[:1]),
        "could not be rung",
    ),
    "a notice that waits for ever": (
        ours(jobs=(*OURS.jobs[1:], Job(CONFIRMED.id, "mail.customer", "leased", "x"))),
        "mail.customer still waits",
    ),
    "a mail that was given up": (
        ours(jobs=(*OURS.jobs[1:], Job(CONFIRMED.id, "mail.customer", "dead", "x"))),
        "mail.customer was given up",
    ),
    "a notice that is there twice": (
        ours(jobs=(*OURS.jobs, OURS.jobs[0])),
        "mail.customer is there 2 times",
    ),
    "more guests than seats": (replace(BOOKS, seats_per_slot=3), "4 guests on 3 seats"),
    "a table without seats": (ours(seats=OURS.seats[1:]), "its seats are not held"),
    "seats held for nobody": (
        ours(seats=(*OURS.seats[:2], replace(OURS.seats[2], state="firm"))),
        "by no confirmed order",
    ),
    "an order at a closed kitchen": (
        replace(BOOKS, closures=(CLOSED,)),
        "taken by a kitchen that was closed",
    ),
    "an order confirmed by a closed kitchen": (
        replace(BOOKS, closures=(replace(CLOSED, begins_ms=ms(NOON + 49.5)),)),
        "confirmed by a kitchen that was closed",
    ),
    "told of success, and never paid": (
        replace(BOOKS, told=(*BOOKS.told[:2], told(LAPSED, SUCCESS))),
        "nothing was paid",
    ),
    "told of success for money that goes back": (
        replace(BOOKS, told=(BOOKS.told[0], told(GOES_BACK, SUCCESS), BOOKS.told[2])),
        "the money goes back",
    ),
    "told of success before paying": (
        with_told(told(CONFIRMED, SUCCESS, paid_at=NOON + 57)),
        "before paying",
    ),
    "told of success, then of failure": (
        with_told(told(CONFIRMED, SUCCESS, "FAILED")),
        "then of FAILED",
    ),
    "told of an order that is not there": (
        with_told(told(CONFIRMED, key="key-999")),
        "told of an order that is not stored",
    ),
    "told another number": (with_told(told(CONFIRMED, number="AS_999")), "another number"),
    "told another amount": (with_told(told(CONFIRMED, total_paise=501_00)), "other amounts"),
    "another price than the menu's": (
        with_told(told(CONFIRMED, subtotal_paise=549_00)),
        "the menu says ₹549",
    ),
    "an order of nobody's": (replace(BOOKS, told=BOOKS.told[1:]), "nobody ordered it"),
}


def test_audit_finds_nothing_when_records_agree():
    checked = audit(BOOKS)
    assert findings(checked) == []
    assert [each for one in checked for each in one.explained] == []
    assert all(one.looked_at for one in checked)


@pytest.mark.parametrize(("books", "words"), WRONG.values(), ids=WRONG)
def test_audit_finds_each_discrepancy(books, words):
    assert any(words in found.words for found in findings(audit(books)))


EXPLAINED = {
    "a mail that was taken as its sender was killed": with_letters(
        letter(CONFIRMED, VENDOR, taken_at=KILLED_AT - 0.1),
        letter(CONFIRMED, VENDOR, taken_at=KILLED_AT + 60),
    ),
    "a mail that came again when time was skipped": replace(
        with_letters(
            letter(CONFIRMED, VENDOR, taken_at=KILLED_AT - 0.1),
            letter(CONFIRMED, VENDOR, taken_at=KILLED_AT + 10),
        ),
        skipped=((KILLED_AT + 5, 75.0),),
    ),
    "a call asked for as its process was killed": unrung(UNKNOWN),
    "a phone that failed twice": unrung("the phone could not be rung: failed", calls=FAILED_TWICE),
    "a call that rang, and nobody knows": unrung(UNKNOWN, calls=(CALL,)),
}


@pytest.mark.parametrize("case", EXPLAINED)
def test_audit_explains_effects_of_a_crash(case):
    books = EXPLAINED[case]
    if case.startswith("a mail"):  # the first of three is the one before them
        books = replace(books, letters=books.letters[:1] + books.letters[2:])
    checked = audit(books)
    assert findings(checked) == []
    assert len([each for one in checked for each in one.explained]) == 1


def test_each_check_fails_for_at_least_one_discrepancy():
    """The control of the controls: none of the checks is blind."""
    failed = {
        each.check.title
        for books, _words in WRONG.values()
        for each in audit(books)
        if each.findings
    }
    assert failed == {each.check.title for each in audit(BOOKS)}
