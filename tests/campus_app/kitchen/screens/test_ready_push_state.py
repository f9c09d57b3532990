"""'Tell me when it is ready' on the confirmation. Source: specification 10.30."""

import pytest

from campus_app.kitchen.screens.ready_push_state import ReadyPushState
from kit.db.errors import DatabaseUnavailable
from tests.helpers.builders import order_request
from tests.helpers.flows import pay
from tests.helpers.kitchens import enrol
from tests.helpers.push_fixtures import *  # noqa: F403

pytestmark = pytest.mark.anyio


@pytest.fixture
def browser(service, services):
    """A browser with a push subscription."""
    return service.browser(services.ready_push.public_key)


@pytest.fixture
async def paid(services):
    """A paid order of a kitchen that uses the board."""
    await enrol(services)
    return (await pay(services, await services.ordering.prepare(order_request()))).order


@pytest.fixture
async def confirmation(open_tab, paid):
    """A tab on the confirmation of the order, with its token."""
    tab = open_tab()
    await tab.visit(f"/order-confirmation?order_id={paid.number}&token={paid.response_token}")
    await tab.call(ReadyPushState.check, "")
    return tab


async def test_check_sends_the_key_of_the_server(confirmation, services):
    assert confirmation.get(ReadyPushState.public_key) == services.ready_push.public_key
    assert confirmation.get(ReadyPushState.is_offered) is True
    assert confirmation.get(ReadyPushState.is_subscribed) is False


async def test_subscription_is_stored_and_recognised(confirmation, services, paid, browser):
    await confirmation.call(ReadyPushState.subscribe, browser.to_json())
    assert confirmation.get(ReadyPushState.is_subscribed) is True
    assert await services.ready_push.is_subscribed(paid, browser.endpoint)
    await confirmation.call(ReadyPushState.check, browser.endpoint)
    assert confirmation.get(ReadyPushState.is_subscribed) is True


async def test_unsubscribe_deletes_the_subscription(confirmation, services, paid, browser):
    await confirmation.call(ReadyPushState.subscribe, browser.to_json())
    await confirmation.call(ReadyPushState.unsubscribe, browser.endpoint)
    assert confirmation.get(ReadyPushState.is_subscribed) is False
    assert not await services.ready_push.is_subscribed(paid, browser.endpoint)


@pytest.mark.parametrize("value", ["", "{}", "null", '{"endpoint": "https://evil.example"}', None])
async def test_invalid_subscription_is_refused_and_said(confirmation, value):
    await confirmation.call(ReadyPushState.subscribe, value)
    assert confirmation.get(ReadyPushState.is_subscribed) is False
    assert confirmation.get(ReadyPushState.has_failed) is True


async def test_every_refusal_is_an_answer_of_its_own(confirmation):
    answers = []
    for _ in range(3):
        await confirmation.call(ReadyPushState.subscribe, "{}")
        assert confirmation.get(ReadyPushState.has_failed) is True
        answers.append(confirmation.get(ReadyPushState.answers))
    assert answers == sorted(set(answers))


async def test_check_offers_nothing_when_kitchen_has_no_board(open_tab, services):
    paid = (await pay(services, await services.ordering.prepare(order_request()))).order
    tab = open_tab()
    await tab.visit(f"/order-confirmation?order_id={paid.number}&token={paid.response_token}")
    await tab.call(ReadyPushState.check, "")
    assert tab.get(ReadyPushState.answers) == 1
    assert tab.get(ReadyPushState.is_offered) is False
    assert tab.get(ReadyPushState.public_key) == ""


async def test_check_and_subscribe_answer_when_database_fails(
    confirmation, services, browser, monkeypatch
):
    async def fail(_lookup, _key):
        raise DatabaseUnavailable("down")

    monkeypatch.setattr(type(services.lookup), "by_id", fail)
    before = confirmation.get(ReadyPushState.answers)
    await confirmation.call(ReadyPushState.subscribe, browser.to_json())
    assert confirmation.get(ReadyPushState.has_failed) is True
    await confirmation.call(ReadyPushState.check, browser.endpoint)
    assert confirmation.get(ReadyPushState.is_offered) is False
    assert confirmation.get(ReadyPushState.answers) == before + 2


async def test_subscribe_stores_nothing_without_the_orders_token(open_tab, services, paid, browser):
    tab = open_tab()
    await tab.visit(f"/order-confirmation?order_id={paid.number}")
    await tab.call(ReadyPushState.check, browser.endpoint)
    await tab.call(ReadyPushState.subscribe, browser.to_json())
    assert tab.get(ReadyPushState.has_failed) is True
    assert tab.get(ReadyPushState.public_key) == ""
    assert not await services.ready_push.is_subscribed(paid, browser.endpoint)
