"""A dish that can't be cooked, on the kitchen's board and on the customer's pages.

Source: specification 10.67.
"""

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import check_accessibility
from tests.e2e.journey import at_confirmation
from tests.e2e.kitchen import TABLET, WHEN_STILL, enrol, order, ticket
from tests.e2e.network import NEEDED, come_back, go_offline
from tests.e2e.orders import paying, prepare

TWO_DISHES = ({"id": "101", "quantity": 1}, {"id": "104", "quantity": 1})
THALI, RAJMA, MAKHANI = "Everyday Veg Thali", "Rajma Chawal", "Dal Makhani"


@pytest.fixture
def tablet(visit, server):
    return enrol(visit(server, **TABLET), server)


@pytest.fixture
def page(visit, server):
    return visit(server, reduced_motion="reduce")  # axe would see colours that still change


@pytest.fixture
def placed(server, customer):
    """A paid order of two dishes: its number, and the path of its page."""
    prepared = prepare(server, customer, TWO_DISHES)
    with paying(server, prepared) as press:
        press()
    return prepared["orderId"], f"/forms/response/{prepared['responseToken']}"


@pytest.fixture
def thali_available(server):
    """Marks the dish as available after the test: other tests order it."""
    yield
    server.set_sold_out(1, "101", is_sold_out=False)


pytestmark = pytest.mark.usefixtures("thali_available")


def open_dialog(tablet, number):
    shown = ticket(tablet, number)
    more = shown.get_by_role("button", name=f"More of order {number}")
    more.evaluate(WHEN_STILL)
    more.click()
    button = shown.get_by_role("button", name=f"Can’t cook order {number}")
    button.evaluate(WHEN_STILL)
    button.click()
    return tablet.get_by_role("dialog", name=f"Can’t cook order {number}")


def report(tablet, number, what, reason="Dish is gone"):
    dialog = open_dialog(tablet, number)
    dialog.get_by_role("button", name=reason).click()
    button = dialog.get_by_role("button", name=what)
    button.evaluate(WHEN_STILL)
    button.click()
    expect(dialog).to_have_count(0)


def open_order(page, path):
    page.goto(path)
    expect(page.get_by_test_id("receipt")).to_be_visible()
    return page


def question(page, dish):
    return page.get_by_role("region", name=f"The kitchen can’t cook 1× {dish}")


def test_customer_chooses_another_dish_and_the_board_shows_it(tablet, page, placed):
    number, path = placed
    open_order(page, path)
    report(tablet, number, THALI)
    expect(ticket(tablet, number)).to_contain_text("Everyday Veg Thali can’t be cooked.")
    asked = question(page, THALI)
    expect(asked).to_be_visible(timeout=30_000)
    check_accessibility(page, "a choice")
    expect(ticket(tablet, number)).to_contain_text("The customer chooses until")
    asked.get_by_text("Another dish for ₹120").click()
    asked.get_by_role("button", name=MAKHANI).click()
    expect(asked).to_have_count(0)
    expect(page.get_by_text("Your choice is stored. The kitchen sees it.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_test_id("receipt")).to_contain_text(MAKHANI)
    expect(ticket(tablet, number)).to_contain_text(f"instead of {THALI}")


def test_rest_without_the_dish_costs_less_at_the_door(tablet, page, placed):
    number, path = placed
    open_order(page, path)
    expect(page.get_by_test_id("amount-due")).to_have_text("₹205")
    report(tablet, number, THALI)
    asked = question(page, THALI)
    asked.get_by_role("button", name="The rest without it").click(timeout=30_000)
    expect(page.get_by_test_id("amount-due")).to_have_text("₹85")
    expect(page.get_by_test_id("kitchen-progress")).to_have_text("Sent to the kitchen")
    expect(ticket(tablet, number).get_by_text(THALI)).to_have_count(0)


def test_whole_order_is_cancelled_and_its_customer_told(tablet, page, placed):
    number, path = placed
    open_order(page, path)
    report(tablet, number, "The whole order", "No gas")
    expect(page.get_by_test_id("money-back")).to_contain_text("₹45 goes back", timeout=30_000)
    expect(ticket(tablet, number)).to_contain_text("Cancelled.")


def test_kitchen_takes_a_slip_back_before_the_customer_is_told(tablet, page, placed):
    number, path = placed
    open_order(page, path)
    report(tablet, number, THALI)
    undo = ticket(tablet, number).get_by_role("button", name=f"Undo: {THALI} can be cooked")
    undo.evaluate(WHEN_STILL)
    undo.click()
    expect(undo).to_have_count(0)
    tablet.wait_for_timeout(11_000)
    expect(question(page, THALI)).to_have_count(0)
    expect(page.get_by_test_id("kitchen-progress")).to_have_text("Sent to the kitchen")


def test_choice_without_network_is_not_made_and_never_sent(tablet, page, placed):
    number, path = placed
    open_order(page, path)
    report(tablet, number, THALI)
    asked = question(page, THALI)
    expect(asked).to_be_visible(timeout=30_000)
    asked.get_by_text("Cancel the whole order").click()
    go_offline(page, "The connection is lost. Your order is safe; each tap tries again.")
    asked.get_by_role("button", name="Yes, cancel it").click()
    expect(page.get_by_text(NEEDED)).to_be_visible()
    come_back(page)
    asked.get_by_role("button", name="The rest without it").click()
    expect(page.get_by_test_id("amount-due")).to_have_text("₹85")


def test_confirmation_leads_to_the_choice_and_nowhere_else(tablet, page, placed):
    number, path = placed
    page.goto(f"/order-confirmation?order_id={number}&token={path.rpartition('/')[2]}")
    at_confirmation(page)
    expect(page.get_by_test_id("redirect-countdown")).to_be_visible()
    report(tablet, number, THALI)
    link = page.get_by_role("link", name="The kitchen can’t cook a dish. Please choose")
    expect(link).to_be_visible(timeout=30_000)
    expect(page.get_by_test_id("redirect-countdown")).to_have_count(0)
    check_accessibility(page, "an open choice on the confirmation")
    link.click()
    expect(question(page, THALI)).to_be_visible()


def test_own_orders_lead_to_the_choice(tablet, page, placed):
    number, path = placed
    open_order(page, path)
    page.evaluate("token => localStorage.setItem('ownOrders', token)", path.rpartition("/")[2])
    page.goto("/underprogress")
    expect(page.get_by_test_id(f"order-{number}")).to_contain_text("Sent to the kitchen")
    report(tablet, number, THALI)
    link = page.get_by_role("link", name="The kitchen can’t cook a dish. Please choose")
    link.click(timeout=30_000)
    expect(question(page, THALI)).to_be_visible()
    question(page, THALI).get_by_text("Cancel the whole order").click()
    question(page, THALI).get_by_role("button", name="Yes, cancel it").click()
    expect(page.get_by_test_id("money-back")).to_contain_text("₹45 goes back")


def test_dialog_is_accessible_and_closes_without_a_report(tablet, server, customer):
    number = order(server, customer)
    dialog = open_dialog(tablet, number)
    check_accessibility(tablet, "what can't be cooked")
    tablet.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(ticket(tablet, number)).not_to_contain_text("can’t be cooked")
