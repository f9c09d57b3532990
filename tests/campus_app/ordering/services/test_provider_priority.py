"""The effect of anonymous load on confirmations through the shared provider quota.

Cashfree is the fake over HTTP with its quota. Time is virtual: it advances only while every
running query waits for a permit, so results do not depend on the machine.
"""

import asyncio
import math
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from pydantic import SecretStr

from campus_app.ordering.providers.cashfree.account import CashfreeAccount
from campus_app.ordering.providers.cashfree.payments import CashfreePayments
from campus_app.ordering.rules.errors import ProviderBusy
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.services.query_limits import QueryLimits
from kit.quota import NOTHING_RESERVED, Priority, Quota, Requester, current_requester, requests_for
from tests.fakes.cashfree import CLIENT_ID, CLIENT_SECRET, FakeCashfree
from tests.fakes.cashfree_account import API_VERSION
from tests.helpers.builders import order_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.flows import receive_webhook
from tests.helpers.provider_harness import cashfree_settings
from tests.helpers.server import serving
from tests.helpers.virtual_time import VirtualTime

pytestmark = pytest.mark.anyio

PAYMENT_QUERIES_A_MINUTE = 80
CREATIONS_A_MINUTE = 160
ATTACKER, CAMPUS = "203.0.113.9", "198.51.100.1"
VICTIMS = 5
LONGEST_REAL_SECONDS = 30


class VirtualClock:
    """The campus clock in virtual time."""

    def __init__(self, time):
        self._time, self._began = time, time.time()

    def now(self) -> datetime:
        return WEDNESDAY + timedelta(seconds=self._time.time() - self._began)

    def monotonic(self) -> float:
        return self._time.time()


@pytest.fixture
def time():
    return VirtualTime()


@pytest.fixture
def clock(time):
    return VirtualClock(time)


class WithoutPriority(Quota):
    """Grants permits in order of arrival: the negative control."""

    def __init__(self, name, per_minute, _reserved, timer):
        super().__init__(name, per_minute, NOTHING_RESERVED, timer)

    async def acquire(self):
        with requests_for(Requester(Priority.KNOWN, current_requester().client)):
            await super().acquire()


class Campus:
    """A product with the fake provider, and the operations scheduled in virtual time."""

    def __init__(self, services, fake, time):
        self.services, self.fake, self.time = services, fake, time
        self.payments = services.payments
        self._pending = {}

    async def order(self, count):
        """Return this many unpaid orders with open payment pages."""
        unlimited = CashfreePayments(account_of(self.fake, percent=100_000), self.services.clock)
        opening = replace(self.services.checkouts, provider=unlimited)

        async def opened(number):
            request = order_request(note=f"{number}")
            stored = await self.services.ordering.prepare(request)
            await opening.open(stored)
            return stored

        return await asyncio.gather(*map(opened, range(count)))

    def at(self, seconds, coroutine_of, *arguments, about):
        """Start an operation after some seconds; `about` is the payment that it may query."""

        def begin():
            task = asyncio.ensure_future(coroutine_of(*arguments))
            self._pending[task] = about
            task.add_done_callback(self._pending.pop)

        self.time.call_later(seconds, begin)

    async def run(self, seconds):
        """Advance virtual time by this many seconds."""
        end = self.time.time() + seconds
        await self._all_wait()
        while (when := self.time.next_at()) is not None and when <= end:
            self.time.run_next()
            await self._all_wait()
        self.time.advance(end - self.time.time())

    async def _all_wait(self):
        """Wait until every running query waits for a permit."""
        async with asyncio.timeout(LONGEST_REAL_SECONDS):
            provider = self.payments.provider
            while len(set(self._pending.values())) != provider._http.waiting:  # noqa: ASYNC110
                await asyncio.sleep(0.001)


def account_of(fake, percent):
    return CashfreeAccount(
        client_id=CLIENT_ID,
        client_secret=SecretStr(CLIENT_SECRET),
        base_url=f"{fake.address}/pg",
        api_version=API_VERSION,
        limit_percent=percent,
    )


@pytest.fixture
async def open_campus(new_services, clock, time):
    """Opens a campus whose provider grants a percentage of the sandbox's limits."""
    fake = FakeCashfree(clock, seconds=time.time)
    fake.limits = dict.fromkeys(fake.limits, 100_000)
    async with serving(fake.app) as fake.address:

        def open_campus(percent, quota=Quota):
            services = new_services(**cashfree_settings(fake.address))
            provider = CashfreePayments(account_of(fake, percent), clock, time, quota)
            limits = QueryLimits(clock, timedelta(seconds=3))
            payments = replace(services.payments, provider=provider, limits=limits)
            checkouts = replace(services.checkouts, provider=provider)
            return Campus(replace(services, payments=payments, checkouts=checkouts), fake, time)

        yield open_campus


async def attack(campus, own_orders):
    """Query each own order every 3 s for a minute, by number and by token."""
    for began in range(0, 60, 3):
        for number, stored in enumerate(own_orders):
            requester = Requester.at((Priority.ANONYMOUS, Priority.KNOWN)[number % 2], ATTACKER)
            campus.at(began, campus.payments.refresh, stored, requester, about=stored.payment.id)


async def reconcile_as_usual(campus):
    """Reconcile due payments every 5 s, each separately."""
    for payment in await campus.payments.orders.claim_due_checks(campus.services.clock.now(), 20):
        campus.at(0, campus.payments.check, payment, about=payment.id)


async def seconds_until_confirmed(campus, own_orders):
    """Return how long the webhooks of paid orders take during an attack."""
    attackers, victims = await campus.order(own_orders), await campus.order(2 * VICTIMS)
    campus.fake.limits |= {"payments": PAYMENT_QUERIES_A_MINUTE}
    seconds = []

    async def confirm(stored):
        campus.fake.attempt(stored.payment.reference, "SUCCESS")
        began = campus.time.time()
        await receive_webhook(campus.payments, *campus.fake.webhook(stored.payment.reference))
        current = await campus.payments.orders.by_id(stored.order.id)
        is_paid = current.payment.state is PaymentState.PAID
        seconds.append(campus.time.time() - began if is_paid else float("inf"))

    await attack(campus, attackers)
    for number, stored in enumerate(victims):
        campus.at(20 + 20 * (number // VICTIMS), confirm, stored, about=stored.payment.id)
    for _ in range(12):
        await reconcile_as_usual(campus)
        await campus.run(5)
    await campus.run(60)
    assert campus.fake.refused == 0, "our own quota keeps us below the provider's"
    return sorted(seconds)


def p95(seconds):
    return seconds[-(-len(seconds) * 95 // 100) - 1]


QUOTA_PERCENT = 267
"""Of the sandbox's 30 payment queries a minute."""


@pytest.mark.parametrize("own_orders", [12, 75])
async def test_webhook_confirms_within_2_s_under_anonymous_load(open_campus, own_orders):
    campus = open_campus(QUOTA_PERCENT)
    seconds = await seconds_until_confirmed(campus, own_orders)
    assert len(seconds) == 2 * VICTIMS
    assert p95(seconds) <= 2
    assert len(campus.fake.calls("payments")) >= PAYMENT_QUERIES_A_MINUTE * 0.7, "it is an attack"


async def test_control_webhook_waits_without_priorities(open_campus):
    """The negative control."""
    campus = open_campus(QUOTA_PERCENT, WithoutPriority)
    assert p95(await seconds_until_confirmed(campus, 12)) > 2


# Opening payments


async def checkouts_in(campus, orders, address, *, seconds):
    """Open the payments of one address's orders, evenly over the seconds; return the outcomes."""
    outcomes = []
    requester = Requester.at(Priority.KNOWN, address)

    async def open_checkout(stored):
        began = campus.time.time()
        try:
            await campus.services.checkouts.open(stored, requester)
        except ProviderBusy as busy:
            outcomes.append(busy)
        else:
            outcomes.append(campus.time.time() - began)

    for number, stored in enumerate(orders):
        began = number * seconds / len(orders)
        campus.at(began, open_checkout, stored, about=stored.payment.id)
    return outcomes


async def prepared(campus, count):
    requests = [order_request(note=f"{number}") for number in range(count)]
    return await asyncio.gather(*map(campus.services.ordering.prepare, requests))


@pytest.fixture
def creating(open_campus):
    """A campus that may open 160 payments a minute."""
    campus = open_campus(CREATIONS_A_MINUTE * 100 // 30 + 1)
    campus.fake.limits |= {"create": CREATIONS_A_MINUTE}
    return campus


async def test_client_with_few_payments_is_served_when_another_floods(creating):
    flooding, students = await prepared(creating, 200), await prepared(creating, 20)
    flood = await checkouts_in(creating, flooding, ATTACKER, seconds=45)
    campus = await checkouts_in(creating, students, CAMPUS, seconds=45)
    await creating.run(60)
    assert len(campus) == 20
    assert max(campus, key=float) <= 2
    assert Counter(type(each) for each in flood)[ProviderBusy] > 40, "it is a flood"


async def test_checkout_is_served_when_browser_obeys_retry_after(creating):
    orders = await prepared(creating, 100)
    served, tries = [], Counter()
    requester = Requester.at(Priority.KNOWN, CAMPUS)

    async def open_checkout(stored):
        tries[stored.payment.id] += 1
        try:
            await creating.services.checkouts.open(stored, requester)
        except ProviderBusy as busy:
            wait = math.ceil(busy.retry_after_seconds)
            creating.at(wait, open_checkout, stored, about=stored.payment.id)
        else:
            served.append(creating.time.time() - began)

    began = creating.time.time()
    for number, stored in enumerate(orders):
        creating.at(number / 100, open_checkout, stored, about=stored.payment.id)
    await creating.run(60)
    assert len(served) == 100
    assert max(served) <= 45, "after the 40 at once there are two a second"
    assert max(tries.values()) <= 3
    assert creating.fake.refused == 0


# Queries of the same order


async def test_webhook_raises_priority_of_running_anonymous_query(open_campus):
    campus = open_campus(QUOTA_PERCENT)
    *others, victim = await campus.order(11)
    anyone = Requester.at(Priority.ANONYMOUS, ATTACKER)
    for stored in others:  # use up the permits of anonymous requesters
        campus.at(0, campus.payments.refresh, stored, anyone, about=stored.payment.id)
    await campus.run(0)
    seconds = []

    async def confirm():
        began = campus.time.time()
        campus.fake.attempt(victim.payment.reference, "SUCCESS")
        await receive_webhook(campus.payments, *campus.fake.webhook(victim.payment.reference))
        seconds.append(campus.time.time() - began)

    campus.at(0, campus.payments.refresh, victim, anyone, about=victim.payment.id)
    await campus.run(0.1)
    assert campus.payments.provider._http.waiting == 1
    campus.at(0, confirm, about=victim.payment.id)
    await campus.run(5)
    assert seconds == [0]
    assert (await campus.services.lookup.progress(victim.order.number)).is_processed


async def test_webhook_queries_provider_when_last_answer_is_fresh(open_campus):
    campus = open_campus(QUOTA_PERCENT)
    (stored,) = await campus.order(1)
    anyone = Requester.at(Priority.ANONYMOUS, ATTACKER)
    await campus.payments.refresh(stored, anyone)
    await campus.payments.refresh(stored, anyone)
    assert len(campus.fake.calls("payments")) == 1
    campus.fake.attempt(stored.payment.reference, "SUCCESS")
    await receive_webhook(campus.payments, *campus.fake.webhook(stored.payment.reference))
    assert len(campus.fake.calls("payments")) == 2
    assert (await campus.services.lookup.progress(stored.order.number)).is_processed
