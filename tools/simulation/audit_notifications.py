"""Check recipients of mails and calls, and jobs left in the outbox."""

from collections import Counter
from collections.abc import Iterator

from campus_app.kitchen.sql.push_subscriptions import READY_PRESS_TOPIC
from tools.simulation.evidence import Evidence
from tools.simulation.finding import Finding

_OPEN_STATES = {"ready", "leased"}
_MAIL_TOPICS = {"mail.customer", "mail.vendor"}


def only_for_paid_orders(evidence: Evidence) -> Iterator[Finding]:
    """Every mail and every call belongs to a paid order."""
    paid = {order.number: order for order in evidence.database.orders if order.is_paid}
    for mail in evidence.mails:
        if mail.number not in paid:
            yield Finding(mail.number or mail.recipient, "a mail without a paid order")
    call_attempts = {attempt.token: attempt.order_id for attempt in evidence.database.call_attempts}
    paid_ids = {order.id for order in paid.values()}
    for call in evidence.calls:
        if call_attempts.get(call.token) not in paid_ids:
            yield Finding(call.sid, "a call without a paid order")


def right_recipients(evidence: Evidence) -> Iterator[Finding]:
    """A mail goes to the order's customer or restaurant; a call goes to the restaurant."""
    orders = {order.number: order for order in evidence.database.orders}
    by_id = {order.id: order for order in evidence.database.orders}
    for mail in evidence.mails:
        order = orders.get(mail.number)
        if order and mail.recipient not in {order.email, evidence.vendors[order.restaurant_id][0]}:
            yield Finding(order.number, "a mail to another recipient")
    call_attempts = {attempt.token: attempt.order_id for attempt in evidence.database.call_attempts}
    for call in evidence.calls:
        order = by_id.get(call_attempts.get(call.token, ""))
        if order and call.to != evidence.vendors[order.restaurant_id][1]:
            yield Finding(order.number, "a call to another phone than the restaurant's")


def remaining_jobs(evidence: Evidence) -> Iterator[Finding]:
    """No job is unfinished, no mail is given up, and no notification exists twice.

    Each press that makes an order ready, also by an undo, has a job of its own.
    """
    presses = Counter(
        press.order_id
        for press in evidence.database.kitchen_presses
        if press.has_effect and press.target == "ready"
    )
    numbers = {order.id: order.number for order in evidence.database.orders}
    for job in evidence.database.jobs:
        number = numbers.get(job.order_id, job.order_id)
        if job.state in _OPEN_STATES:
            yield Finding(number, f"{job.topic} is open: {job.error}")
        elif job.topic in _MAIL_TOPICS and job.state == "dead":
            yield Finding(number, f"{job.topic} was given up: {job.error}")
    for (order_id, topic), count in Counter(
        (job.order_id, job.topic) for job in evidence.database.jobs
    ).items():
        if count > (presses[order_id] if topic == READY_PRESS_TOPIC else 1):
            yield Finding(numbers.get(order_id, order_id), f"{topic} is stored {count} times")
