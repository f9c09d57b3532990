"""Check the telephone service's calls against the orders.

A call may be missing if a process or the service failed while it was requested: the request is
never repeated. Source: docs/invariants.md I13.
"""

from collections.abc import Iterator

from tools.simulation.db_rows import Order
from tools.simulation.evidence import UNCERTAIN_SECONDS, Evidence
from tools.simulation.finding import Finding
from tools.simulation.records import Call

_OUTCOME_UNKNOWN = "outcome unknown, not repeated"
_CALL_FAILED = "the phone could not be rung"
_CALL_TOPIC = "call.vendor"
_MAXIMUM_CALLS = 2


def one_call(evidence: Evidence) -> Iterator[Finding]:
    """Each confirmed order has one ringing call, or a recorded failure."""
    calls_by_order = evidence.calls_by_order()
    jobs = {job.order_id: job for job in evidence.database.jobs if job.topic == _CALL_TOPIC}
    for order in evidence.database.orders:
        if not order.is_confirmed:
            continue
        calls, job = calls_by_order.get(order.id, []), jobs.get(order.id)
        ringing = sum(call.has_rung for call in calls)
        if ringing > 1:
            yield Finding(order.number, f"{ringing} calls rang")
        elif len(calls) > _MAXIMUM_CALLS:
            yield Finding(order.number, f"{len(calls)} calls were made")
        elif not ringing and (job is None or job.state == "done"):
            yield Finding(order.number, "the job is done, and no call rang")
        elif not ringing and job is not None:
            yield _missing_call(evidence, order, job.error, calls)
        elif job is not None and job.state == "dead":
            reason = "a process or the service failed before the outcome was recorded"
            yield Finding(order.number, f"a call rang, and its job failed: {job.error}", reason)


def _missing_call(evidence: Evidence, order: Order, error: str, calls: list[Call]) -> Finding:
    text = f"no call rang: {error}"
    if error.startswith(_CALL_FAILED) and len(calls) == _MAXIMUM_CALLS:
        return Finding(order.number, text, "both calls failed at the telephone service")
    if error == _OUTCOME_UNKNOWN and _was_uncertain(evidence, order):
        reason = "a process or the service failed during the request, which is never repeated"
        return Finding(order.number, text, reason)
    return Finding(order.number, text)


def _was_uncertain(evidence: Evidence, order: Order) -> bool:
    """Whether a crash or an outage happened while the call was requested."""
    started = [
        attempt.started_at_ms
        for attempt in evidence.database.call_attempts
        if attempt.order_id == order.id
    ]
    outages = [each for each in evidence.outages if each.target == "twilio"]
    uncertain_ms = (UNCERTAIN_SECONDS + evidence.clock_skew_seconds) * 1000
    process_ends = [evidence.campus_ms(ended_at) for ended_at in evidence.process_ends]
    return any(
        any(at - uncertain_ms <= end <= at + uncertain_ms for end in process_ends)
        or any(
            each.begins_ms - uncertain_ms <= at <= each.ends_ms + uncertain_ms for each in outages
        )
        for at in started
    )
