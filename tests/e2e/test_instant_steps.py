"""The stepper answers in its frame, whatever the network, and settles on the server's word."""

import json

import pytest
from playwright.sync_api import expect

from tests.e2e.journey import add, answers, arrive, bring_cart, stored, units_in
from tests.helpers.product import eventually

DISH = "Rajma Chawal"
OTHER = "Paneer Butter Masala"
_LOST_AFTER_MS = 8_000
_HYDRATED = '"is_hydrated_rx_state_":true'
_TAKEN = "cart_state.add_item"


class Line:
    """The socket of a page, on which what the page says may be held back."""

    def __init__(self, page):
        self.is_held = False
        self.is_whole = False
        self._held = []
        page.route_web_socket("**/_event/**", self._through)

    def _through(self, socket):
        self._server = socket.connect_to_server()
        socket.on_message(self._say)
        self._server.on_message(lambda message: self._hear(socket, message))

    def _hear(self, socket, message):
        self.is_whole |= _HYDRATED in str(message)
        socket.send(message)

    def _say(self, message):
        if self.is_held:
            self._held.append(message)
        else:
            self._server.send(message)

    def lose(self):
        """Let nobody ever hear what was held back."""
        self._held.clear()

    def release(self):
        """Let all that was held back through, and what comes after it."""
        self.is_held, held = False, self._held
        self._held = []
        for message in held:
            self._server.send(message)


@pytest.fixture
def page(visit, server):
    """A menu without a cart."""
    return visit(server)


@pytest.fixture
def line(page):
    return Line(page)


def group(page, dish=DISH):
    return page.get_by_role("group", name=dish, exact=True).first


def plus(page, dish=DISH):
    return group(page, dish).get_by_role("button", name=f"Add one {dish}", exact=True)


def minus(page, dish=DISH):
    return group(page, dish).get_by_role("button", name=f"Remove one {dish}", exact=True)


def quantity(page, dish=DISH):
    return group(page, dish).get_by_test_id("quantity")


def test_step_is_shown_before_server_responds(page, line):
    page.set_viewport_size({"width": 1280, "height": 900})  # the cart's lines stand beside the menu
    arrive(page, "/menu/1")
    line.is_held = True
    for _ in range(3):
        plus(page).click()
    minus(page).click()
    assert quantity(page).inner_text() == "2"
    assert page.get_by_test_id("item-104").get_by_test_id("line-total").inner_text() == "₹220"
    slip = page.get_by_label("Your cart", exact=True)
    assert slip.get_by_role("heading").inner_text() == "2 dishes"
    assert slip.get_by_role("listitem").inner_text().split("\n") == ["2×", DISH, "₹220"]
    assert page.get_by_test_id("total").inner_text() == "₹0"
    line.release()
    expect(page.get_by_test_id("total")).to_have_text("₹220")
    assert quantity(page).inner_text() == "2"


def test_step_is_shown_in_the_same_frame(page, line):
    arrive(page, "/menu/1")
    line.is_held = True
    shown = plus(page).evaluate(
        """button => new Promise((resolve) => {
            button.click();
            const quantity = button.parentElement.querySelector(".quantity");
            queueMicrotask(() => resolve(quantity.textContent));
        })"""
    )
    assert shown == "1"
    line.release()


def test_twenty_quick_steps_are_shown_in_order(page, line):
    arrive(page, "/menu/1")
    seen = page.evaluate_handle(
        """() => {
            const seen = [];
            const shown = document.querySelector("[data-testid=item-104] .quantity");
            new MutationObserver(() => seen.push(Number(shown.textContent))).observe(
                shown, { characterData: true, childList: true, subtree: true });
            return seen;
        }"""
    )
    line.is_held = True
    for button in [plus(page)] * 15 + [minus(page)] * 5:
        button.evaluate("button => button.click()")
    line.release()
    expect(page.get_by_test_id("total")).to_have_text("₹1,100")
    assert quantity(page).inner_text() == "10"
    assert seen.json_value() == [*range(1, 16), *range(14, 9, -1)]
    assert units_in(stored(page, "cart")) == 10


def test_rejected_step_is_reverted(page, server, line):
    arrive(page, "/menu/1")
    add(page, OTHER)
    server.remove_dish(1, DISH)
    eventually(lambda: DISH not in server.get("/api/menus/1").text, "it is sold no more")
    line.is_held = True
    plus(page).click()
    assert quantity(page).inner_text() == "1"
    line.release()
    expect(quantity(page)).to_have_text("0")
    expect(quantity(page, OTHER)).to_have_text("1")
    eventually(lambda: units_in(stored(page, "cart")) == 1, "the server agrees")


def test_lost_step_is_reverted_after_timeout(page, line):
    arrive(page, "/menu/1")
    add(page, DISH)
    line.is_held = True
    plus(page).click()
    assert quantity(page).inner_text() == "2"
    line.lose()
    page.clock.run_for(_LOST_AFTER_MS)
    expect(quantity(page)).to_have_text("1")
    line.release()
    add(page, DISH)
    assert quantity(page).inner_text() == "2"


def test_step_shows_nothing_until_new_cart_is_confirmed(page, server, line):
    bring_cart(page, server, restaurant=5, dishes="501:2")
    arrive(page, "/menu/1")
    eventually(lambda: page.evaluate("1") and line.is_whole, "the kept cart is known")
    line.is_held = True
    plus(page).click()
    assert quantity(page).inner_text() == "0"
    line.release()
    page.get_by_role("button", name="Start a new cart").click()
    expect(quantity(page)).to_have_text("1")
    expect(page.get_by_test_id("total")).to_have_text("₹110")


def test_quantity_is_limited_to_fifty_before_server_responds(page, server, line):
    bring_cart(page, server, dishes="104:49")
    arrive(page, "/menu/1")
    expect(quantity(page)).to_have_text("49")
    line.is_held = True
    for _ in range(3):
        plus(page).click()
    minus(page).click()
    assert quantity(page).inner_text() == "49"
    line.release()
    eventually(lambda: ":49" in stored(page, "cart"), "the server agrees")
    expect(quantity(page)).to_have_text("49")


def test_step_after_reload_is_shown_at_once(page, line):
    arrive(page, "/menu/1")
    add(page, DISH, DISH)
    page.reload()
    answers(page)
    expect(quantity(page)).to_have_text("2")
    line.is_held = True
    plus(page).click()
    assert quantity(page).inner_text() == "3"
    line.release()
    expect(page.get_by_test_id("total")).to_have_text("₹330")
    assert quantity(page).inner_text() == "3"


def test_two_tabs_show_the_same_quantity(page, server):
    arrive(page, "/menu/1")
    add(page, DISH)
    second = page.context.new_page()
    arrive(second, "/menu/1")
    expect(quantity(second)).to_have_text("1")
    add(second, DISH)
    expect(quantity(page)).to_have_text("2")
    add(page, DISH)
    expect(quantity(second)).to_have_text("3")


def test_steps_carry_increasing_sequence_numbers(page):
    told = []

    def note(said):
        told.append(said)

    page.on("websocket", lambda socket: socket.on("framesent", note))
    arrive(page, "/menu/1")
    add(page, DISH, OTHER, DISH)
    steps = [json.loads(said.partition(",")[2])[1] for said in told if _TAKEN in str(said)]
    turns = [step["payload"]["turn"] for step in steps]
    assert len(turns) == 3
    assert turns == sorted(set(turns))
