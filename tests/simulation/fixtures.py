"""Consistent example records: a confirmed table order, a refunded and an expired one."""

from dataclasses import replace

from tests.simulation.customer_log import SUCCESS, CustomerLog
from tests.simulation.db_rows import CallAttempt, DatabaseRows, Job, Order, Refund, Seats
from tests.simulation.evidence import Evidence
from tests.simulation.lunch_hour import Interval
from tests.simulation.records import Call, ProviderOrder, ReceivedMail
from tests.simulation.stack import Kill

NOON = 1_795_000_000.0
"""The start of the hour in seconds since 1970; both clocks agree."""
VENDOR, PHONE = "vendor2@kulhad.example", "+919800000102"
KILLED_AT = NOON + 100
MAILED_AT = NOON + 60


def ms(moment: float) -> int:
    return round(moment * 1000)


def order(number: int, state: str, payment_state: str, **changes) -> Order:
    """Return an order of ₹550 with a table for four: ₹20 now, ₹480 at the door."""
    is_paid = payment_state == "paid"
    right = Order(
        id=f"order-{number}",
        number=f"AS_{number}",
        key=f"http:key-{number}",
        email=f"student{number}@students.example",
        state=state,
        refund_reason="",
        restaurant_id=2,
        slot="13:00",
        party_size=4,
        subtotal_paise=550_00,
        discount_paise=55_00,
        delivery_fee_paise=0,
        convenience_fee_paise=5_00,
        donation_paise=0,
        grand_total_paise=500_00,
        online_paise=20_00,
        remaining_paise=480_00,
        created_at_ms=ms(NOON + 50),
        reference=f"AS-{number}",
        payment_state=payment_state,
        amount_paise=20_00,
        paid_paise=20_00 if is_paid else 0,
        provider_payment_id=f"payment-{number}" if is_paid else "",
        paid_at_ms=ms(NOON + 58) if is_paid else None,
    )
    return replace(right, **changes)


CONFIRMED = order(101, "confirmed", "paid")
GOES_BACK = order(102, "refund_due", "paid", refund_reason="closed")
LAPSED = order(103, "lapsed", "expired")


def provider_order(of: Order, **changes) -> ProviderOrder:
    """Return the provider's record of an order."""
    payments = {of.provider_payment_id: of.paid_paise} if of.is_paid else {}
    right = ProviderOrder(of.reference, of.number, of.amount_paise, "PAID", payments, {})
    return replace(right, **changes)


def mail(of: Order, recipient: str, **changes) -> ReceivedMail:
    """Return a received mail about an order."""
    return replace(
        ReceivedMail(f"<{of.id}-{recipient}>", recipient, of.number, MAILED_AT), **changes
    )


def customer_log(of: Order, *text: str, **changes) -> CustomerLog:
    """Return the log of an order's customer, starting a minute after noon."""
    right = CustomerLog(
        of.email,
        "pays",
        1.0,
        of.restaurant_id,
        of.subtotal_paise,
        key=of.key.removeprefix("http:"),
        number=of.number,
        online_paise=of.online_paise,
        remaining_paise=of.remaining_paise,
        total_paise=of.grand_total_paise,
        paid_at=NOON + 55 if of.is_paid else 0.0,
        observations=[(NOON + 56 + n, word) for n, word in enumerate(text)],
    )
    return replace(right, **changes)


DATABASE = DatabaseRows(
    orders=(CONFIRMED, GOES_BACK, LAPSED),
    refunds=(Refund("refund-102", GOES_BACK.id, 20_00, "closed", "done"),),
    jobs=(
        Job(CONFIRMED.id, "mail.customer", "done", ""),
        Job(CONFIRMED.id, "mail.vendor", "done", ""),
        Job(CONFIRMED.id, "call.vendor", "done", ""),
        Job(GOES_BACK.id, "mail.customer", "done", ""),
    ),
    call_attempts=(CallAttempt("token-101", CONFIRMED.id, 1, PHONE, "CA1", ms(KILLED_AT - 1)),),
    seats=(
        Seats(CONFIRMED.id, "13:00", 4, "firm"),
        Seats(GOES_BACK.id, "13:00", 4, "released"),
        Seats(LAPSED.id, "13:00", 4, "released"),
    ),
)
CALL = Call("CA1", PHONE, "token-101", ("ringing", "no-answer"))
EVIDENCE = Evidence(
    database=DATABASE,
    provider_orders=(
        provider_order(CONFIRMED),
        provider_order(GOES_BACK, refunds={"refund-102": 20_00}),
        provider_order(LAPSED, status="TERMINATED"),
    ),
    mails=(
        mail(CONFIRMED, CONFIRMED.email),
        mail(CONFIRMED, VENDOR),
        mail(GOES_BACK, GOES_BACK.email),
    ),
    calls=(CALL,),
    customer_logs=(
        customer_log(CONFIRMED, "PENDING", SUCCESS),
        customer_log(GOES_BACK, "FAILED"),
        customer_log(LAPSED, "FAILED"),
    ),
    kills=(Kill(0, KILLED_AT, KILLED_AT + 5),),
    outages=(),
    closures=(Interval("3", NOON, NOON + 600, ms(NOON), ms(NOON + 600)),),
    vendors={2: (VENDOR, PHONE), 3: ("vendor3@dosadepot.example", "+919800000103")},
)
