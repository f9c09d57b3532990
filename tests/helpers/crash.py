"""A process that kills itself at a named step: it orders, pays and notifies, or calls again.

`python -m tests.helpers.crash` reads tasks as lines of JSON, forks one process for each, and
writes that process's exit code.
"""

import asyncio
import faulthandler
import json
import os
import signal
import sys
import traceback
from datetime import datetime
from pathlib import Path

from campus_app import wiring
from campus_app.notifications import wiring as notifications_wiring
from campus_app.notifications.providers.outbox_caller import OutboxFolderCaller
from campus_app.notifications.providers.twilio.calls import TwilioCalls
from campus_app.notifications.sql.call_attempts import SqlCallAttempts
from campus_app.operators.wiring import Services
from campus_app.ordering import wiring as ordering_wiring
from campus_app.ordering.providers.cashfree.payments import CashfreePayments
from campus_app.ordering.providers.sandbox.payments import SandboxPayments
from campus_app.ordering.sql.checkout_sessions import SqlCheckoutSessions
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.shared import wiring as shared_wiring
from kit.mail.message import OutboxFolderMailer
from kit.outbox.store import Outbox
from tests.fakes.twilio import twilio_settings
from tests.helpers.builders import order_request
from tests.helpers.clock import ManualClock
from tests.helpers.flows import drain, pay_at_cashfree, press, receive_webhook, signed_webhook
from tests.helpers.provider_harness import cashfree_settings
from tests.helpers.settings import settings_for

CART = "a cart"
_TASK_TIMEOUT_SECONDS = 60
UNPAID = (
    "before the order is stored",
    "while the order is stored",
    "after the order is stored",
    "before the payment page is opened",
    "after the payment page is opened",
)
PAID = (
    "after the customer has paid",
    "after the webhook is received",
    "after the provider has responded",
    "before the money is recorded",
    "while the money is recorded",
    "after the money is recorded",
    "after the jobs are claimed",
    *(
        f"{step} {topic}"
        for topic in ("mail.customer", "mail.vendor", "call.vendor")
        for step in ("before the effect of", "after the effect of", "after acknowledging")
    ),
)
"""The steps in execution order; at those of PAID the provider has captured the money."""
AT_CASHFREE_UNPAID = (
    "before Cashfree creates the session",
    "after Cashfree has created the session",
    "after the session is stored",
)
AT_CASHFREE_PAID = (
    "after the customer has paid",
    "after Cashfree has responded",
    "while the money is recorded",
    "after the money is recorded",
)
"""The steps of a payment at Cashfree."""
CALLED = (
    "before the attempt is stored",
    "after the attempt is stored",
    "after Twilio has accepted the call",
    "after the call's SID is stored",
)
"""The steps of a call through Twilio."""


class _CrashPoint:
    step = ""


def _reached(step: str) -> None:
    if step == _CrashPoint.step:
        os.kill(os.getpid(), signal.SIGKILL)


class CrashingOrders(SqlOrders):
    async def create(self, draft, at, provider):
        _reached("before the order is stored")
        stored = await super().create(draft, at, provider)
        _reached("after the order is stored")
        return stored

    def _insert(self, connection, draft, at, provider):
        stored = super()._insert(connection, draft, at, provider)
        _reached("while the order is stored")
        return stored

    async def record_paid(self, found, snapshot, decide, at):
        _reached("before the money is recorded")
        recorded = await super().record_paid(found, snapshot, decide, at)
        _reached("after the money is recorded")
        return recorded

    def _apply(self, connection, order, settlement, at):
        super()._apply(connection, order, settlement, at)
        _reached("while the money is recorded")


class CrashingSandbox(SandboxPayments):
    async def create(self, request):
        _reached("before the payment page is opened")
        checkout = await super().create(request)
        _reached("after the payment page is opened")
        return checkout

    async def press(self, payment, button, webhook_delivery):
        has_changed = await super().press(payment, button, webhook_delivery)
        _reached("after the customer has paid")
        return has_changed

    def parse_webhook(self, headers, body, at):
        events = super().parse_webhook(headers, body, at)
        _reached("after the webhook is received")
        return events

    async def fetch(self, reference):
        snapshot = await super().fetch(reference)
        _reached("after the provider has responded")
        return snapshot


class CrashingCashfree(CashfreePayments):
    async def create(self, request):
        _reached("before Cashfree creates the session")
        session = await super().create(request)
        _reached("after Cashfree has created the session")
        return session

    async def fetch(self, reference):
        snapshot = await super().fetch(reference)
        _reached("after Cashfree has responded")
        return snapshot


class CrashingCheckoutSessions(SqlCheckoutSessions):
    async def save(self, payment_id, session, at):
        token = await super().save(payment_id, session, at)
        _reached("after the session is stored")
        return token


class CrashingOutbox(Outbox):
    async def claim(self, limit):
        jobs = await super().claim(limit)
        _reached("after the jobs are claimed")
        return jobs

    async def complete(self, job):
        acknowledged = await super().complete(job)
        _reached(f"after acknowledging {job.topic}")
        return acknowledged


class CrashingMailer(OutboxFolderMailer):
    async def send(self, mail):
        topic = mail.key.partition(":")[0]
        _reached(f"before the effect of {topic}")
        await super().send(mail)
        _reached(f"after the effect of {topic}")


class CrashingCaller(OutboxFolderCaller):
    async def place_call(self, call):
        _reached(f"before the effect of {call.reason}")
        await super().place_call(call)
        _reached(f"after the effect of {call.reason}")


class CrashingCallAttempts(SqlCallAttempts):
    async def begin(self, attempt):
        _reached("before the attempt is stored")
        started = await super().begin(attempt)
        _reached("after the attempt is stored")
        return started

    async def record_status(self, token, report, at, **certainty):
        attempt = await super().record_status(token, report, at, **certainty)
        _reached("after the call's SID is stored")
        return attempt


class CrashingTwilio(TwilioCalls):
    async def create_call(self, phone, webhook_url):
        report = await super().create_call(phone, webhook_url)
        _reached("after Twilio has accepted the call")
        return report


async def order_and_crash(
    step: str,
    database_url: str,
    folder: str,
    moment: str,
    *,
    twilio: str = "",
    data: str = "",
    cashfree: str = "",
    calls_again: bool = False,
) -> None:
    """Order, pay and notify, or report unseen orders; kill the process at `step`.

    `twilio` and `cashfree` are addresses of fakes; without them the sandbox is used.
    """
    _CrashPoint.step = step
    notifications_wiring.SqlCallAttempts = CrashingCallAttempts
    notifications_wiring.TwilioCalls = CrashingTwilio
    ordering_wiring.SqlOrders = CrashingOrders
    ordering_wiring.SandboxPayments = CrashingSandbox
    ordering_wiring.CashfreePayments = CrashingCashfree
    ordering_wiring.SqlCheckoutSessions = CrashingCheckoutSessions
    shared_wiring.Outbox = CrashingOutbox
    shared_wiring.OutboxFolderMailer = CrashingMailer
    notifications_wiring.OutboxFolderCaller = CrashingCaller
    clock = ManualClock(datetime.fromisoformat(moment))
    call_settings = twilio_settings(twilio, data_dir=Path(data)) if twilio else {}
    payment_settings = cashfree_settings(cashfree) if cashfree else {}
    services = wiring.build(
        settings_for(database_url, Path(folder), **call_settings, **payment_settings), clock
    )
    if calls_again:
        await services.unseen_orders.report_due()
        _reached("after the unseen order is reported")
    else:
        await _order_and_pay(services, at_cashfree=bool(cashfree))
    await drain(services)
    services.close()


async def _order_and_pay(services: Services, *, at_cashfree: bool) -> None:
    stored = await services.carts.prepare(order_request(), CART)
    checkout = await services.checkouts.open(stored)
    if at_cashfree:
        await pay_at_cashfree(services, checkout)
        _reached("after the customer has paid")
        await services.payments.reconcile(stored.payment)
    else:
        await press(services, stored)
        await receive_webhook(
            services.payments, *signed_webhook(services, stored.payment.reference)
        )


def main() -> None:
    assert len(list(Path("/proc/self/task").iterdir())) == 1, (
        "fork() is only safe in a process with a single thread"
    )
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            faulthandler.dump_traceback_later(_TASK_TIMEOUT_SECONDS, exit=True)
            try:
                asyncio.run(order_and_crash(**json.loads(line)))
            except BaseException:  # noqa: BLE001 - the child must not continue this loop
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
