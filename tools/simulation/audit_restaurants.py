"""Checks of reserved seats and of orders at closed restaurants."""

from collections import Counter
from collections.abc import Iterator

from tools.simulation.evidence import Evidence
from tools.simulation.finding import Finding

_OVERRIDE_DELAY_MS = 8_000
"""The time until an override is in effect in every process."""


def reserved_seats(evidence: Evidence) -> Iterator[Finding]:
    """Confirmed reservations do not exceed a slot's seats, and match the held seats."""
    guests: Counter[str] = Counter()
    held_seats = {each.order_id: each for each in evidence.database.seats if each.state == "firm"}
    for order in evidence.database.orders:
        if order.slot and order.is_confirmed:
            guests[order.slot] += order.party_size
            held = held_seats.pop(order.id, None)
            if held is None or (held.slot, held.party_size) != (order.slot, order.party_size):
                yield Finding(order.number, "confirmed with a table, without held seats")
    for held in held_seats.values():
        yield Finding(held.order_id, "seats are held without a confirmed order")
    for slot, count in guests.items():
        if count > evidence.seats_per_slot:
            yield Finding(slot, f"{count} guests for {evidence.seats_per_slot} seats")


def orders_while_closed(evidence: Evidence) -> Iterator[Finding]:
    """A restaurant accepts and confirms no order while it is closed."""
    skew_ms = round(evidence.clock_skew_seconds * 1000)
    for closure in evidence.closures:
        begins_ms, ends_ms = (
            closure.begins_ms + _OVERRIDE_DELAY_MS + skew_ms,
            closure.ends_ms - skew_ms,
        )
        for order in evidence.database.orders:
            if str(order.restaurant_id) != closure.target:
                continue
            if begins_ms < order.created_at_ms < ends_ms:
                yield Finding(order.number, "accepted by a closed restaurant")
            elif order.is_confirmed and begins_ms < (order.paid_at_ms or 0) < ends_ms:
                yield Finding(order.number, "confirmed by a closed restaurant")
