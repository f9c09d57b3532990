"""'Tell me when it is ready', from the button to the browser's push service.

The browser of these tests has no push service: a script stands in for its two functions.
Source: specification 10.30.
"""

import asyncio
import json
import threading
import time

import pytest
from playwright.sync_api import expect

from campus_app.shared.rules.constants import HELD_SECONDS
from tests.e2e.conftest import WEDNESDAY
from tests.e2e.kitchen import TABLET, enrol, press
from tests.e2e.orders import paying, prepare
from tests.e2e.server import Server
from tests.fakes.push_service import push_service
from tests.helpers import product_devices
from tests.helpers.product import eventually

PERMISSION = """answer => {
  Notification.requestPermission = async () => answer;
}"""
SUBSCRIPTION = """subscription => {
  let current = null;
  const object = { ...subscription, toJSON: () => subscription, unsubscribe: async () => true };
  PushManager.prototype.getSubscription = async () => current;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    window.serverKey = Array.from(applicationServerKey);
    return (current = object);
  };
}"""
COUNTED = """answer => {
  Notification.requestPermission = async () => {
    window.asked += 1;
    return answer;
  };
}"""
NEVER_READY = """() => Object.defineProperty(
  ServiceWorkerContainer.prototype, "ready", { get: () => new Promise(() => {}) },
)"""
LONGEST_WAIT_MS = 15_000
FAILED = "This browser can’t be told just now."
IPHONE = {"user_agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)"}
BUTTON = "Tell me when it is ready"


@pytest.fixture(scope="module")
def service():
    """A push service on an event loop of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    context = push_service()
    yield asyncio.run_coroutine_threadsafe(context.__aenter__(), loop).result()
    asyncio.run_coroutine_threadsafe(context.__aexit__(None, None, None), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture(scope="module")
def shop(tmp_path_factory, service):
    """An installation that may send to that push service; one kitchen uses the board."""
    server = Server(tmp_path_factory.mktemp("push") / "own", WEDNESDAY)
    server.settings["WEB_PUSH_ORIGINS"] = service.origin
    server.start()
    product_devices.enrol(server, 1)
    yield server
    server.stop()


@pytest.fixture
def confirmation(visit, shop, service):
    """A confirmation in a browser that can subscribe; returns page, order and subscription."""
    prepared = paid_order(shop)
    browser = service.browser()
    page = visit(shop, service_workers="allow")
    page.add_init_script(f"({PERMISSION})('granted'); ({SUBSCRIPTION})({browser.to_json()})")
    open_confirmation(page, prepared)
    return page, prepared["orderId"], browser


def paid_order(shop, **details):
    """Place and pay an order."""
    prepared = prepare(shop, "push@students.example", **details)
    with paying(shop, prepared) as pay:
        pay()
    return prepared


def open_confirmation(page, prepared):
    """Open the confirmation; return when it shows the progress of the kitchen."""
    query = f"order_id={prepared['orderId']}&token={prepared['responseToken']}"
    page.goto(f"/order-confirmation?{query}")
    page.clock.fast_forward(2_000)
    expect(page.get_by_test_id("kitchen-progress")).to_have_text("Sent to the kitchen")


def test_ready_order_sends_the_browser_a_message_when_two_seconds_passed(
    visit, shop, service, confirmation
):
    page, number, browser = confirmation
    page.get_by_role("button", name=BUTTON).click()
    expect(page.get_by_text("This device will tell you.")).to_be_visible()
    assert len(page.evaluate("serverKey")) == 65
    board = enrol(visit(shop, **TABLET), shop)
    pressed_at = time.time()
    press(board, number, "Ready")
    eventually(lambda: len(service.received_by(browser)) == 1, "the message")
    (message,) = service.received_by(browser)
    assert message.at - pressed_at >= HELD_SECONDS
    assert message.content["title"] == f"Order {number} is ready"
    assert message.content["url"] == "/underprogress"
    assert "push@students.example" not in json.dumps(message.content)
    expect(page.get_by_test_id("kitchen-progress")).to_have_text("Ready")
    expect(page.get_by_role("button", name=BUTTON)).to_have_count(0)


def test_subscription_ends_when_the_visitor_wants_none(visit, shop, service, confirmation):
    page, number, browser = confirmation
    page.get_by_role("button", name=BUTTON).click()
    page.get_by_role("button", name="Don’t tell me").click()
    expect(page.get_by_role("button", name=BUTTON)).to_be_visible()
    board = enrol(visit(shop, **TABLET), shop)
    press(board, number, "Ready")
    expect(page.get_by_test_id("kitchen-progress")).to_have_text("Ready")
    assert service.received_by(browser) == []


def test_subscription_is_still_shown_after_a_reload(confirmation):
    page, *_ = confirmation
    page.get_by_role("button", name=BUTTON).click()
    expect(page.get_by_text("This device will tell you.")).to_be_visible()
    page.add_init_script(
        "const { subscribe } = PushManager.prototype;"
        " PushManager.prototype.getSubscription = () =>"
        " subscribe({ applicationServerKey: new Uint8Array() });"
    )
    page.reload()
    page.clock.fast_forward(2_000)
    expect(page.get_by_text("This device will tell you.")).to_be_visible()


def test_page_never_asks_by_itself_and_says_when_it_is_blocked(confirmation):
    page, *_ = confirmation
    page.evaluate("() => { window.asked = 0; }")
    page.evaluate(f"() => ({COUNTED})('denied')")
    assert page.evaluate("asked") == 0
    page.get_by_role("button", name=BUTTON).click()
    expect(page.get_by_text("Notifications are blocked.")).to_be_visible()
    assert page.evaluate("asked") == 1


def test_button_can_be_pressed_again_after_each_refusal(confirmation):
    page, _, browser = confirmation
    other_host = browser.to_json(endpoint="https://push.example/1")
    page.evaluate(f"() => ({SUBSCRIPTION})({other_host})")
    for _ in range(3):
        page.get_by_role("button", name=BUTTON).click()
        expect(page.get_by_text(FAILED)).to_be_visible()
        expect(page.get_by_role("button", name=BUTTON)).to_have_attribute("aria-busy", "false")


def test_button_can_be_pressed_again_when_no_answer_comes(confirmation):
    page, *_ = confirmation
    page.evaluate(NEVER_READY)
    page.get_by_role("button", name=BUTTON).click()
    expect(page.get_by_role("button", name="One moment…")).to_be_visible()
    page.clock.fast_forward(LONGEST_WAIT_MS)
    expect(page.get_by_text(FAILED)).to_be_visible()
    expect(page.get_by_role("button", name=BUTTON)).to_be_visible()


@pytest.mark.parametrize("options", [{"service_workers": "allow"}, IPHONE])
def test_kitchen_without_a_board_offers_no_message(visit, shop, options):
    page = visit(shop, **options)
    if options is IPHONE:
        page.add_init_script("delete window.PushManager")
    prepared = paid_order(shop, restaurant_id=2, items=({"id": "202", "quantity": 2},))
    open_confirmation(page, prepared)
    expect(page.locator(".ready-push")).to_have_count(0)


def test_iphone_asks_for_the_home_screen_first(visit, shop):
    prepared = paid_order(shop)
    page = visit(shop, **IPHONE)
    page.add_init_script("delete window.PushManager")
    open_confirmation(page, prepared)
    page.get_by_role("button", name=BUTTON).click()
    expect(page.get_by_text("add this site to the home screen first")).to_be_visible()
