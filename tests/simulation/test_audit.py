"""The audit finds each kind of discrepancy in otherwise consistent records."""

from dataclasses import replace

import pytest

from tests.simulation.fixtures import (
    CALL,
    CONFIRMED,
    COOKING,
    DATABASE,
    EVIDENCE,
    KILLED_AT,
    LAPSED,
    MAILED_AT,
    NOON,
    REFUND_DUE,
    SEEN,
    STORED,
    UNDO,
    VENDOR_EMAIL,
    WRITES,
    customer_log,
    device_log,
    mail,
    ms,
    order,
    provider_order,
    stored_press,
)
from tools.simulation.audit import audit, findings
from tools.simulation.customer_log import SUCCESS
from tools.simulation.db_rows import Job, Refund, Write
from tools.simulation.kitchen_log import Connection
from tools.simulation.lunch_hour import Interval

OUTCOME_UNKNOWN = "outcome unknown, not repeated"


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


def with_devices(*logs):
    return replace(EVIDENCE, device_logs=logs)


def with_tablet(**changes):
    """Return the records with a changed log of the first device."""
    return with_devices(device_log("tablet", SEEN, **changes), EVIDENCE.device_logs[1])


def with_storing_at(second):
    """Return the records with the confirmed order stored in this second of the hour."""
    return with_rows(writes=(replace(WRITES[0], at=NOON + second), *WRITES[1:]))


def with_failed_call(error, **changes):
    """Return the records with a call job that failed with this error."""
    job = Job(CONFIRMED.id, "call.vendor", "dead", error)
    jobs = tuple(job if each.topic == job.topic else each for each in DATABASE.jobs)
    return replace(EVIDENCE, database=replace(DATABASE, jobs=jobs), **({"calls": ()} | changes))


FAILED_TWICE = tuple(replace(CALL, sid=f"CA{n}", statuses=("failed",)) for n in range(2))
CLOSED = Interval("2", NOON, NOON + 600, ms(NOON), ms(NOON + 600))
DEVICES_IN_TIME = [device_log(f"tablet {number}") for number in range(16)]
LATE_DEVICE = device_log("late tablet", arrivals={CONFIRMED.id: NOON + 59.5})
UNKNOWN_ORDER = replace(provider_order(CONFIRMED), reference="AS-999", number="AS_999")

DISCREPANCIES = {
    "captured money without order or refund": (
        with_rows(refunds=()),
        "20 captured, ₹0 for the order, ₹0 refunded",
    ),
    "a payment for an unknown order": (
        replace(EVIDENCE, provider_orders=(*EVIDENCE.provider_orders, UNKNOWN_ORDER)),
        "₹20 captured for an unknown order",
    ),
    "a second payment without a refund": (
        with_provider_order(
            provider_order(CONFIRMED, payments={"payment-101": 20_00, "payment-again": 20_00})
        ),
        "₹40 captured, ₹20 for the order",
    ),
    "money for a lapsed order": (
        replace(
            EVIDENCE,
            provider_orders=(
                *EVIDENCE.provider_orders[:2],
                provider_order(LAPSED, payments={"late": 20_00}),
            ),
        ),
        "₹20 captured, ₹0 for the order",
    ),
    "a refund of more than was captured": (
        with_rows(refunds=(*DATABASE.refunds, Refund("more", CONFIRMED.id, 20_00, "", "due"))),
        "₹20 for the order, ₹20 refunded",
    ),
    "confirmed without a payment": (
        with_provider_order(provider_order(CONFIRMED, payments={})),
        "the provider captured no such payment",
    ),
    "confirmed for one paisa": (
        with_provider_order(provider_order(CONFIRMED, payments={"payment-101": 1})),
        "the provider captured no such payment",
    ),
    "confirmed by another order's payment": (
        with_order(replace(CONFIRMED, provider_payment_id="payment-102")),
        "the provider captured no such payment",
    ),
    "two orders with one payment": (
        with_rows(orders=(*DATABASE.orders, replace(CONFIRMED, id="order-104"))),
        "one payment confirms 2 orders",
    ),
    "confirmed with a pending payment": (
        with_order(replace(CONFIRMED, payment_state="pending")),
        "the stored payment does not match",
    ),
    "a completed refund that the provider did not make": (
        replace(
            EVIDENCE,
            provider_orders=(
                EVIDENCE.provider_orders[0],
                provider_order(REFUND_DUE),
                EVIDENCE.provider_orders[2],
            ),
        ),
        "was not made by the provider",
    ),
    "an unrequested refund": (
        with_provider_order(provider_order(CONFIRMED, refunds={"rf-unknown": 20_00})),
        "the refund is not stored",
    ),
    "a completed refund that is stored as open": (
        with_rows(refunds=(replace(DATABASE.refunds[0], state="asked"),)),
        "the refund is stored as open",
    ),
    "more refunded than captured": (
        replace(
            EVIDENCE,
            provider_orders=(
                EVIDENCE.provider_orders[0],
                provider_order(REFUND_DUE, refunds={"refund-102": 40_00}),
            ),
        ),
        "more was refunded than captured",
    ),
    "a total that is not the sum of its parts": (
        with_order(replace(CONFIRMED, donation_paise=10_00)),
        "the parts of the bill add up to ₹510",
    ),
    "online and remaining amounts that are not the total": (
        with_order(replace(CONFIRMED, remaining_paise=479_99)),
        "do not add up to the total",
    ),
    "a negative remaining amount": (
        with_order(replace(CONFIRMED, remaining_paise=-20_00, grand_total_paise=0)),
        "is negative",
    ),
    "another amount at the provider": (
        with_provider_order(provider_order(CONFIRMED, paise=65_00)),
        "requested ₹65, another amount",
    ),
    "one number for two orders": (
        with_order(replace(LAPSED, number=CONFIRMED.number), instead_of=LAPSED),
        "the number of 2 orders",
    ),
    "one key for two orders": (
        with_order(replace(LAPSED, key=CONFIRMED.key), instead_of=LAPSED),
        "the key of 2 orders",
    ),
    "an order that is not in a final state": (
        with_order(order(103, "pending", "pending"), instead_of=LAPSED),
        "pending, its payment pending",
    ),
    "no mail to the customer": (
        replace(EVIDENCE, mails=EVIDENCE.mails[1:]),
        "no mail to the customer",
    ),
    "no mail to the restaurant": (
        replace(EVIDENCE, mails=(EVIDENCE.mails[0], EVIDENCE.mails[2])),
        "no mail to the restaurant",
    ),
    "a duplicate mail without a reason": (
        with_mails(mail(CONFIRMED, VENDOR_EMAIL, received_at=MAILED_AT + 30)),
        "duplicate mail to the restaurant after 30 s",
    ),
    "a duplicate mail before the first kill": (
        with_mails(mail(CONFIRMED, VENDOR_EMAIL, received_at=KILLED_AT - 10)),
        "duplicate mail",
    ),
    "a duplicate mail before a lease ends": (
        with_mails(
            mail(CONFIRMED, VENDOR_EMAIL, received_at=KILLED_AT - 0.1),
            mail(CONFIRMED, VENDOR_EMAIL, received_at=KILLED_AT + 3),
        ),
        "duplicate mail to the restaurant after 3 s",
    ),
    "two mails with different Message-IDs": (
        with_mails(mail(CONFIRMED, VENDOR_EMAIL, message_id="<another>", received_at=KILLED_AT)),
        "2 different mails to the restaurant",
    ),
    "no mail about a refund": (
        replace(EVIDENCE, mails=EVIDENCE.mails[:2]),
        "no mail to the customer",
    ),
    "a mail to the restaurant about a refunded order": (
        with_mails(mail(REFUND_DUE, VENDOR_EMAIL)),
        "the restaurant was notified of a refunded order",
    ),
    "a mail about an unpaid order": (
        with_mails(mail(LAPSED, LAPSED.email)),
        "a mail without a paid order",
    ),
    "a mail to another recipient": (
        with_mails(mail(CONFIRMED, "other@students.example")),
        "a mail to another recipient",
    ),
    "a call about an unpaid order": (
        replace(EVIDENCE, calls=(CALL, replace(CALL, sid="CA2", token="token-103"))),
        "a call without a paid order",
    ),
    "a call to another phone": (
        replace(EVIDENCE, calls=(replace(CALL, to="+919800000999"),)),
        "another phone than the restaurant's",
    ),
    "two ringing calls": (
        replace(EVIDENCE, calls=(CALL, replace(CALL, sid="CA2"))),
        "2 calls rang",
    ),
    "a completed job without a call": (
        replace(EVIDENCE, calls=()),
        "the job is done, and no call rang",
    ),
    "a call that failed without a reason": (
        with_failed_call("rejected by the service"),
        "no call rang: rejected",
    ),
    "a call of unknown outcome without a crash": (
        with_failed_call(OUTCOME_UNKNOWN, kills=()),
        "no call rang: outcome unknown",
    ),
    "a job that reports two failed calls after one": (
        with_failed_call("the phone could not be rung: failed", calls=FAILED_TWICE[:1]),
        "no call rang: the phone could not be rung",
    ),
    "an open job": (
        with_rows(jobs=(*DATABASE.jobs[1:], Job(CONFIRMED.id, "mail.customer", "leased", "x"))),
        "mail.customer is open",
    ),
    "a mail that was given up": (
        with_rows(jobs=(*DATABASE.jobs[1:], Job(CONFIRMED.id, "mail.customer", "dead", "x"))),
        "mail.customer was given up",
    ),
    "a job that is stored twice": (
        with_rows(jobs=(*DATABASE.jobs, DATABASE.jobs[0])),
        "mail.customer is stored 2 times",
    ),
    "a job of a press on 'Ready' that nobody made": (
        with_rows(jobs=(*DATABASE.jobs, *2 * (Job(CONFIRMED.id, "push.ready_press", "done", ""),))),
        "push.ready_press is stored 2 times",
    ),
    "more guests than seats": (replace(EVIDENCE, seats_per_slot=3), "4 guests for 3 seats"),
    "a confirmed table without held seats": (
        with_rows(seats=DATABASE.seats[1:]),
        "confirmed with a table, without held seats",
    ),
    "held seats without a confirmed order": (
        with_rows(seats=(*DATABASE.seats[:2], replace(DATABASE.seats[2], state="firm"))),
        "seats are held without a confirmed order",
    ),
    "an order accepted by a closed restaurant": (
        replace(EVIDENCE, closures=(CLOSED,)),
        "accepted by a closed restaurant",
    ),
    "an order confirmed by a closed restaurant": (
        replace(EVIDENCE, closures=(replace(CLOSED, begins_ms=ms(NOON + 49.5)),)),
        "confirmed by a closed restaurant",
    ),
    "SUCCESS without a payment": (
        replace(
            EVIDENCE, customer_logs=(*EVIDENCE.customer_logs[:2], customer_log(LAPSED, SUCCESS))
        ),
        "nothing was paid",
    ),
    "SUCCESS for an order with a due refund": (
        replace(
            EVIDENCE,
            customer_logs=(
                EVIDENCE.customer_logs[0],
                customer_log(REFUND_DUE, SUCCESS),
                EVIDENCE.customer_logs[2],
            ),
        ),
        "a refund is due",
    ),
    "SUCCESS before the payment": (
        with_customer_log(customer_log(CONFIRMED, SUCCESS, paid_at=NOON + 57)),
        "before the payment",
    ),
    "SUCCESS, then FAILED": (
        with_customer_log(customer_log(CONFIRMED, SUCCESS, "FAILED")),
        "then FAILED",
    ),
    "a shown order that is not stored": (
        with_customer_log(customer_log(CONFIRMED, key="key-999")),
        "the shown order is not stored",
    ),
    "a shown number that is not stored": (
        with_customer_log(customer_log(CONFIRMED, number="AS_999")),
        "the shown number is not AS_101",
    ),
    "a shown amount that is not stored": (
        with_customer_log(customer_log(CONFIRMED, total_paise=501_00)),
        "the shown amounts are not the stored ones",
    ),
    "a subtotal that is not the menu's": (
        with_customer_log(customer_log(CONFIRMED, subtotal_paise=549_00)),
        "the subtotal by the menu is ₹549",
    ),
    "an order without a customer": (
        replace(EVIDENCE, customer_logs=EVIDENCE.customer_logs[1:]),
        "no customer placed it",
    ),
    "a confirmed order that one device never shows": (
        with_tablet(arrivals={}),
        "never shown on device tablet",
    ),
    "a kitchen without devices": (
        with_devices(),
        "its kitchen has no device",
    ),
    "an order on a device of another kitchen": (
        with_devices(*EVIDENCE.device_logs, device_log("other", restaurant_id=3)),
        "shown on a device of another kitchen",
    ),
    "an unpaid order on a device": (
        with_tablet(arrivals={CONFIRMED.id: NOON + 58.2, LAPSED.id: NOON + 60}),
        "shown on a device, and not confirmed",
    ),
    "a shown order that the database does not have": (
        with_tablet(arrivals={CONFIRMED.id: NOON + 58.2, "order-999": NOON + 60}),
        "shown on device tablet, and not stored",
    ),
    "a lost press": (
        with_rows(kitchen_presses=STORED[1:]),
        "a press of seen is not stored",
    ),
    "a press that is stored twice": (
        with_rows(kitchen_presses=(*STORED, STORED[0])),
        "a press is stored 2 times",
    ),
    "a press of another device": (
        with_rows(kitchen_presses=(stored_press(SEEN, "phone"), *STORED[1:])),
        "a press is stored with other values",
    ),
    "a press with another target": (
        with_rows(kitchen_presses=(replace(STORED[0], target="ready"), *STORED[1:])),
        "a press is stored with other values",
    ),
    "a press that no cook has made": (
        with_devices(device_log("tablet"), EVIDENCE.device_logs[1]),
        "a press is stored that no cook has made",
    ),
    "two presses of a device in another sequence": (
        with_rows(
            kitchen_presses=(*STORED[:2], replace(STORED[2], at_ms=STORED[1].at_ms - 1)),
        ),
        "two presses of a device are stored in another sequence",
    ),
    "a state that the presses do not imply": (
        with_rows(cooking=(replace(COOKING, state="ready"),)),
        "ready, its presses imply seen",
    ),
    "an undo that is stored before the press that it undoes": (
        with_rows(
            kitchen_presses=(
                STORED[0],
                replace(STORED[1], at_ms=STORED[2].at_ms),
                replace(STORED[2], at_ms=STORED[1].at_ms),
            )
        ),
        "seen, its presses imply ready",
    ),
    "a press without a state": (
        with_rows(cooking=()),
        "not stored, its presses imply seen",
    ),
    "a press that is stored without its effect": (
        with_rows(kitchen_presses=(replace(STORED[0], has_effect=False), *STORED[1:])),
        "a press of seen is stored with another effect",
    ),
    "an order with a dish that is sold out": (
        with_storing_at(54),
        "accepted with dish 202, which was sold out",
    ),
    "an order with a dish that came back later": (
        with_storing_at(39.9),
        "accepted with dish 202, which was sold out",
    ),
    "a press that changes a payment": (
        with_rows(writes=(*WRITES, Write("payments", "pay-101", "paid", 7002, NOON + 66))),
        "a press changed a row of payments",
    ),
    "a press that changes an order": (
        with_rows(writes=(*WRITES, Write("orders", CONFIRMED.id, "confirmed", 7002, NOON + 66))),
        "a press changed a row of orders",
    ),
    "an order that arrives late on two of twenty devices": (
        with_devices(*EVIDENCE.device_logs, *DEVICES_IN_TIME, LATE_DEVICE, LATE_DEVICE),
        "the 95th percentile of 20 arrivals is 1.50 s",
    ),
}


def test_audit_finds_nothing_when_records_agree():
    results = audit(EVIDENCE)
    assert findings(results) == []
    assert [each for result in results for each in result.explained] == []
    assert all(result.checked_count for result in results)


@pytest.mark.parametrize(("evidence", "text"), DISCREPANCIES.values(), ids=DISCREPANCIES)
def test_audit_finds_each_discrepancy(evidence, text):
    assert any(text in found.text for found in findings(audit(evidence)))


UNEVENTFUL = {
    "an order accepted just after its dish sold out": with_storing_at(52.4),
    "a late arrival while a process was killed": replace(
        with_devices(*EVIDENCE.device_logs, *DEVICES_IN_TIME, LATE_DEVICE, LATE_DEVICE),
        kills=(*EVIDENCE.kills, replace(EVIDENCE.kills[0], at=NOON + 59, restarted_at=NOON + 61)),
    ),
    "late arrivals after the lines were cut": with_devices(
        *EVIDENCE.device_logs,
        *DEVICES_IN_TIME,
        *(
            device_log(
                f"cut tablet {number}",
                arrivals={CONFIRMED.id: NOON + 70},
                connections=[Connection(NOON, NOON + 58.1), Connection(NOON + 70, NOON + 600)],
            )
            for number in range(20)
        ),
    ),
    "a late arrival on one of twenty devices": with_devices(
        *EVIDENCE.device_logs, *DEVICES_IN_TIME, device_log("in time"), LATE_DEVICE
    ),
    "an undo after the minute": with_rows(
        kitchen_presses=(
            *STORED[:2],
            stored_press(UNDO, "phone", at_ms=STORED[1].at_ms + 61_000, has_effect=False),
        ),
        cooking=(replace(COOKING, state="ready"),),
    ),
}


@pytest.mark.parametrize("evidence", UNEVENTFUL.values(), ids=UNEVENTFUL)
def test_audit_finds_nothing_in_allowed_records(evidence):
    assert findings(audit(evidence)) == []


EXPLAINED = {
    "a duplicate mail after its sender was killed": with_mails(
        mail(CONFIRMED, VENDOR_EMAIL, received_at=KILLED_AT - 0.1),
        mail(CONFIRMED, VENDOR_EMAIL, received_at=KILLED_AT + 60),
    ),
    "a duplicate mail after a clock jump": replace(
        with_mails(
            mail(CONFIRMED, VENDOR_EMAIL, received_at=KILLED_AT - 0.1),
            mail(CONFIRMED, VENDOR_EMAIL, received_at=KILLED_AT + 10),
        ),
        clock_jumps=((KILLED_AT + 5, 75.0),),
    ),
    "a missing call whose process was killed": with_failed_call(OUTCOME_UNKNOWN),
    "two failed calls": with_failed_call("the phone could not be rung: failed", calls=FAILED_TWICE),
    "a ringing call of unknown outcome": with_failed_call(OUTCOME_UNKNOWN, calls=(CALL,)),
}


@pytest.mark.parametrize("case", EXPLAINED)
def test_audit_explains_effects_of_a_crash(case):
    evidence = EXPLAINED[case]
    if case.startswith("a duplicate mail"):  # the explained pair replaces the first mail
        evidence = replace(evidence, mails=evidence.mails[:1] + evidence.mails[2:])
    results = audit(evidence)
    assert findings(results) == []
    assert len([each for result in results for each in result.explained]) == 1


def test_each_check_fails_for_at_least_one_discrepancy():
    """The negative control: every check can fail."""
    failed = {
        each.check.title
        for evidence, _text in DISCREPANCIES.values()
        for each in audit(evidence)
        if each.findings
    }
    assert failed == {each.check.title for each in audit(EVIDENCE)}
