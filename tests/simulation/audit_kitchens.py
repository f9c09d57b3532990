"""Kitchens: seats, and the operator's switch."""

from collections import Counter
from collections.abc import Iterator

from tests.simulation.books import Books
from tests.simulation.finding import Finding

_HEARD_BY_ALL_MS = 8_000
"""A switch is known to every process after five seconds, or a little later."""


def seats(books: Books) -> Iterator[Finding]:
    """What confirmed orders reserved fits into each slot, and what is held is theirs."""
    guests: Counter[str] = Counter()
    firm = {each.order_id: each for each in books.ours.seats if each.state == "firm"}
    for order in books.ours.orders:
        if order.slot and order.is_confirmed:
            guests[order.slot] += order.party_size
            held = firm.pop(order.id, None)
            if held is None or (held.slot, held.party_size) != (order.slot, order.party_size):
                yield Finding(order.number, "confirmed with a table, and its seats are not held")
    for held in firm.values():
        yield Finding(held.order_id, "seats are held for good, and by no confirmed order")
    for slot, count in guests.items():
        if count > books.seats_per_slot:
            yield Finding(slot, f"{count} guests on {books.seats_per_slot} seats")


def closed(books: Books) -> Iterator[Finding]:
    """While a kitchen was closed by its switch, it took no order, and none was confirmed."""
    off = round(books.clocks_off_seconds * 1000)
    for closure in books.closures:
        begins, ends = closure.begins_ms + _HEARD_BY_ALL_MS + off, closure.ends_ms - off
        for order in books.ours.orders:
            if str(order.restaurant_id) != closure.what:
                continue
            if begins < order.created_at_ms < ends:
                yield Finding(order.number, "taken by a kitchen that was closed")
            elif order.is_confirmed and begins < (order.paid_at_ms or 0) < ends:
                yield Finding(order.number, "confirmed by a kitchen that was closed")
