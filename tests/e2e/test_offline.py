"""A phone that loses its network: one line says so, dishes can be added, and the return is silent."""

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import check_accessibility
from tests.e2e.frames import wait_for_fonts, wait_for_frames
from tests.e2e.journey import (
    LUNCH,
    add,
    at_checkout,
    at_details,
    at_waiting_room,
    confirm_details,
    freeze_clock,
    give_details,
    local_storage,
    open_page,
    press_pay,
    to_checkout,
    to_details,
    units_in,
)
from tests.e2e.network import (
    ASKED_MS,
    NEEDED,
    PageSocket,
    come_back,
    connection,
    go_offline,
    line,
    lose_network,
)
from tests.helpers.product import eventually

KEPT = "No connection. What you add is kept on this device."
LOST = "The connection is lost. Your cart is safe; each tap tries again."
TARA = "No connection. This page connects again by itself."
DISH = "Rajma Chawal"
_PROCEED = "cart_state.proceed"
_BLIP_MS = 900
_LONGEST_MS = 3_000
_WRONG_ONLINE = """() => {
  Object.defineProperty(navigator, "onLine", { value: false });
  dispatchEvent(new Event("offline"));
}"""
_SAY_ONLINE = "is => Object.defineProperty(navigator, 'onLine', { value: is, configurable: true })"
_RECORD = """() => {
  window.said = [];
  const places = ".connection-banner, .toasts, .notice-band, [role=alert], [role=alertdialog]";
  const look = () => {
    const texts = [...document.querySelectorAll(places)].map((each) => each.textContent.trim());
    const now = texts.filter(Boolean).join(" | ");
    if (now !== said.at(-1)) said.push(now);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  look();
}"""
"""Records what the page says in banners, toasts and alerts, from now on."""


@pytest.fixture
def sockets(page):
    sockets = []
    page.on("websocket", lambda socket: sockets.append(socket))  # noqa: PLW0108 - Playwright wants a function
    return sockets


@pytest.fixture
def sent(page):
    """The messages that the page has sent."""
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(str(text))))
    return sent


def open_menu(page, *dishes):
    open_page(page, "/menu/1")
    expect(page.get_by_test_id("total")).to_have_text("₹0")  # the server has answered
    add(page, *dishes)


def dish(page):
    return page.get_by_role("group", name=DISH, exact=True).first


def step(page, name="Add one"):
    return dish(page).get_by_role("button", name=f"{name} {DISH}", exact=True)


def proceed_button(page):
    return page.get_by_role("button", name="PROCEED TO CART")


def test_offline_line_shows_within_three_seconds_and_moves_nothing(page):
    open_menu(page)
    wait_for_fonts(page)
    button = step(page)
    for top in (0, 300):
        page.evaluate("top => scrollTo(0, top)", top)
        wait_for_frames(page, 2)  # rows that come into view get their heights
        before = button.bounding_box()
        freeze_clock(page)
        lose_network(page)
        page.clock.run_for(_LONGEST_MS)
        expect(line(page)).to_have_text(KEPT)
        assert button.bounding_box() == before
        come_back(page)
        assert button.bounding_box() == before


def test_short_loss_of_the_network_says_nothing(page, sockets):
    open_menu(page)
    page.evaluate(_RECORD)
    freeze_clock(page)
    lose_network(page)
    page.clock.run_for(_BLIP_MS)
    page.context.set_offline(False)
    eventually(lambda: page.evaluate("navigator.onLine"), "the page is told")
    page.clock.run_for(_LONGEST_MS)
    assert (page.evaluate("said"), len(sockets)) == ([""], 1)


def test_no_line_when_the_server_answers_an_offline_browser(page, sockets):
    """Beside a VPN `navigator.onLine` may be wrong."""
    open_menu(page)
    page.evaluate(_RECORD)
    freeze_clock(page)
    page.evaluate(_WRONG_ONLINE)
    with page.expect_response("**/ping"):
        page.clock.run_for(ASKED_MS)
    page.clock.run_for(_LONGEST_MS)
    add(page, DISH)
    assert (page.evaluate("said"), len(sockets)) == ([""], 1)


@pytest.mark.parametrize("is_cut", [False, True], ids=["network", "network and socket"])
def test_steps_without_network_are_shown_and_count_once(page, is_cut):
    socket = PageSocket(page)
    open_menu(page, *LUNCH)
    page.evaluate(_RECORD)
    if is_cut:
        socket.disconnect()
    go_offline(page, KEPT)
    for name in ("Add one", "Add one", "Remove one", "Add one"):
        step(page, name).click()
    expect(dish(page).get_by_test_id("quantity")).to_have_text("4")
    expect(page.get_by_test_id("item-104").get_by_test_id("line-total")).to_have_text("₹440")
    expect(page.get_by_test_id("total")).to_have_text("₹…")
    expect(line(page)).to_have_text(KEPT)
    socket.reconnect()
    come_back(page)
    expect(page.get_by_test_id("total")).to_have_text("₹600")
    expect(dish(page).get_by_test_id("quantity")).to_have_text("4")
    eventually(lambda: units_in(local_storage(page, "cart")) == 5, "the server has the cart")
    assert page.evaluate("said") == ["", KEPT, ""]


def test_page_opens_a_new_connection_at_once_when_the_network_is_back(page, sockets):
    """The old one may be dead without an error: the phone has another address."""
    open_menu(page)
    go_offline(page, KEPT)
    come_back(page)
    eventually(lambda: page.evaluate("1") and sockets[0].is_closed(), "the old one is closed")
    assert len(sockets) > 1


def test_proceed_without_network_says_so_and_is_never_sent(page, sent):
    open_menu(page, *LUNCH)
    page.evaluate(_RECORD)
    go_offline(page, KEPT)
    button = proceed_button(page)
    button.click()
    expect(line(page)).to_have_text(NEEDED)
    expect(button).not_to_have_attribute("aria-busy", "true")
    step(page).click()
    expect(line(page)).to_have_text(KEPT)
    button.focus()
    page.keyboard.press("Enter")
    expect(line(page)).to_have_text(NEEDED)
    expect(button).to_be_focused()
    come_back(page)
    expect(page.get_by_test_id("total")).to_have_text("₹490")
    assert page.url.endswith("/menu/1")
    assert page.evaluate("said") == ["", KEPT, NEEDED, KEPT, NEEDED, ""]
    page.keyboard.press("Enter")
    at_checkout(page)
    assert len([text for text in sent if _PROCEED in text]) == 1


def test_busy_button_is_free_when_the_network_is_lost(page):
    open_menu(page, *LUNCH)
    freeze_clock(page)
    lose_network(page)
    button = proceed_button(page)
    button.click()
    expect(button).to_have_attribute("aria-busy", "true")
    page.clock.run_for(ASKED_MS)
    expect(line(page)).to_have_text(KEPT)
    expect(button).not_to_have_attribute("aria-busy", "true")
    come_back(page)
    button.click()
    at_checkout(page)


def test_next_without_network_says_so_and_works_afterwards(page, server):
    to_checkout(page, server)
    go_offline(page, LOST)
    page.get_by_role("button", name="NEXT").click()
    expect(line(page)).to_have_text(NEEDED)
    come_back(page)
    assert page.url.endswith("/checkout")
    page.get_by_role("button", name="NEXT").click()
    at_details(page)
    go_offline(page, LOST)
    page.get_by_label("Full name").fill("Aarav Sharma")
    page.keyboard.press("Enter")
    expect(line(page)).to_have_text(NEEDED)
    come_back(page)
    assert page.url.endswith("/personal-info")
    expect(page.get_by_label("Full name")).to_have_value("Aarav Sharma")


def test_pay_without_network_shows_the_overlay_and_orders_nothing(page, server, customer):
    to_details(page, server)
    give_details(page, Email=customer)
    freeze_clock(page)  # the health is checked when the screen opens, and five seconds later
    confirm_details(page)
    at_waiting_room(page)
    expect(page.get_by_text("Connected to the payment service")).to_be_visible()
    go_offline(page, LOST)
    overlay = page.get_by_role("alertdialog")
    expect(overlay).to_have_count(0)
    press_pay(page)
    expect(overlay).to_be_visible()
    come_back(page)
    page.clock.resume()
    page.clock.run_for(5_000)  # the next check of the health, which is repeated if it is too late
    expect(overlay).to_have_count(0)
    expect(line(page)).to_have_text("")
    assert page.url.endswith("/waiting-room")
    assert server.orders(customer) == []


def test_list_shows_one_message_while_offline_and_none_afterwards(page):
    socket = PageSocket(page)
    open_page(page, "/about")
    connection(page).to_have_text("LIVE")
    page.evaluate(_RECORD)
    socket.disconnect()
    go_offline(page, LOST)
    for is_online in (False, True):  # a browser may say that it is online before a request succeeds
        page.evaluate(_SAY_ONLINE, is_online)
        for _ in range(10):
            page.clock.run_for(1_000)
            page.evaluate("1")
    connection(page).to_have_text("Connecting")
    socket.reconnect()
    come_back(page)
    connection(page).to_have_text("LIVE")
    assert page.evaluate("said") == ["", LOST, ""]


def test_each_tab_shows_its_own_line(page):
    open_menu(page)
    other = page.context.new_page()
    open_page(other, "/terms")
    go_offline(page, KEPT, other)
    other.clock.run_for(ASKED_MS)
    expect(line(other)).to_have_text(LOST)
    come_back(page, other)


def test_page_that_is_told_too_early_that_it_is_online_tries_again(page):
    socket = PageSocket(page)
    open_page(page, "/about")
    connection(page).to_have_text("LIVE")
    socket.disconnect()
    go_offline(page, LOST)
    page.evaluate("window.refused = 0")
    page.context.set_offline(False)
    eventually(lambda: page.evaluate("window.refused"), "the first attempt has failed")
    expect(line(page)).to_have_text(LOST)
    socket.reconnect()
    come_back(page)


def test_landing_page_says_nothing_about_a_cart(visit, server):
    page = visit(server, viewport={"width": 1280, "height": 900}, is_mobile=False, has_touch=False)
    page.goto("/")
    page.wait_for_function("() => window.isHydrated")
    go_offline(page, TARA)
    come_back(page)


def test_menu_without_network_is_accessible(visit, server):
    page = visit(server, reduced_motion="reduce")
    open_menu(page, *LUNCH)
    go_offline(page, KEPT)
    page.clock.resume()  # axe waits
    check_accessibility(page, "the menu without a network")
    proceed_button(page).click()
    expect(line(page)).to_have_text(NEEDED)
    check_accessibility(page, "the menu after a press that needs a connection")
