"""Consistent example records: a confirmed table order, a refunded and an expired one."""

from dataclasses import replace

from tools.simulation.customer_log import SUCCESS, CustomerLog
from tools.simulation.db_rows import (
    CallAttempt,
    CookingRow,
    DatabaseRows,
    DishChange,
    Job,
    KitchenPress,
    Order,
    Refund,
    Seats,
    Write,
)
from tools.simulation.evidence import Evidence
from tools.simulation.kitchen_log import Connection, DeviceLog, MadePress
from tools.simulation.lunch_hour import Interval
from tools.simulation.records import Call, ProviderOrder, ReceivedMail
from tools.simulation.stack import Kill

NOON = 1_795_000_000.0
"""The start of the hour in seconds since 1970; both clocks agree."""
VENDOR_EMAIL, VENDOR_PHONE = "vendor2@kulhad.example", "+919800000102"
KILLED_AT = NOON + 100
MAILED_AT = NOON + 60


def ms(moment: float) -> int:
    return round(moment * 1000)


def order(number: int, state: str, payment_state: str, **changes) -> Order:
    """Return an order of ₹550 with a table for four: ₹20 online, ₹480 remaining."""
    is_paid = payment_state == "paid"
    valid = Order(
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
        dishes=("202",),
        reference=f"AS-{number}",
        payment_state=payment_state,
        amount_paise=20_00,
        paid_paise=20_00 if is_paid else 0,
        provider_payment_id=f"payment-{number}" if is_paid else "",
        paid_at_ms=ms(NOON + 58) if is_paid else None,
    )
    return replace(valid, **changes)


CONFIRMED = order(101, "confirmed", "paid")
REFUND_DUE = order(102, "refund_due", "paid", refund_reason="closed")
LAPSED = order(103, "lapsed", "expired")


def provider_order(row: Order, **changes) -> ProviderOrder:
    """Return the provider's record of an order."""
    payments = {row.provider_payment_id: row.paid_paise} if row.is_paid else {}
    valid = ProviderOrder(row.reference, row.number, row.amount_paise, "PAID", payments, {})
    return replace(valid, **changes)


def mail(row: Order, recipient: str, **changes) -> ReceivedMail:
    """Return a received mail about an order."""
    return replace(
        ReceivedMail(f"<{row.id}-{recipient}>", recipient, row.number, MAILED_AT), **changes
    )


def customer_log(row: Order, *statuses: str, **changes) -> CustomerLog:
    """Return the log of an order's customer, who starts in minute 1 of the hour."""
    valid = CustomerLog(
        row.email,
        "pays",
        1.0,
        row.restaurant_id,
        row.subtotal_paise,
        key=row.key.removeprefix("http:"),
        number=row.number,
        online_paise=row.online_paise,
        remaining_paise=row.remaining_paise,
        total_paise=row.grand_total_paise,
        paid_at=NOON + 55 if row.is_paid else 0.0,
        observations=[(NOON + 56 + n, status) for n, status in enumerate(statuses)],
    )
    return replace(valid, **changes)


def made_press(number: int, saw: str, target: str) -> MadePress:
    """Return a press on the confirmed order, in second 65 of the hour and later."""
    return MadePress(f"press-{number}", CONFIRMED.id, saw, target, NOON + 65 + number)


def stored_press(made: MadePress, device_id: str, **changes) -> KitchenPress:
    """Return the row of a press, which the server received at once."""
    valid = KitchenPress(
        made.id, made.order_id, device_id, made.saw, made.target, ms(made.at), has_effect=True
    )
    return replace(valid, **changes)


def device_log(device_id: str, *presses: MadePress, **changes) -> DeviceLog:
    """Return the log of a device of restaurant 2, which shows the confirmed order."""
    valid = DeviceLog(
        restaurant_id=2,
        device_id=device_id,
        arrivals={CONFIRMED.id: NOON + 58.2},
        presses=list(presses),
        connections=[Connection(NOON, NOON + 600)],
    )
    return replace(valid, **changes)


SEEN = made_press(1, "sent", "seen")
READY = made_press(2, "seen", "ready")
UNDO = made_press(3, "ready", "seen")
STORED = (
    stored_press(SEEN, "tablet"),
    stored_press(READY, "phone"),
    stored_press(UNDO, "phone"),
)
COOKING = CookingRow(CONFIRMED.id, "seen")
DISH_CHANGES = (
    DishChange(2, "202", "dish.sold_out", NOON + 10),
    DishChange(2, "202", "dish.available", NOON + 40),
    DishChange(2, "202", "dish.sold_out", NOON + 52),
)
"""The orders, which were stored in second 50, contain this dish."""
WRITES = (
    *(
        Write("orders", each.id, "pending", 7000, NOON + 50)
        for each in (CONFIRMED, REFUND_DUE, LAPSED)
    ),
    Write("payments", "pay-101", "paid", 7001, NOON + 58, CONFIRMED.id),
    Write("orders", CONFIRMED.id, "confirmed", 7001, NOON + 58),
    Write("kitchen_presses", SEEN.id, "", 7002, NOON + 66),
    Write("cooking", CONFIRMED.id, "seen", 7002, NOON + 66),
)
DATABASE = DatabaseRows(
    orders=(CONFIRMED, REFUND_DUE, LAPSED),
    refunds=(Refund("refund-102", REFUND_DUE.id, 20_00, "closed", "done"),),
    jobs=(
        Job(CONFIRMED.id, "mail.customer", "done", ""),
        Job(CONFIRMED.id, "mail.vendor", "done", ""),
        Job(CONFIRMED.id, "call.vendor", "done", ""),
        Job(REFUND_DUE.id, "mail.customer", "done", ""),
    ),
    call_attempts=(
        CallAttempt("token-101", CONFIRMED.id, 1, VENDOR_PHONE, "CA1", ms(KILLED_AT - 1)),
    ),
    seats=(
        Seats(CONFIRMED.id, "13:00", 4, "firm"),
        Seats(REFUND_DUE.id, "13:00", 4, "released"),
        Seats(LAPSED.id, "13:00", 4, "released"),
    ),
    kitchen_presses=STORED,
    cooking=(COOKING,),
    dish_changes=DISH_CHANGES,
    writes=WRITES,
)
CALL = Call("CA1", VENDOR_PHONE, "token-101", ("ringing", "no-answer"))
EVIDENCE = Evidence(
    database=DATABASE,
    provider_orders=(
        provider_order(CONFIRMED),
        provider_order(REFUND_DUE, refunds={"refund-102": 20_00}),
        provider_order(LAPSED, status="TERMINATED"),
    ),
    mails=(
        mail(CONFIRMED, CONFIRMED.email),
        mail(CONFIRMED, VENDOR_EMAIL),
        mail(REFUND_DUE, REFUND_DUE.email),
    ),
    calls=(CALL,),
    customer_logs=(
        customer_log(CONFIRMED, "PENDING", SUCCESS),
        customer_log(REFUND_DUE, "FAILED"),
        customer_log(LAPSED, "FAILED"),
    ),
    device_logs=(device_log("tablet", SEEN), device_log("phone", READY, UNDO)),
    kills=(Kill(0, KILLED_AT, KILLED_AT + 5),),
    outages=(),
    closures=(Interval("3", NOON, NOON + 600, ms(NOON), ms(NOON + 600)),),
    vendors={2: (VENDOR_EMAIL, VENDOR_PHONE), 3: ("vendor3@dosadepot.example", "+919800000103")},
)
