"""Check seats and restaurant overrides."""

from collections import Counter
from collections.abc import Iterator

from tests.simulation.evidence import Evidence
from tests.simulation.finding import Finding

_OVERRIDE_DELAY_MS = 8_000
"""Every process knows an override after at most this time."""


def seats(evidence: Evidence) -> Iterator[Finding]:
    """Confirmed reservations fit into each slot, and match the held seats."""
    guests: Counter[str] = Counter()
    firm = {each.order_id: each for each in evidence.database.seats if each.state == "firm"}
    for order in evidence.database.orders:
        if order.slot and order.is_confirmed:
            guests[order.slot] += order.party_size
            held = firm.pop(order.id, None)
            if held is None or (held.slot, held.party_size) != (order.slot, order.party_size):
                yield Finding(order.number, "confirmed with a table, and its seats are not held")
    for held in firm.values():
        yield Finding(held.order_id, "seats are held for good, and by no confirmed order")
    for slot, count in guests.items():
        if count > evidence.seats_per_slot:
            yield Finding(slot, f"{count} guests on {evidence.seats_per_slot} seats")


def closed(evidence: Evidence) -> Iterator[Finding]:
    """A restaurant accepts and confirms no order while it is closed."""
    off = round(evidence.clock_skew_seconds * 1000)
    for closure in evidence.closures:
        begins, ends = closure.begins_ms + _OVERRIDE_DELAY_MS + off, closure.ends_ms - off
        for order in evidence.database.orders:
            if str(order.restaurant_id) != closure.what:
                continue
            if begins < order.created_at_ms < ends:
                yield Finding(order.number, "taken by a kitchen that was closed")
            elif order.is_confirmed and begins < (order.paid_at_ms or 0) < ends:
                yield Finding(order.number, "confirmed by a kitchen that was closed")
