"""Check the telephone service's calls against the orders.

A call may be missing if a process or the service failed while it was requested: the request is
never repeated. Source: docs/invariants.md I13.
"""

from collections.abc import Iterator

from tests.simulation.db_rows import Order
from tests.simulation.evidence import UNCERTAIN_SECONDS, Evidence
from tests.simulation.finding import Finding
from tests.simulation.records import Call

_OUTCOME_UNKNOWN = "outcome unknown, not repeated"
_CALL_FAILED = "the phone could not be rung"
_CALL = "call.vendor"
_MOST_CALLS = 2


def one_call(evidence: Evidence) -> Iterator[Finding]:
    """Each confirmed order has one ringing call, or a documented failure."""
    calls = evidence.calls_by_order()
    jobs = {job.order_id: job for job in evidence.database.jobs if job.topic == _CALL}
    for order in evidence.database.orders:
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
            yield _unrung(evidence, order, job.error, made)
        elif job is not None and job.state == "dead":
            why = "its process died, or the service was away, before that was known"
            yield Finding(order.number, f"rung, and our books do not know: {job.error}", why)


def _unrung(evidence: Evidence, order: Order, error: str, made: list[Call]) -> Finding:
    text = f"the kitchen's phone did not ring: {error}"
    if error.startswith(_CALL_FAILED) and len(made) == _MOST_CALLS:
        return Finding(order.number, text, "the telephone service says that both calls failed")
    if error == _OUTCOME_UNKNOWN and _was_uncertain(evidence, order):
        why = "a process died, or the service was away, while it was asked: it is never asked twice"
        return Finding(order.number, text, why)
    return Finding(order.number, text)


def _was_uncertain(evidence: Evidence, order: Order) -> bool:
    """Whether a crash or an outage happened while the call was requested."""
    begun = [
        attempt.started_at_ms
        for attempt in evidence.database.call_attempts
        if attempt.order_id == order.id
    ]
    away = [each for each in evidence.outages if each.what == "twilio"]
    uncertain = (UNCERTAIN_SECONDS + evidence.clock_skew_seconds) * 1000
    moments = [evidence.campus_ms(ended_at) for ended_at in evidence.ends_of_processes]
    return any(
        any(at - uncertain <= moment <= at + uncertain for moment in moments)
        or any(each.begins_ms - uncertain <= at <= each.ends_ms + uncertain for each in away)
        for at in begun
    )
