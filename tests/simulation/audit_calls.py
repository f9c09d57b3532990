"""Calls: the telephone service's books against the orders that they were asked for.

One may never be made, where a process died or the service went away while it was asked for: it
is not asked twice. Source: docs/invariants.md I13.
"""

from collections.abc import Iterator

from tests.simulation.books import UNCERTAIN_SECONDS, Books
from tests.simulation.db_rows import Order
from tests.simulation.finding import Finding
from tests.simulation.records import Call

_OUTCOME_UNKNOWN = "outcome unknown, not repeated"
_DID_NOT_RING = "the phone could not be rung"
_CALL = "call.vendor"
_MOST_CALLS = 2


def one_call(books: Books) -> Iterator[Finding]:
    """The kitchen's phone shows one call; where none, our books say so and the world says why."""
    calls = books.calls_by_order()
    jobs = {job.order_id: job for job in books.ours.jobs if job.topic == _CALL}
    for order in books.ours.orders:
        if not order.is_confirmed:
            continue
        made, job = calls.get(order.id, []), jobs.get(order.id)
        rung = sum(call.has_rung for call in made)
        if rung > 1:
            yield Finding(order.number, f"the kitchen was rung {rung} times")
        elif len(made) > _MOST_CALLS:
            yield Finding(order.number, f"{len(made)} calls were made")
        elif not rung and (job is None or job.state == "done"):
            yield Finding(order.number, "our books say that the kitchen was rung; it was not")
        elif not rung and job is not None:
            yield _unrung(books, order, job.error, made)
        elif job is not None and job.state == "dead":
            why = "its process died, or the service was away, before that was known"
            yield Finding(order.number, f"rung, and our books do not know: {job.error}", why)


def _unrung(books: Books, order: Order, error: str, made: list[Call]) -> Finding:
    words = f"the kitchen's phone did not ring: {error}"
    if error.startswith(_DID_NOT_RING) and len(made) == _MOST_CALLS:
        return Finding(order.number, words, "the telephone service says that both calls failed")
    if error == _OUTCOME_UNKNOWN and _was_uncertain(books, order):
        why = "a process died, or the service was away, while it was asked: it is never asked twice"
        return Finding(order.number, words, why)
    return Finding(order.number, words)


def _was_uncertain(books: Books, order: Order) -> bool:
    """Whether something went wrong while the call was asked for."""
    begun = [ring.started_at_ms for ring in books.ours.rings if ring.order_id == order.id]
    away = [each for each in books.outages if each.what == "twilio"]
    uncertain = (UNCERTAIN_SECONDS + books.clocks_off_seconds) * 1000
    moments = [books.campus_ms(ended_at) for ended_at in books.ends_of_processes]
    return any(
        any(at - uncertain <= moment <= at + uncertain for moment in moments)
        or any(each.begins_ms - uncertain <= at <= each.ends_ms + uncertain for each in away)
        for at in begun
    )
