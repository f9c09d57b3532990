"""Refunds: audit entries, requests and polling.

Operators' commands are tested in `ops/test_commands.py`, providers' answers in the scenarios.
"""

from dataclasses import replace

import pytest

from campus_app.ordering.rules.errors import ProviderRejected, ProviderUnavailable
from campus_app.ordering.rules.refund import RefundState
from campus_app.shared.rules.audit import Actor, AuditAction
from campus_app.shared.rules.errors import Conflict
from campus_app.shared.rules.messages import OperatorMessage
from campus_app.shared.rules.money import rupees
from tests.helpers.builders import order_request
from tests.helpers.flows import pay
from tests.helpers.providers import ScriptedProvider, reported
from tests.helpers.tables import execute

pytestmark = pytest.mark.anyio

ASHA = Actor("asha")


class Refunding(ScriptedProvider):
    """Returns the same state for every refund and records the requests."""

    def __init__(self, said):
        super().__init__()
        self.said = said
        self.asked = []

    async def refund(self, refund):
        self._raise_error()
        self.asked.append(refund)
        return reported(refund, self.said)


@pytest.fixture
def provider():
    return Refunding(RefundState.PENDING)


@pytest.fixture
def refunds(services, provider):
    return replace(services.payments.refunds, provider=provider)


@pytest.fixture
def paid(services):
    async def paid():
        return await pay(services, await services.ordering.prepare(order_request()))

    return paid


async def the_line(services):
    (line,) = await services.operations.audit.entries(limit=100)
    return line


async def test_refund_requests_recorded_amount_and_is_audited(services, refunds, provider, paid):
    stored = await paid()
    report = await refunds.refund_order(stored, ASHA, force=True)
    (record,) = report.refunds
    (asked,) = provider.asked
    assert (asked.id, asked.reference) == (record.id, stored.payment.reference)
    assert (asked.amount, asked.note) == (stored.order.bill.online, record.reason)
    line = await the_line(services)
    assert (line.actor, line.action) == ("asha", AuditAction.REFUND_ORDER)
    assert (line.subject, line.at) == (stored.order.id, services.clock.now())
    assert line.details == {
        "number": stored.order.number,
        "amount": str(stored.order.bill.online),
        "refunds": record.id,
    }
    assert report.order == stored.order


async def test_two_refunds_have_one_audit_entry_with_their_sum(services, refunds, paid):
    stored = await paid()
    await refunds.store.mark_surplus(stored.payment.id, rupees(7), services.clock.now())
    report = await refunds.refund_order(stored, ASHA, force=True)
    line = await the_line(services)
    assert line.details["amount"] == str(stored.order.bill.online + rupees(7))
    assert sorted(line.details["refunds"].split(", ")) == sorted(each.id for each in report.refunds)


async def test_audit_entry_says_none_when_nothing_is_due(services, refunds, provider, paid):
    provider.said = RefundState.DONE
    stored = await paid()
    await refunds.refund_order(stored, ASHA, force=True)
    await refunds.refund_order(stored, ASHA, force=True)
    line = (await services.operations.audit.entries(limit=100))[0]
    assert (line.details["amount"], line.details["refunds"]) == ("0.00", "none")


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        pytest.param(
            "paid_currency = 'USD'", "other_currency", "USD", id="paid in another currency"
        ),
        pytest.param("paid_paise = NULL", "amount_unknown", "", id="unknown amount"),
    ],
)
async def test_refund_raises_conflict_when_amount_or_currency_is_unusable(
    services, refunds, paid, change, code, said
):
    stored = await paid()
    await execute(services.database, f"UPDATE payments SET {change}")
    with pytest.raises(Conflict) as raised:
        await refunds.refund_order(stored, ASHA, force=True)
    assert raised.value.code == code
    assert said in raised.value.message


async def test_refund_raises_conflict_when_unpaid(services, refunds):
    stored = await services.ordering.prepare(order_request())
    with pytest.raises(Conflict) as raised:
        await refunds.refund_order(stored, ASHA, force=True)
    assert (raised.value.code, raised.value.message) == (
        "nothing_paid",
        OperatorMessage.NOTHING_PAID,
    )


async def test_refund_raises_conflict_when_not_due(refunds, paid):
    with pytest.raises(Conflict) as raised:
        await refunds.refund_order(await paid(), ASHA, force=False)
    assert (raised.value.code, "--force" in raised.value.message) == ("not_due", True)


async def test_started_refund_is_followed_when_not_due(refunds, provider, paid):
    stored = await paid()
    await refunds.refund_order(stored, ASHA, force=True)
    provider.said = RefundState.DONE
    report = await refunds.refund_order(stored, ASHA, force=False)
    assert [each.state for each in report.refunds] == [RefundState.DONE]


async def test_reconcile_due_processes_batches_of_10(refunds, paid, clock):
    for _ in range(12):
        await refunds.refund_order(await paid(), ASHA, force=True)
    clock.advance(hours=1)
    assert [await refunds.reconcile_due() for _ in range(3)] == [10, 2, 0]


async def test_reconcile_due_continues_after_provider_error(refunds, paid, clock):
    stored = [await paid() for _ in range(2)]
    for each in stored:
        await refunds.refund_order(each, ASHA, force=True)

    class Partly(Refunding):
        async def refund(self, refund):
            if refund.reference == stored[0].payment.reference:
                raise ProviderUnavailable("away")
            return reported(refund, self.said)

    clock.advance(hours=1)
    partly = replace(refunds, provider=Partly(RefundState.DONE))
    assert await partly.reconcile_due() == 2
    states = [(await refunds.store.of_payment(each.payment.id))[0].state for each in stored]
    assert states == [RefundState.PENDING, RefundState.DONE]


async def test_rejected_refund_is_due_and_not_polled(refunds, provider, paid, clock):
    stored = await paid()
    provider.error = ProviderRejected("no")
    with pytest.raises(ProviderRejected):
        await refunds.refund_order(stored, ASHA, force=True)
    (record,) = await refunds.store.of_payment(stored.payment.id)
    assert record.state is RefundState.DUE
    clock.advance(days=1)
    assert await refunds.reconcile_due() == 0
