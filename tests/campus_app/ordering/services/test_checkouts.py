"""Opening payments with a checkouts provider: the payment page and the payment form."""

from dataclasses import replace
from datetime import timedelta

import pytest

from campus_app.ordering.rules.errors import ProviderRejected, ProviderUnavailable
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.services.ordering import Ordering
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.shared.rules.errors import Conflict, NotFound
from tests.helpers.builders import at, order_request
from tests.helpers.errors import ordering_error
from tests.helpers.flows import pay, with_orders
from tests.helpers.payments import next_check, without_guard
from tests.helpers.providers import ScriptedProvider
from tests.helpers.settings import ORIGIN
from tests.helpers.tables import execute

pytestmark = pytest.mark.anyio


# Opening the payment page


async def test_open_checkout_sends_amount_and_data_of_order(
    checkouts, services, provider, clock, stored
):
    checkout = await checkouts.open(stored)
    (request,) = provider.created
    assert checkout.url == f"https://pay.example/{stored.payment.reference}"
    assert (request.reference, request.amount) == (stored.payment.reference, stored.payment.amount)
    assert request.order_number == stored.order.number
    assert request.customer_phone == stored.order.customer.phone
    assert request.return_url == f"{ORIGIN}/forms/response/{stored.order.response_token}"
    assert request.webhook_url == f"{ORIGIN}/payment/sandbox/webhook"
    assert request.expires_at == stored.payment.expires_at
    assert await next_check(services) == clock.now() + timedelta(seconds=10)


async def test_order_is_stored_before_provider_is_called(services):
    # Source: docs/invariants.md I1.
    class Looking(ScriptedProvider):
        async def create(self, request):
            known = await services.payments.orders.by_reference(request.reference)
            assert (known.order.number, known.payment.amount) == (
                request.order_number,
                request.amount,
            )
            return await super().create(request)

    looking = Looking()
    stored = await services.ordering.prepare(order_request())
    await replace(services.checkouts, provider=looking).open(stored)
    assert len(looking.created) == 1


async def test_control_provider_takes_unknown_payment_when_order_is_stored_late(services):
    class Forgetful(SqlOrders):
        """Reports an order as stored and deletes it."""

        async def create(self, draft, at, provider):
            placed = await super().create(draft, at, provider)
            for table in ("payments", "order_numbers", "orders"):
                await execute(services.database, f"DELETE FROM {table}")
            return placed

        async def mark_opened(self, payment_id, next_check_at):
            """Do nothing: the payment does not exist."""

    forgetful, provider = with_orders(services, Forgetful), ScriptedProvider()
    stored = await forgetful.ordering.prepare(order_request())
    await replace(forgetful.checkouts, provider=provider).open(stored)
    (asked,) = provider.created
    assert await services.payments.orders.by_reference(asked.reference) is None


async def test_open_checkout_raises_conflict_when_paid(services, checkouts, provider, prepare):
    paid = await pay(services, await prepare())
    error = await ordering_error(checkouts.open(paid))
    assert (type(error), error.code) == (Conflict, "already_paid")
    assert provider.created == []


async def test_open_checkout_raises_conflict_after_expiry(checkouts, provider, clock, stored):
    clock.set(stored.payment.expires_at - timedelta(seconds=1))
    await checkouts.open(stored)
    clock.set(stored.payment.expires_at)
    error = await ordering_error(checkouts.open(stored))
    assert (type(error), error.code) == (Conflict, "order_lapsed")
    assert len(provider.created) == 1


async def test_open_checkout_refuses_an_order_that_is_over_or_elsewhere(
    checkouts, provider, stored
):
    for gone in (
        replace(stored, order=replace(stored.order, state=OrderState.REPLACED)),
        replace(stored, order=replace(stored.order, state=OrderState.LAPSED)),
        replace(stored, payment=replace(stored.payment, provider="elsewhere")),
    ):
        error = await ordering_error(checkouts.open(gone))
        assert (type(error), error.code) == (Conflict, "order_lapsed")
    assert provider.created == []


class Welcoming(Ordering):
    """Does not check whether the restaurant is open."""

    def require_open(self, _restaurant, *, for_placed_order=False):
        pass


async def test_control_closed_restaurant_is_paid_without_check(services, provider, prepare):
    welcoming = without_guard(Welcoming, services.ordering)
    stored = await prepare()
    await services.statuses.set_override(1, is_open=False, message="")
    checkouts = replace(services.checkouts, provider=provider, ordering=welcoming)
    await checkouts.open(stored)
    await welcoming.prepare(order_request(note="another"))
    assert len(provider.created) == 1


async def test_open_checkout_raises_conflict_when_restaurant_has_closed(
    services, checkouts, provider, prepare, clock, stored
):
    # Source: docs/invariants.md I11.
    await services.statuses.set_override(1, is_open=False, message="")
    error = await ordering_error(checkouts.open(stored))
    assert (type(error), error.code) == (Conflict, "restaurant_closed")
    await services.statuses.set_override(1, is_open=True, message="")
    clock.set(at(20, 15))
    late = await prepare()
    clock.set(at(20, 30))
    with pytest.raises(Conflict):
        await checkouts.open(late)
    assert provider.created == []


async def test_open_checkout_raises_not_found_when_restaurant_is_removed(checkouts, stored):
    gone = replace(stored, order=replace(stored.order, restaurant_id=99))
    with pytest.raises(NotFound):
        await checkouts.open(gone)


@pytest.mark.parametrize("error", [ProviderUnavailable("busy"), ProviderRejected("no")])
async def test_open_checkout_can_be_retried_after_provider_error(
    services, checkouts, provider, error, stored
):
    provider.error = error
    with pytest.raises(type(error)):
        await checkouts.open(stored)
    assert await services.payments.orders.by_id(stored.order.id) == stored
    provider.error = None
    assert await checkouts.open(stored)


# The form's address


async def test_payment_form_raises_not_found_for_order_of_cart(services, checkouts, provider):
    # The number can be guessed, and the return from paying leads to the order's own link.
    stored = await services.carts.prepare(order_request(), "cart")
    with pytest.raises(NotFound) as raised:
        await checkouts.open_by_number(stored.order.number, stored.payment.amount)
    assert raised.value.code == "unknown_order"
    assert provider.created == []
    assert (await checkouts.open(stored)).url
