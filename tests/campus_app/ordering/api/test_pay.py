"""`/pay/{token}`: the page that starts the provider's checkout."""

import re

import pytest

from campus_app.ordering.api.pay import content_policy
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.payment_provider import CheckoutSession
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.ordering.sql.tables import CheckoutSessionRow
from campus_app.shared import current
from kit.translations import use_locale
from tests.helpers.builders import order_request
from tests.helpers.databases import both_databases
from tests.helpers.flows import with_orders
from tests.helpers.provider_harness import cashfree_harness, cashfree_settings
from tests.helpers.tables import count, rows

pytestmark = pytest.mark.anyio


@pytest.fixture
def at_cashfree(cashfree, api, monkeypatch):
    monkeypatch.setattr(current, "services", lambda: cashfree.services)
    return cashfree


@pytest.fixture
async def order(at_cashfree):
    return await at_cashfree.services.ordering.prepare(order_request())


@pytest.fixture
async def path(at_cashfree, order):
    checkout = await at_cashfree.services.checkouts.open(order)
    return re.sub(r"^https://[^/]+", "", checkout.url)


def policy_of(response):
    parts = response.headers["content-security-policy"].split("; ")
    return {name: values for name, _, values in (part.partition(" ") for part in parts)}


async def test_page_contains_the_checkout_session_of_its_order_and_no_personal_data(
    at_cashfree, api, order, path
):
    asked = len(at_cashfree.fake.seen)
    for _ in range(10):
        response = await api.get(path)
        assert response.status_code == 200
    assert len(at_cashfree.fake.seen) == asked, "the page asks nothing of the provider"
    session = at_cashfree.fake.orders[order.payment.reference].session
    assert f'name="payment_session_id" value="{session}"' in response.text
    assert 'src="https://sdk.cashfree.com/js/v3/cashfree.js"' in response.text
    assert 'src="/js/pay_cashfree.js"' in response.text
    assert 'data-mode="sandbox"' in response.text
    customer = order.order.customer
    for word in (customer.full_name, customer.email, customer.phone, "9800000001"):
        assert word not in response.text
    assert order.order.response_token not in response.text + path


async def test_page_is_in_the_chosen_language(api, path):
    with use_locale("hi"):
        response = await api.get(path)
        missing = await api.get("/pay/" + "x" * 32)
    assert '<html lang="hi-IN">' in response.text
    assert "पेमेंट पर जाएँ" in response.text
    assert "Continue" not in response.text
    assert "ऐसा कोई पेमेंट नहीं है" in missing.text


async def test_checkout_session_is_none_when_order_was_deleted(at_cashfree, path):
    class Forgetful(SqlOrders):
        async def by_payment(self, payment_id):
            return None

    services = with_orders(at_cashfree.services, Forgetful)
    assert await services.checkouts.find_session(path.rpartition("/")[2]) is None


async def test_page_has_no_provider_script_in_form_mode(new_services, clock, api, monkeypatch):
    async with cashfree_harness(new_services, clock, cashfree_checkout_mode="form") as harness:
        monkeypatch.setattr(current, "services", lambda: harness.services)
        stored = await harness.services.ordering.prepare(order_request())
        checkout = await harness.services.checkouts.open(stored)
        response = await api.get(checkout.url)
    assert "sdk.cashfree.com/js" not in response.text
    assert 'src="/js/pay_form.js"' in response.text
    assert policy_of(response)["script-src"] == "'self'"


async def test_page_has_its_own_content_security_policy(at_cashfree, api, path):
    policy = policy_of(response := await api.get(path))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == "'self' https://sdk.cashfree.com/js/v3/cashfree.js"
    host = at_cashfree.services.settings.cashfree_base_url.removesuffix("/pg")
    assert set(policy["form-action"].split()) == {
        "'self'",
        host,
        "https://sdk.cashfree.com",
        "https://*.cashfree.com",
    }
    assert "unsafe" not in str(policy)
    assert response.headers["referrer-policy"] == "strict-origin-when-cross-origin"
    assert response.headers["cache-control"] == "no-store"


def test_policy_omits_invalid_site():
    session = CheckoutSession(
        "https://pay.example/", {}, "/js/x.js", sites=("https://a.example; x 'y'",)
    )
    assert "a.example" not in content_policy(session)


async def test_page_is_not_found_for_any_other_token(api, order, path):
    own = (order.order.response_token, order.order.id, order.payment.id, order.order.number)
    forged = ("x", "a" * 32, "a" * 65, "..%2f..%2fetc", "%00" * 20, "<script>alert(1)</script>")
    for token in (*own, *forged):
        response = await api.get(f"/pay/{token}")
        assert response.status_code == 404
        assert "<script" not in response.text


async def test_page_redirects_without_the_receipt_token_when_paid(at_cashfree, api, order, path):
    # Anyone with the order's number and amount gets the link.
    await at_cashfree.pay(order.payment.reference)
    await at_cashfree.services.payments.reconcile(order.payment)
    response = await api.get(path)
    assert response.status_code == 303
    assert response.headers["location"] == f"/payment-success?order_id={order.order.number}"
    assert order.order.response_token not in str(response.headers) + response.text


async def test_page_is_410_when_order_has_lapsed(at_cashfree, api, path):
    at_cashfree.clock.advance(minutes=20)
    response = await api.get(path)
    assert response.status_code == 410
    assert "session_" not in response.text


@both_databases
async def test_repeated_checkout_reuses_the_session(at_cashfree, order, path):
    checkouts = at_cashfree.services.checkouts
    asked = len(at_cashfree.fake.seen)
    for _ in range(5):
        assert (await checkouts.open(order)).url.endswith(path)
    assert len(at_cashfree.fake.seen) == asked
    at_cashfree.clock.advance(seconds=31)
    assert (await checkouts.open(order)).url.endswith(path)
    assert len(at_cashfree.fake.seen) > asked
    assert await count(at_cashfree.services.database, CheckoutSessionRow) == 1


async def test_repeated_checkout_makes_declined_payment_pending(at_cashfree, order, path):
    payments = at_cashfree.services.payments
    await payments.orders.transition(order.payment, PaymentState.FAILED, "declined")
    await at_cashfree.services.checkouts.open(order)
    assert (await payments.orders.by_id(order.order.id)).payment.state is PaymentState.PENDING


@both_databases
async def test_page_opens_in_every_process(at_cashfree, api, path, new_services, monkeypatch):
    address = at_cashfree.services.settings.cashfree_base_url.removesuffix("/pg")
    other = new_services(**cashfree_settings(address))
    monkeypatch.setattr(current, "services", lambda: other)
    assert (await api.get(path)).status_code == 200


async def test_token_is_random_and_at_least_32_characters(at_cashfree, path):
    (row,) = await rows(at_cashfree.services.database, CheckoutSessionRow)
    assert path == f"/pay/{row.token}"
    assert len(row.token) >= 32


async def test_sandbox_uses_no_page_of_ours(api, services):
    stored = await services.ordering.prepare(order_request())
    checkout = await services.checkouts.open(stored)
    assert "/pay/" not in checkout.url.replace("/sandbox/pay", "")
    assert await count(services.database, CheckoutSessionRow) == 0
