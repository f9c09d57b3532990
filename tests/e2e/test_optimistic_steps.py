"""The stepper shows a step at once, and then the server's quantity."""

import json

import pytest
from playwright.sync_api import expect

from tests.e2e.journey import (
    add,
    freeze_clock,
    local_storage,
    open_page,
    store_cart,
    units_in,
    wait_until_hydrated,
)
from tests.helpers.product import eventually

DISH = "Rajma Chawal"
OTHER = "Paneer Butter Masala"
_SILENT_MS = 3_000
_STALLED_AFTER_MS = 8_000
SILENT = "No answer from the server yet. Your cart is kept."
_HYDRATED = '"is_hydrated_rx_state_":true'
_TAKEN = "cart_state.add_dish"


class PageSocket:
    """A page's WebSocket whose sent messages can be held."""

    def __init__(self, page):
        self.is_held = False
        self.is_hydrated = False
        self._held = []
        page.route_web_socket("**/_event/**", self._connect)

    def _connect(self, socket):
        self._server = socket.connect_to_server()
        socket.on_message(self._send)
        self._server.on_message(lambda message: self._receive(socket, message))

    def _receive(self, socket, message):
        self.is_hydrated |= _HYDRATED in str(message)
        socket.send(message)

    def _send(self, message):
        if self.is_held:
            self._held.append(message)
        else:
            self._server.send(message)

    def drop(self):
        """Drop the held messages; return them."""
        dropped, self._held = self._held, []
        return dropped

    def release(self):
        """Send the held messages, and stop holding."""
        self.is_held, held = False, self._held
        self._held = []
        for message in held:
            self._server.send(message)


@pytest.fixture
def socket(page):
    return PageSocket(page)


def group(page, dish=DISH):
    return page.get_by_role("group", name=dish, exact=True).first


def plus(page, dish=DISH):
    return group(page, dish).get_by_role("button", name=f"Add one {dish}", exact=True)


def minus(page):
    return group(page, DISH).get_by_role("button", name=f"Remove one {DISH}", exact=True)


def quantity(page, dish=DISH):
    return group(page, dish).get_by_test_id("quantity")


def test_step_is_shown_before_server_responds(page, socket):
    page.set_viewport_size({"width": 1280, "height": 900})  # the cart's lines are beside the menu
    open_page(page, "/menu/1")
    eventually(lambda: page.evaluate("1") and socket.is_hydrated, "the server has answered")
    socket.is_held = True
    for _ in range(3):
        plus(page).click()
    minus(page).click()
    assert quantity(page).inner_text() == "2"
    assert page.get_by_test_id("item-104").get_by_test_id("line-total").inner_text() == "₹220"
    slip = page.get_by_label("Your cart", exact=True)
    assert slip.get_by_role("heading").inner_text() == "2 dishes"
    assert slip.get_by_role("listitem").inner_text().split("\n") == ["2×", DISH, "₹220"]
    assert page.get_by_test_id("total").inner_text() == "₹0"
    socket.release()
    expect(page.get_by_test_id("total")).to_have_text("₹220")
    assert quantity(page).inner_text() == "2"


def test_quantity_is_announced_once_after_quick_steps(page):
    open_page(page, "/menu/1")
    announced = page.evaluate_handle(
        """() => {
            const announced = [];
            const region = document.querySelector(".cart > [role=status]");
            new MutationObserver(() => announced.push(region.textContent)).observe(
                region, { characterData: true, childList: true, subtree: true });
            return announced;
        }"""
    )
    plus(page).evaluate("button => [1, 2, 3].forEach(() => button.click())")
    words = page.get_by_role("status").filter(has_text=f"{DISH}: 3 in your cart")
    expect(words).to_have_count(1)
    plus(page, OTHER).click()
    expect(words).to_have_count(0)
    eventually(lambda: len(announced.json_value()) == 2, "the other dish is announced")
    assert announced.json_value() == [f"{DISH}: 3 in your cart", f"{OTHER}: 1 in your cart"]


def test_fifty_first_unit_is_refused_with_a_message(page, server):
    store_cart(page, server, dishes="104:50")
    open_page(page, "/menu/1")
    plus(page).click()
    refusal = page.get_by_role("alert").filter(has_text="An order has at most 50 of one dish.")
    expect(refusal).to_be_in_viewport()
    expect(quantity(page)).to_have_text("50")
    minus(page).click()
    expect(refusal).to_have_count(0)
    expect(quantity(page)).to_have_text("49")


def test_step_is_shown_in_the_same_frame(page, socket):
    open_page(page, "/menu/1")
    socket.is_held = True
    shown = plus(page).evaluate(
        """button => new Promise((resolve) => {
            button.click();
            const quantity = button.parentElement.querySelector(".quantity");
            queueMicrotask(() => resolve(quantity.textContent));
        })"""
    )
    assert shown == "1"
    socket.release()


def test_twenty_quick_steps_are_shown_in_order(page, socket):
    open_page(page, "/menu/1")
    seen = page.evaluate_handle(
        """() => {
            const seen = [];
            const shown = document.querySelector("[data-testid=item-104] .quantity");
            new MutationObserver(() => seen.push(Number(shown.textContent))).observe(
                shown, { characterData: true, childList: true, subtree: true });
            return seen;
        }"""
    )
    socket.is_held = True
    for button in [plus(page)] * 15 + [minus(page)] * 5:
        button.evaluate("button => button.click()")
    socket.release()
    expect(page.locator(".cart:not(.awaited)")).to_have_count(1)  # the server has confirmed all
    expect(page.get_by_test_id("total")).to_have_text("₹1,100")
    assert quantity(page).inner_text() == "10"
    assert seen.json_value() == [*range(1, 16), *range(14, 9, -1)]
    assert units_in(local_storage(page, "cart")) == 10


def test_rejected_step_is_reverted(page, server, socket):
    open_page(page, "/menu/1")
    add(page, OTHER)
    freeze_clock(page)  # the next heartbeat would take the dish off the screen
    server.remove_dish(1, DISH)
    eventually(lambda: DISH not in server.get("/api/menus/1").text, "it is sold no more")
    socket.is_held = True
    plus(page).click()
    assert quantity(page).inner_text() == "1"
    socket.release()
    expect(quantity(page)).to_have_text("0")
    expect(quantity(page, OTHER)).to_have_text("1")
    eventually(lambda: units_in(local_storage(page, "cart")) == 1, "the server agrees")


def test_step_without_an_answer_counts_once_when_the_page_connects_again(page, socket):
    """A step that was sent is never taken back: the server may have counted it."""
    open_page(page, "/menu/1")
    add(page, DISH)
    freeze_clock(page)  # the page connects again by itself, eight seconds after the step
    socket.is_held = True
    plus(page).click()
    eventually(lambda: page.evaluate("1") and socket.drop(), "the step is sent")
    page.clock.run_for(_SILENT_MS)
    expect(page.get_by_text(SILENT)).to_be_visible()
    assert quantity(page).inner_text() == "2"
    socket.is_held = False
    page.clock.resume()
    page.clock.run_for(_STALLED_AFTER_MS)
    expect(page.get_by_test_id("total")).to_have_text("₹220")
    assert quantity(page).inner_text() == "2"
    expect(page.get_by_text(SILENT)).to_have_count(0)
    add(page, DISH)
    assert units_in(local_storage(page, "cart")) == 3


def test_step_shows_nothing_until_new_cart_is_confirmed(page, server, socket):
    store_cart(page, server, restaurant=5, dishes="501:2")
    open_page(page, "/menu/1")
    eventually(lambda: page.evaluate("1") and socket.is_hydrated, "the stored cart is shown")
    socket.is_held = True
    plus(page).click()
    assert quantity(page).inner_text() == "0"
    socket.release()
    page.get_by_role("button", name="Start a new cart").click()
    expect(quantity(page)).to_have_text("1")
    expect(page.get_by_test_id("total")).to_have_text("₹110")


def test_quantity_is_limited_to_fifty_before_server_responds(page, server, socket):
    store_cart(page, server, dishes="104:49")
    open_page(page, "/menu/1")
    expect(quantity(page)).to_have_text("49")
    socket.is_held = True
    for _ in range(3):
        plus(page).click()
    minus(page).click()
    assert quantity(page).inner_text() == "49"
    socket.release()
    eventually(lambda: ":49" in local_storage(page, "cart"), "the server agrees")
    expect(quantity(page)).to_have_text("49")


def test_step_after_reload_is_shown_at_once(page, socket):
    open_page(page, "/menu/1")
    add(page, DISH, DISH)
    page.reload()
    wait_until_hydrated(page)
    expect(quantity(page)).to_have_text("2")
    socket.is_held = True
    plus(page).click()
    assert quantity(page).inner_text() == "3"
    socket.release()
    expect(page.get_by_test_id("total")).to_have_text("₹330")
    assert quantity(page).inner_text() == "3"


def test_two_tabs_show_the_same_quantity(page):
    open_page(page, "/menu/1")
    add(page, DISH)
    second = page.context.new_page()
    open_page(second, "/menu/1")
    expect(quantity(second)).to_have_text("1")
    add(second, DISH)
    expect(quantity(page)).to_have_text("2")
    add(page, DISH)
    expect(quantity(second)).to_have_text("3")


def test_steps_carry_increasing_sequence_numbers(page):
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(str(text))))
    open_page(page, "/menu/1")
    add(page, DISH, OTHER, DISH)
    steps = [json.loads(message.partition(",")[2])[1] for message in sent if _TAKEN in message]
    sequence = [step["payload"]["sequence"] for step in steps]
    assert len(sequence) == 3
    assert sequence == sorted(set(sequence))
