"""Check the kitchens' devices and presses against the orders and payments."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise, zip_longest
from math import inf

from campus_app.kitchen.rules.kitchen import Press, after_press
from campus_app.ordering.rules.cooking import Cooking, CookingState
from tools.simulation.db_rows import SOLD_OUT, DishChange, KitchenPress
from tools.simulation.evidence import Evidence
from tools.simulation.finding import Finding
from tools.simulation.kitchen_arrivals import arrivals, percentile
from tools.simulation.write_log import KITCHEN_TABLES, MONEY_TABLES

LONGEST_ARRIVAL_SECONDS = 1.0
_ARRIVAL_SHARE = 0.95
_FEWEST_ARRIVALS = 20
"""With fewer, the 95th percentile would be the maximum."""
_IN_PROGRESS_SECONDS = 0.5
"""An order may be accepted if it was being stored when the dish was marked as sold out."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def shown_orders(evidence: Evidence) -> Iterator[Finding]:
    """Each confirmed order arrives on every device of its kitchen, and on no other device."""
    orders = {order.id: order for order in evidence.database.orders}
    for order in orders.values():
        logs = [each for each in evidence.device_logs if each.restaurant_id == order.restaurant_id]
        if order.is_confirmed and not logs:
            yield Finding(order.number, "confirmed, and its kitchen has no device")
        for log in logs:
            if order.is_confirmed and order.id not in log.arrivals:
                yield Finding(order.number, f"never shown on device {log.device_id}")
    for log in evidence.device_logs:
        for order_id in log.arrivals:
            order = orders.get(order_id)
            if order is None:
                yield Finding(order_id, f"shown on device {log.device_id}, and not stored")
            elif order.restaurant_id != log.restaurant_id:
                yield Finding(order.number, "shown on a device of another kitchen")
            elif not order.is_confirmed:
                yield Finding(order.number, "shown on a device, and not confirmed")


def stored_presses(evidence: Evidence) -> Iterator[Finding]:
    """Each press is stored once, as it was made, and in its device's sequence."""
    counts = Counter(row.id for row in evidence.database.kitchen_presses)
    rows = {row.id: row for row in evidence.database.kitchen_presses}
    made = set()
    for log in evidence.device_logs:
        for press in log.presses:
            made.add(press.id)
            row = rows.get(press.id)
            expected = (press.order_id, log.device_id, press.saw, press.target)
            if row is None:
                yield Finding(press.order_id, f"a press of {press.target} is not stored")
            elif counts[press.id] > 1:
                yield Finding(press.order_id, f"a press is stored {counts[press.id]} times")
            elif (row.order_id, row.device_id, row.saw, row.target) != expected:
                yield Finding(press.order_id, "a press is stored with other values")
        yield from _in_sequence(log.presses, rows)
    for id_ in rows.keys() - made:
        yield Finding(rows[id_].order_id, "a press is stored that no cook has made")


def _in_sequence(presses: list, rows: dict[str, KitchenPress]) -> Iterator[Finding]:
    by_order = defaultdict(list)
    for press in presses:
        if press.id in rows:
            by_order[press.order_id].append(rows[press.id])
    for order_id, stored in by_order.items():
        if any(first.at_ms > second.at_ms for first, second in pairwise(stored)):
            yield Finding(order_id, "two presses of a device are stored in another sequence")


def final_cooking(evidence: Evidence) -> Iterator[Finding]:
    """The state of each order is what its presses imply, in the sequence of their stored times."""
    by_order: dict[str, list[KitchenPress]] = defaultdict(list)
    for row in sorted(evidence.database.kitchen_presses, key=lambda each: each.at_ms):
        by_order[row.order_id].append(row)
    stored = {row.order_id: row for row in evidence.database.cooking}
    for order_id in by_order.keys() | stored.keys():
        cooking = Cooking()
        for row in by_order[order_id]:
            after = after_press(cooking, _press(row))
            if (after != cooking) is not row.has_effect:
                yield Finding(order_id, f"a press of {row.target} is stored with another effect")
            cooking = after
        state = stored[order_id].state if order_id in stored else ""
        if state != cooking.state:
            yield Finding(order_id, f"{state or 'not stored'}, its presses imply {cooking.state}")


def sold_out_orders(evidence: Evidence) -> Iterator[Finding]:
    """No order that contains a dish is stored while the dish is sold out."""
    changes = defaultdict(list)
    for change in evidence.database.dish_changes:
        changes[change.restaurant_id, change.dish].append(change)
    stored_at: dict[str, float] = {}
    for write in evidence.database.writes:
        if write.source == "orders":
            stored_at.setdefault(write.row_id, write.at)
    for order in evidence.database.orders:
        for dish in order.dishes:
            for begin, end in _sold_out_spans(changes[order.restaurant_id, dish]):
                if begin + _IN_PROGRESS_SECONDS < stored_at.get(order.id, 0.0) < end:
                    yield Finding(order.number, f"accepted with dish {dish}, which was sold out")


def _sold_out_spans(changes: Sequence[DishChange]) -> Iterator[tuple[float, float]]:
    """Yield when a dish was sold out: from each such change until the next change of the dish."""
    for change, following in zip_longest(changes, changes[1:]):
        if change.action == SOLD_OUT:
            yield change.at, following.at if following else inf


def untouched_money(evidence: Evidence) -> Iterator[Finding]:
    """No transaction that stores a press writes an order, a payment or a refund."""
    writes = evidence.database.writes
    of_presses = {each.transaction for each in writes if each.source in KITCHEN_TABLES}
    for write in writes:
        if write.source in MONEY_TABLES and write.transaction in of_presses:
            yield Finding(write.row_id, f"a press changed a row of {write.source}")


def arrival_times(evidence: Evidence) -> Iterator[Finding]:
    """Of the orders that arrive without a failure, 95% are shown within a second."""
    seconds = [each.seconds for each in arrivals(evidence) if each.is_undisturbed]
    p95 = percentile(seconds, _ARRIVAL_SHARE)
    if len(seconds) >= _FEWEST_ARRIVALS and p95 > LONGEST_ARRIVAL_SECONDS:
        yield Finding("all", f"the 95th percentile of {len(seconds)} arrivals is {p95:.2f} s")


def _press(row: KitchenPress) -> Press:
    return Press(
        row.id,
        row.order_id,
        row.device_id,
        CookingState(row.saw),
        CookingState(row.target),
        _EPOCH + timedelta(milliseconds=row.at_ms),
    )
