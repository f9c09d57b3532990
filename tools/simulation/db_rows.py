"""The rows of our tables, without any sums of the product."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SOLD_OUT = "dish.sold_out"
"""The action of an audit entry."""

Rows = Callable[[str], list[dict[str, Any]]]

_ORDERS = """
    select o.id, o.number, o.idempotency_key as key, o.email, o.state, o.refund_reason,
        o.restaurant_id, o.reserved_slot as slot, coalesce(o.party_size, 0) as party_size,
        o.subtotal_paise, o.discount_paise, o.delivery_fee_paise, o.convenience_fee_paise,
        o.donation_paise, o.grand_total_paise, o.online_paise, o.remaining_paise,
        o.created_at_ms, o.lines, p.reference, p.state as payment_state, p.amount_paise,
        coalesce(p.paid_paise, 0) as paid_paise, p.provider_payment_id, p.paid_at_ms
    from orders o join payments p on p.order_id = o.id order by o.created_at_ms, o.id"""
_REFUNDS = """
    select r.id, p.order_id, coalesce(r.amount_paise, 0) as paise, r.reason, r.state
    from refunds r join payments p on p.id = r.payment_id order by r.id"""
_JOBS = """
    select subject as order_id, topic, state, coalesce(last_error, '') as error
    from outbox order by id"""
_CALL_ATTEMPTS = """
    select token, order_id, number, phone, coalesce(sid, '') as sid, started_at_ms
    from call_attempts order by started_at_ms"""
_KITCHEN_PRESSES = """
    select id, order_id, device_id, saw, target, at_ms, has_effect
    from kitchen_presses order by at_ms, id"""
_COOKING = "select order_id, state from cooking order by order_id"
_DISH_CHANGES = """
    select a.subject, a.details, a.action, w.at
    from audit a join simulation_writes w on w.source = 'audit' and w.row_id = a.id::text
    where a.action in ('dish.sold_out', 'dish.available') order by w.at"""
_WRITES = """
    select w.source, w.row_id, w.state, w.transaction, w.at, coalesce(p.order_id, '') as order_id
    from simulation_writes w left join payments p on w.source = 'payments' and p.id = w.row_id
    order by w.at"""
_SEATS = "select order_id, slot, party_size, state from seat_holds order by id"


@dataclass(frozen=True)
class Order:
    """An order and its payment."""

    id: str
    number: str
    key: str
    email: str
    state: str
    refund_reason: str
    restaurant_id: int
    slot: str | None
    party_size: int
    subtotal_paise: int
    discount_paise: int
    delivery_fee_paise: int
    convenience_fee_paise: int
    donation_paise: int
    grand_total_paise: int
    online_paise: int
    remaining_paise: int
    created_at_ms: int
    dishes: tuple[str, ...]
    """The ids of its dishes."""
    reference: str
    payment_state: str
    amount_paise: int
    paid_paise: int
    provider_payment_id: str
    paid_at_ms: int | None

    @property
    def is_confirmed(self) -> bool:
        return self.state == "confirmed"

    @property
    def is_paid(self) -> bool:
        return self.payment_state == "paid"


@dataclass(frozen=True)
class Refund:
    """A refund of an order."""

    id: str
    order_id: str
    paise: int
    reason: str
    state: str


@dataclass(frozen=True)
class Job:
    """A job of the outbox."""

    order_id: str
    topic: str
    state: str
    error: str


@dataclass(frozen=True)
class CallAttempt:
    """A stored call attempt."""

    token: str
    order_id: str
    number: int
    phone: str
    sid: str
    started_at_ms: int


@dataclass(frozen=True)
class Seats:
    """Seats held in a slot of restaurant 2."""

    order_id: str
    slot: str
    party_size: int
    state: str


@dataclass(frozen=True)
class KitchenPress:
    """A stored press of a kitchen's device."""

    id: str
    order_id: str
    device_id: str
    saw: str
    target: str
    at_ms: int
    has_effect: bool


@dataclass(frozen=True)
class CookingRow:
    """The state of cooking of an order."""

    order_id: str
    state: str


@dataclass(frozen=True)
class DishChange:
    """An entry of the audit trail: a dish was marked as sold out or as available."""

    restaurant_id: int
    dish: str
    action: str
    at: float
    """When it was written; seconds since 1970, by the machine's clock."""


@dataclass(frozen=True)
class Write:
    """A write to a row, from the log of the simulation's triggers."""

    source: str
    """The table."""
    row_id: str
    state: str
    """The state that was written."""
    transaction: int
    at: float
    """Seconds since 1970, by the machine's clock."""
    order_id: str = ""
    """The order of a payment."""


@dataclass(frozen=True)
class DatabaseRows:
    """The rows of all tables that the audit reads."""

    orders: tuple[Order, ...]
    refunds: tuple[Refund, ...] = ()
    jobs: tuple[Job, ...] = ()
    call_attempts: tuple[CallAttempt, ...] = ()
    seats: tuple[Seats, ...] = ()
    kitchen_presses: tuple[KitchenPress, ...] = ()
    cooking: tuple[CookingRow, ...] = ()
    dish_changes: tuple[DishChange, ...] = ()
    writes: tuple[Write, ...] = ()


def read(rows: Rows) -> DatabaseRows:
    """Return the current rows of the database."""
    return DatabaseRows(
        orders=tuple(_order(row) for row in rows(_ORDERS)),
        refunds=tuple(Refund(**row) for row in rows(_REFUNDS)),
        jobs=tuple(Job(**row) for row in rows(_JOBS)),
        call_attempts=tuple(CallAttempt(**row) for row in rows(_CALL_ATTEMPTS)),
        seats=tuple(Seats(**row) for row in rows(_SEATS)),
        kitchen_presses=tuple(KitchenPress(**row) for row in rows(_KITCHEN_PRESSES)),
        cooking=tuple(CookingRow(**row) for row in rows(_COOKING)),
        dish_changes=tuple(_dish_change(row) for row in rows(_DISH_CHANGES)),
        writes=tuple(Write(**row) for row in rows(_WRITES)),
    )


def _order(row: dict[str, Any]) -> Order:
    columns = {name: value for name, value in row.items() if name != "lines"}
    return Order(**columns, dishes=tuple(line["id"] for line in row["lines"]))


def _dish_change(row: dict[str, Any]) -> DishChange:
    restaurant_id = int(row["subject"].removeprefix("restaurant "))
    return DishChange(restaurant_id, row["details"]["dish"], row["action"], row["at"])
