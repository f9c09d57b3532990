"""Small books that are sound: a confirmed order with a table, one that goes back, one that lapsed."""

from dataclasses import replace

from tests.simulation.books import Books
from tests.simulation.customer_log import SUCCESS, Told
from tests.simulation.db_rows import Job, Order, Ours, Refund, Ring, Seats
from tests.simulation.hour import Happened
from tests.simulation.records import Call, Letter, Taken
from tests.simulation.stack import Death

NOON = 1_795_000_000.0
"""The moment at which the hour begins, in seconds since 1970; both clocks read the same."""
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


def taken(of: Order, **changes) -> Taken:
    """Return the provider's page of an order."""
    payments = {of.provider_payment_id: of.paid_paise} if of.is_paid else {}
    right = Taken(of.reference, of.number, of.amount_paise, "PAID", payments, {})
    return replace(right, **changes)


def letter(of: Order, reader: str, **changes) -> Letter:
    """Return a mail about an order."""
    return replace(Letter(f"<{of.id}-{reader}>", reader, of.number, MAILED_AT), **changes)


def told(of: Order, *words: str, **changes) -> Told:
    """Return what the customer of an order was told, from a minute after noon on."""
    right = Told(
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
        said=[(NOON + 56 + n, word) for n, word in enumerate(words)],
    )
    return replace(right, **changes)


OURS = Ours(
    orders=(CONFIRMED, GOES_BACK, LAPSED),
    refunds=(Refund("refund-102", GOES_BACK.id, 20_00, "closed", "done"),),
    jobs=(
        Job(CONFIRMED.id, "mail.customer", "done", ""),
        Job(CONFIRMED.id, "mail.vendor", "done", ""),
        Job(CONFIRMED.id, "call.vendor", "done", ""),
        Job(GOES_BACK.id, "mail.customer", "done", ""),
    ),
    rings=(Ring("token-101", CONFIRMED.id, 1, PHONE, "CA1", ms(KILLED_AT - 1)),),
    seats=(
        Seats(CONFIRMED.id, "13:00", 4, "firm"),
        Seats(GOES_BACK.id, "13:00", 4, "released"),
        Seats(LAPSED.id, "13:00", 4, "released"),
    ),
)
CALL = Call("CA1", PHONE, "token-101", ("ringing", "no-answer"))
BOOKS = Books(
    ours=OURS,
    taken=(
        taken(CONFIRMED),
        taken(GOES_BACK, refunds={"refund-102": 20_00}),
        taken(LAPSED, status="TERMINATED"),
    ),
    letters=(
        letter(CONFIRMED, CONFIRMED.email),
        letter(CONFIRMED, VENDOR),
        letter(GOES_BACK, GOES_BACK.email),
    ),
    calls=(CALL,),
    told=(
        told(CONFIRMED, "PENDING", SUCCESS),
        told(GOES_BACK, "FAILED"),
        told(LAPSED, "FAILED"),
    ),
    deaths=(Death(0, KILLED_AT, KILLED_AT + 5),),
    outages=(),
    closures=(Happened("3", NOON, NOON + 600, ms(NOON), ms(NOON + 600)),),
    vendors={2: (VENDOR, PHONE), 3: ("vendor3@dosadepot.example", "+919800000103")},
)
