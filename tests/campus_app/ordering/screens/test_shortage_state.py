"""What a customer may choose for a dish that can't be cooked. Source: specification 10.67."""

import logging
from datetime import timedelta

import pytest

from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.shortage import ShortageReason
from campus_app.ordering.screens.receipt_state import ReceiptState
from campus_app.ordering.screens.shortage_state import ShortageState
from campus_app.ordering.services.shortages import KitchenActor
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.constants import ANSWER_MINUTES, SHORTAGE_UNDO_SECONDS
from campus_app.shared.rules.messages import Severity, ShortageMessage
from campus_app.shell.banner_state import BannerState
from tests.helpers.builders import order_request
from tests.helpers.flows import drain, pay

pytestmark = pytest.mark.anyio

CHICKEN, PANEER, BIRYANI = "108", "112", "119"
INVALID = [None, 5, True, 1.5, "x" * 5_000, "\x00", "é", [], ["order_back"], {}, {"a": 1}]


@pytest.fixture
async def order(services, clock):
    """A paid order whose chicken can't be cooked, of which its customer has been told."""
    request = order_request(quantities={CHICKEN: 1, PANEER: 1})
    order = (await pay(services, await services.ordering.prepare(request))).order
    by = KitchenActor(1, "tablet", Actor("kitchen 1"), clock.now() - timedelta(days=1))
    await services.shortages.report(order.id, CHICKEN, ShortageReason.DISH_GONE, by)
    clock.advance(seconds=SHORTAGE_UNDO_SECONDS)
    await drain(services)
    return order


@pytest.fixture
async def receipt(tab, order):
    """A tab with the order's receipt and its choices."""
    await tab.visit(order.response_path)
    await tab.call(ShortageState.show)
    return tab


async def current(services, order):
    return (await services.lookup.by_id(order.id)).order


async def test_choices_name_the_dish_the_time_and_what_follows(receipt):
    (choice,) = receipt.get(ShortageState.choices)
    assert choice == {
        "dish_id": CHICKEN,
        "dish": "1×\N{NO-BREAK SPACE}Chicken Thali",
        "reason": "It is gone.",
        "until": "13:10",
        "price": "₹180",
        "instead": [{"id": BIRYANI, "name": "Chicken Dum Biryani"}],
        "less": "You pay ₹180 less upon delivery.",
        "whole": "₹45",
    }


async def test_choice_changes_the_receipt(receipt, services, order):
    await receipt.call(ShortageState.choose, CHICKEN, "dish_back")
    assert receipt.get(ShortageState.choices) == []
    assert receipt.get(ReceiptState.facts)["due"] == "₹135"
    assert len((await current(services, order)).lines) == 1
    assert receipt.get(BannerState.message) == ShortageMessage.STORED
    assert receipt.get(BannerState.severity) == Severity.SUCCESS


async def test_dish_instead_is_on_the_receipt(receipt):
    await receipt.call(ShortageState.choose, CHICKEN, "replaced", BIRYANI)
    assert [line["name"] for line in receipt.get(ReceiptState.lines)] == [
        "Chicken Dum Biryani",
        "Paneer Butter Masala",
    ]


async def test_choice_that_is_over_says_so_and_changes_nothing(receipt, services, order, clock):
    clock.advance(minutes=ANSWER_MINUTES)
    await receipt.call(ShortageState.choose, CHICKEN, "dish_back")
    assert receipt.get(BannerState.message) == ShortageMessage.TOO_LATE
    assert (await current(services, order)).lines == order.lines
    await drain(services)
    await receipt.call(ShortageState.show)
    assert receipt.get(ReceiptState.facts)["stamp"] == "MONEY COMES BACK"


async def test_visitor_without_the_orders_address_can_not_choose(tab, services, order):
    await tab.visit("/underprogress")
    await tab.call(ShortageState.show)
    assert tab.get(ShortageState.choices) == []
    await tab.call(ShortageState.choose, CHICKEN, "order_back")
    assert (await current(services, order)).state is OrderState.CONFIRMED


@pytest.mark.parametrize("argument", range(3), ids=["dish_id", "answer", "instead"])
async def test_choose_ignores_invalid_arguments(argument, receipt, services, order, caplog):
    for value in INVALID:
        arguments = [CHICKEN, "replaced", BIRYANI]
        arguments[argument] = value
        await receipt.call(ShortageState.choose, *arguments)
        assert (await current(services, order)).lines == order.lines, value
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []
