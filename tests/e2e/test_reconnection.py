"""A page whose connection is lost connects again after a random time, and every tap counts once."""

import json
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.e2e.desk import enter
from tests.e2e.journey import (
    at_details,
    freeze_clock,
    local_storage,
    open_page,
    to_checkout,
    units_in,
)
from tests.e2e.kitchen import TABLET, enrol
from tests.e2e.network import PageSocket, noted
from tests.helpers.product import eventually
from tests.helpers.reconnection import BACKOFF_MS, MOST_ATTEMPTS, PROBE_MS, RECONNECTING, SPREAD_MS

DISH = "Rajma Chawal"
RECORD = (
    f"window.attempts = []; addEventListener('{RECONNECTING}', () => attempts.push(Date.now()))"
)
QUIET = "/terms"
"""A page without heartbeats: whatever sends an event connects at once."""
_TAP = "cart_state.add_dish"
_CONFIRMED = '"sequence_rx_state_"'
_HYDRATED = '"is_hydrated_rx_state_":true'
_STALLED_AFTER_MS = 8_000
LOST = "The connection is lost. Your cart is safe; each tap tries again."
SILENT = "No answer from the server yet. Your cart is kept."
_MARGIN_MS = 20
"""A test's own steps take no time of the page's clock; timers have whole milliseconds."""


class Connections:
    """The sockets of a page: the test drops messages and ends connections."""

    def __init__(self, page):
        self.count = 0
        self.dropped = []
        self.passed = []
        self._drops = ()
        self._page = page
        self._ends = []
        page.route_web_socket("**/_event/**", self._open)

    def drop(self, *texts):
        """From now on drop the messages with one of these texts."""
        self._drops = texts

    def end(self):
        """End the connection; the page has noticed when this returns."""
        self._drops = ()
        for each in self._ends:
            each.close()
        self._page.evaluate("1")

    def _open(self, socket):
        self.count += 1
        server = socket.connect_to_server()
        self._ends = [socket, server]
        socket.on_message(lambda message: self._pass(server, message))
        server.on_message(lambda message: self._pass(socket, message))

    def _pass(self, recipient, message):
        if any(text in str(message) for text in self._drops):
            self.dropped.append(message)
        else:
            self.passed.append(str(message))
            recipient.send(message)


@pytest.fixture
def connections(page):
    return Connections(page)


def plus(page):
    group = page.get_by_role("group", name=DISH, exact=True).first
    return group.get_by_role("button", name=f"Add one {DISH}", exact=True)


def tap(page, expected):
    plus(page).click()
    expect_quantity(page, expected)


def expect_quantity(page, expected):
    group = page.get_by_role("group", name=DISH, exact=True).first
    expect(group.get_by_test_id("quantity")).to_have_text(str(expected))


def expect_cart(page, units):
    """Expect that the server has confirmed a cart of so many dishes at 110 rupees."""
    expect(page.get_by_test_id("total")).to_have_text(f"₹{110 * units}")
    expect_quantity(page, units)
    eventually(lambda: units_in(local_storage(page, "cart")) == units, f"a cart of {units}")


def wait_until_passed(page, connections, text, description):
    eventually(
        lambda: page.evaluate("1") and any(text in each for each in connections.passed), description
    )


def wait_for_message(page, connections, text):
    """Wait until a message with this text was dropped."""
    eventually(
        lambda: page.evaluate("1") and any(text in str(each) for each in connections.dropped),
        f"{text} is dropped",
    )


def test_page_reconnects_after_a_random_part_of_two_seconds(page, connections):
    share = 0.5
    page.add_init_script(RECORD)
    open_page(page, QUIET)
    page.wait_for_function("() => window.isHydrated")
    page.evaluate(f"Math.random = () => {share}")
    freeze_clock(page)
    connections.end()
    page.clock.run_for(SPREAD_MS * share - _MARGIN_MS)
    assert (page.evaluate("attempts.length"), connections.count) == (0, 1)
    page.clock.run_for(2 * _MARGIN_MS)
    assert page.evaluate("attempts.length") == 1
    eventually(lambda: page.evaluate("1") and connections.count == 2, "the page connects")


def test_five_attempts_follow_a_loss_then_each_online_event_or_press(page):
    """Source: specification 4.5, 9.22."""
    share = 0.8
    page.add_init_script(RECORD)
    line = PageSocket(page)
    open_page(page, QUIET)
    page.wait_for_function("() => window.isHydrated")
    page.evaluate(f"Math.random = () => {share}")
    freeze_clock(page)
    line.disconnect()
    eventually(lambda: attempts_after(page, _MARGIN_MS), "the page has noticed")
    for _ in range(60):
        page.clock.run_for(1_000)
    attempts = page.evaluate("attempts")
    waits = [after - before for before, after in pairwise(attempts)]
    expected = [BACKOFF_MS * 2**failed * (0.5 + share / 2) for failed in range(MOST_ATTEMPTS - 1)]
    assert waits == pytest.approx(expected, abs=2)
    expect(page.get_by_text(LOST)).to_be_visible()
    line.reconnect()
    page.evaluate("dispatchEvent(new Event('online'))")
    assert page.evaluate("attempts.length") == MOST_ATTEMPTS + 1
    page.clock.resume()
    expect(page.get_by_text(LOST)).to_have_count(0)


def test_page_returns_after_an_outage_that_ends_after_the_last_attempt(visit, own_server):
    """Source: specification 4.5."""
    page = visit(own_server)
    page.add_init_script(RECORD)
    open_page(page, QUIET)
    page.wait_for_function("() => window.isHydrated")
    page.evaluate("Math.random = () => 0.8")
    freeze_clock(page)
    unanswered = noted(page, "requestfailed", "/ping")
    own_server.kill()
    eventually(lambda: attempts_after(page, 500) == MOST_ATTEMPTS, "the last attempt")
    eventually(lambda: page.clock.run_for(10) or unanswered, "the page asks over HTTP")
    assert page.evaluate("Date.now() - attempts.at(-1)") < PROBE_MS
    own_server.start()
    eventually(lambda: attempts_after(page, 500) > MOST_ATTEMPTS, "the page tries again")
    page.clock.resume()
    expect(page.get_by_text(LOST)).to_have_count(0)


@pytest.mark.parametrize("open_screen", [enrol, enter], ids=["board", "desk"])
def test_page_that_nobody_touches_goes_on_connecting(visit, server, open_screen):
    """Its sockets alone are refused, as while Redis is down. Source: specification 4.5."""
    page = visit(server, **TABLET)
    socket = PageSocket(page)
    page.add_init_script(RECORD)
    open_screen(page, server)
    freeze_clock(page)
    socket.disconnect()
    eventually(lambda: attempts_after(page, 1_000) > 2 * MOST_ATTEMPTS, "more than five attempts")
    socket.reconnect()
    page.clock.resume()
    expect(page.get_by_test_id("connection")).to_have_text("LIVE")


def test_silence_after_next_is_said_within_three_seconds(page, server, connections):
    to_checkout(page, server)
    freeze_clock(page)
    connections.drop("checkout_state.next")
    page.get_by_role("button", name="NEXT").click()
    wait_for_message(page, connections, "checkout_state.next")
    page.clock.run_for(3_000)
    expect(page.get_by_text(SILENT)).to_be_visible()
    connections.drop()
    page.clock.resume()
    page.clock.run_for(10_000)
    expect(page.get_by_text(SILENT)).to_have_count(0)
    page.get_by_role("button", name="NEXT").click()
    at_details(page)


def test_push_is_no_answer_to_next(page, server, connections):
    """A line may be blocked in one direction: pushes arrive, and what the page sends does not."""
    to_checkout(page, server)
    freeze_clock(page)
    connections.drop("checkout_state.next")
    button = page.get_by_role("button", name="NEXT")
    button.click()
    wait_for_message(page, connections, "checkout_state.next")
    server.set_override(5, is_open=False)
    wait_until_passed(page, connections, '"isPush":true', "the push arrives")
    expect(button).to_have_attribute("aria-busy", "true")
    page.clock.run_for(3_000)
    expect(page.get_by_text(SILENT)).to_be_visible()


def attempts_after(page, milliseconds):
    """Let the page's clock run; return the number of attempts to connect."""
    page.clock.run_for(milliseconds)
    return page.evaluate("attempts.length")


def test_tap_connects_at_once_while_the_page_waits(page, connections):
    open_page(page, "/menu/1")
    page.wait_for_function("() => window.isHydrated")
    freeze_clock(page)
    connections.end()
    plus(page).click()
    eventually(lambda: page.evaluate("1") and connections.count == 2, "the page connects")
    page.clock.resume()
    expect_cart(page, 1)


def test_tap_counts_once_when_the_server_never_received_it(page, connections):
    open_page(page, "/menu/1")
    tap(page, 1)
    expect_cart(page, 1)
    connections.drop(_TAP)
    tap(page, 2)
    tap(page, 3)
    wait_for_message(page, connections, _TAP)
    connections.end()
    expect_quantity(page, 3)
    expect_cart(page, 3)
    tap(page, 4)
    expect_cart(page, 4)


def test_tap_counts_once_when_its_confirmation_was_lost(page, connections):
    """The session is still there: its cart has the tap already."""
    open_page(page, "/menu/1")
    tap(page, 1)
    expect_cart(page, 1)
    connections.drop(_CONFIRMED)
    tap(page, 2)
    wait_for_message(page, connections, _CONFIRMED)
    connections.end()
    expect_cart(page, 2)
    tap(page, 3)
    expect_cart(page, 3)


def test_tap_counts_once_when_the_page_is_reloaded_before_it_is_confirmed(page, connections):
    open_page(page, "/menu/1")
    tap(page, 1)
    expect_cart(page, 1)
    connections.drop(_CONFIRMED)
    tap(page, 2)
    wait_for_message(page, connections, _CONFIRMED)
    connections.drop()
    page.reload()
    expect_cart(page, 2)
    tap(page, 3)
    expect_cart(page, 3)


def test_tap_that_was_not_confirmed_closes_no_connection_of_another_screen(page, connections):
    """Only a menu waits for the answer to a tap: on others nothing confirms it to the cart."""
    open_page(page, "/menu/1")
    freeze_clock(page)  # the menu itself would end the connection after eight seconds
    connections.drop(_TAP)
    tap(page, 1)
    wait_for_message(page, connections, _TAP)
    connections.passed.clear()
    page.get_by_role("navigation").get_by_role("link", name="TERMS").click()
    page.wait_for_url(f"**{QUIET}")
    wait_until_passed(page, connections, _HYDRATED, "the screen has its data")
    page.clock.resume()
    connections.passed.clear()
    connections.end()
    wait_until_passed(page, connections, _HYDRATED, "the page has connected again")
    for _ in range(3):
        page.clock.run_for(_STALLED_AFTER_MS)
        eventually(lambda: page.evaluate("window.isHydrated"), "the page is connected")
    assert connections.count == 2
    page.go_back()
    expect_cart(page, 1)
    assert connections.count == 2


def test_control_tap_is_lost_when_the_page_does_not_store_it(page, connections):
    """The browser's storage keeps the cart of before the tap, as without the guard."""
    page.add_init_script(
        f"addEventListener('{RECONNECTING}', (event) => event.stopImmediatePropagation())"
    )
    open_page(page, "/menu/1")
    tap(page, 1)
    expect_cart(page, 1)
    connections.drop(_TAP)
    tap(page, 2)
    wait_for_message(page, connections, _TAP)
    connections.end()
    eventually(lambda: page.evaluate("1") and connections.count > 1, "the page connects")
    expect(page.get_by_test_id("total")).to_have_text("₹110")
    assert units_in(local_storage(page, "cart")) == 1
    assert json.loads(connections.dropped[0].partition(",")[2])[1]["payload"]["sequence"] > 1
