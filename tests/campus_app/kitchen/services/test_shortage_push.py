"""Push messages that an order can't be cooked as it was placed. Source: specification 10.67."""

from datetime import timedelta

import pytest

from campus_app.ordering.rules.shortage import WHOLE_ORDER, ShortageReason
from campus_app.ordering.services.shortages import KitchenActor
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.constants import ANSWER_MINUTES, SHORTAGE_UNDO_SECONDS
from tests.helpers.builders import order_request
from tests.helpers.flows import drain, pay
from tests.helpers.kitchens import enrol
from tests.helpers.push_fixtures import *  # noqa: F403

pytestmark = pytest.mark.anyio

CHICKEN, PANEER = "108", "112"


@pytest.fixture
async def order(services, service, clock):
    """A paid order to which a browser has subscribed."""
    await enrol(services)
    clock.advance(seconds=1)
    request = order_request(quantities={CHICKEN: 1, PANEER: 1})
    order = (await pay(services, await services.ordering.prepare(request))).order
    await drain(services)
    browser = service.browser(services.ready_push.public_key)
    assert await services.ready_push.subscribe(order, browser.to_json(), "en")
    return order


async def report(services, clock, order, *dishes):
    since = clock.now() - timedelta(days=1)
    by = KitchenActor(1, "tablet", Actor("kitchen 1"), since)
    for dish in dishes:
        await services.shortages.report(order.id, dish, ShortageReason.DISH_GONE, by)
    clock.advance(seconds=SHORTAGE_UNDO_SECONDS)
    for _ in range(3):
        await drain(services)
        clock.advance(seconds=1)


def titles_and_bodies(service):
    messages = [each.content for each in service.messages]
    return [(each["title"], each["body"]) for each in messages]


async def test_browser_gets_one_message_for_each_dish(services, service, clock, order):
    await report(services, clock, order, CHICKEN, PANEER)
    title = f"Order {order.number}: please choose until 13:10"
    assert sorted(titles_and_bodies(service)) == [
        (title, "Pehla Food Point can't cook Chicken Thali."),
        (title, "Pehla Food Point can't cook Paneer Butter Masala."),
    ]


async def test_browser_gets_one_message_when_the_order_goes_back(services, service, clock, order):
    await report(services, clock, order, WHOLE_ORDER)
    assert titles_and_bodies(service) == [
        (
            f"Order {order.number}: your money goes back to you",
            "Pehla Food Point can't cook your order.",
        )
    ]


async def test_browser_is_told_when_the_time_to_choose_is_over(services, service, clock, order):
    await report(services, clock, order, CHICKEN)
    clock.advance(minutes=ANSWER_MINUTES)
    await drain(services)
    titles = [title for title, _ in titles_and_bodies(service)]
    assert titles[1:] == [f"Order {order.number}: your money goes back to you"]


async def test_order_that_an_operator_gives_back_asks_nothing(services, service, clock, order):
    by = KitchenActor(1, "tablet", Actor("kitchen 1"), clock.now() - timedelta(days=1))
    await services.shortages.report(order.id, CHICKEN, ShortageReason.DISH_GONE, by)
    await services.operations.refund(order.number, Actor("asha"), force=True)
    clock.advance(seconds=SHORTAGE_UNDO_SECONDS)
    await drain(services)
    assert titles_and_bodies(service) == []
