"""Restaurant statuses: in the page, by push, and by polling when the connection is lost."""

import re

from playwright.sync_api import expect

from campus_app.shared.translations import LANGUAGES, t
from kit.translations import use_locale
from tests.e2e.conftest import WEDNESDAY
from tests.e2e.frames import RENDERED
from tests.e2e.journey import (
    add,
    card,
    freeze_clock,
    hold_messages_after,
    local_storage,
    open_page,
    open_restaurant,
    release,
    run_until_reconnecting,
    session_storage,
)
from tests.e2e.network import (
    INIT,
    POLL,
    PageSocket,
    connection,
    remove_initial_statuses,
    status_requests,
)
from tests.e2e.server import BUILD, Server, running
from tests.helpers.product import eventually

_SHIFTS = f"""async () => {{
  let sum = 0;
  new PerformanceObserver((list) => {{
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
  }}).observe({{type: "layout-shift", buffered: true}});
  for (const frame of [1, 2]) await ({RENDERED})();
  return sum;
}}"""


# In the page


def test_first_paint_shows_the_right_status_badges(visit, server):
    server.set_override(3, is_open=False)
    page = visit(server, java_script_enabled=False)
    for address in ("/about", "/about2"):
        page.goto(address)
        words = {
            number: card(page, number)
            .locator(".status-badge")
            .evaluate("badge => getComputedStyle(badge, '::after').content")
            for number in (1, 3, 4)
        }
        assert words == {1: '"OPEN"', 3: '"DELIVERY UNAVAILABLE"', 4: '"CLOSED"'}
        connection(page).to_have_text("Connecting")


def test_no_built_page_shows_live_before_connection():
    # Source: specification S17.
    pages = list(BUILD.parent.rglob("*.html"))
    assert pages
    live = re.compile(rf">({'|'.join(_in_every_language('LIVE'))})<")
    assert [page.name for page in pages if live.search(page.read_text(encoding="utf-8"))] == []


def _in_every_language(text):
    for code in LANGUAGES:
        with use_locale(code):
            yield t(text)


def test_last_checked_is_updated_every_15_seconds_while_live(page):
    open_page(page, "/about")
    connection(page).to_have_text("LIVE")
    checked = page.get_by_test_id("last-checked")
    for _ in range(2):
        before = checked.inner_text()
        page.wait_for_timeout(1_100)  # so that the server's clock shows another second
        page.clock.run_for(15_000)
        expect(checked).not_to_have_text(before)
        connection(page).to_have_text("LIVE")


def test_list_loads_without_status_request_and_layout_shift(page):
    requested = status_requests(page)
    page.goto("/health")
    freeze_clock(page)  # after two seconds without a socket the page asks
    open_page(page, "/about")
    connection(page).to_have_text("LIVE")
    expect(card(page, 1)).to_contain_text("OPEN")
    assert page.evaluate(_SHIFTS) < 0.01
    eventually(lambda: session_storage(page, "restaurantStatuses"), "the server's first word")
    page.clock.run_for(11_000)
    page.clock.fast_forward(60_000)
    assert requested == []


def test_site_bar_keeps_its_height_before_fonts_load(page):
    """The page is painted before its fonts load: a higher bar would shift the list."""
    page.route("**/fonts/**", lambda font: font.abort())
    open_page(page, "/about")
    for width in (320, 360, 390):
        page.set_viewport_size({"width": width, "height": 844})
        bar = page.locator(".site-bar").bounding_box()
        assert bar["height"] < 65, f"its links stand in one line at {width} px"


def test_operator_message_is_escaped(page, server):
    server.set_override(3, is_open=False, message="</script><b>Closed</b>")
    open_page(page, "/about")
    expect(card(page, 3)).to_contain_text("</script><b>Closed</b>")


# By push


def test_status_change_is_pushed_to_every_open_browser(visit, server):
    pages = [visit(server), visit(server)]
    requested = [status_requests(page) for page in pages]
    for page in pages:
        page.goto("/health")
        freeze_clock(page)  # after two seconds without a socket a page asks
    open_page(pages[0], "/about")
    open_page(pages[1], "/about2")
    for page in pages:
        expect(card(page, 3).get_by_role("link")).to_have_count(1)
        connection(page).to_have_text("LIVE")
    server.set_override(3, is_open=False, message="Power cut in the kitchen")
    for page in pages:
        expect(card(page, 3)).to_contain_text("DELIVERY UNAVAILABLE")
        expect(card(page, 3)).to_contain_text("Power cut in the kitchen")
        expect(card(page, 3).get_by_role("link")).to_have_count(0)
    server.set_override(3, is_open=True)
    for page in pages:
        expect(card(page, 3).get_by_role("link")).to_have_count(1)
    assert requested == [[], []]


def test_late_or_reloaded_browser_shows_current_status(visit, server):
    early = visit(server)
    open_page(early, "/about")
    server.set_override(3, is_open=False)
    expect(card(early, 3)).to_contain_text("DELIVERY UNAVAILABLE")
    early.reload()
    expect(card(early, 3)).to_contain_text("DELIVERY UNAVAILABLE")
    late = visit(server)
    open_page(late, "/about")
    expect(card(late, 3)).to_contain_text("DELIVERY UNAVAILABLE")
    late.get_by_role("link", name="04/TERMS").click()
    late.wait_for_url("**/terms")  # earlier, the list is not in the history yet
    server.set_override(3, is_open=True)
    late.go_back()
    expect(card(late, 3).get_by_role("link")).to_have_count(1)


def test_opening_hours_close_restaurant_on_open_screen(visit, tmp_path):
    evening = WEDNESDAY.replace(hour=20, minute=29, second=20)
    with running(Server(tmp_path / "evening", evening)) as server:
        page = visit(server)
        open_page(page, "/about")
        expect(card(page, 1)).to_contain_text("OPEN")
        expect(card(page, 1)).to_contain_text("CLOSED", timeout=60_000)
        checked = page.get_by_test_id("last-checked").inner_text()
        assert re.search(r"20:30:\d\d$", checked), checked


def test_menu_announces_closed_restaurant_and_keeps_cart(page, server):
    open_page(page, "/about")
    open_restaurant(page)
    add(page, "Rajma Chawal")
    server.set_override(1, is_open=False, message="Out of gas")
    closed_message = page.locator(".notice-band").get_by_text(
        "This kitchen takes no orders now. Your cart is kept."
    )
    expect(closed_message).to_be_visible()
    assert "104:1" in local_storage(page, "cart")
    server.set_override(1, is_open=True)
    expect(closed_message).to_have_count(0)


# Lost connections


_HAS_STORED_ANSWER = "JSON.parse(sessionStorage.restaurantStatuses ?? '{}').at === Date.now()"


def test_lost_connection_is_retried_with_backoff_then_polled(page):
    socket = PageSocket(page)
    open_page(page, "/about")
    connection(page).to_have_text("LIVE")
    requested, answered = status_requests(page), status_requests(page, "requestfinished")
    page.evaluate("Math.random = () => 0")  # the first attempt to connect is due at once
    freeze_clock(page)
    socket.disconnect()
    shown = page.get_by_test_id("connection")
    run_until_reconnecting(page, lambda: shown.inner_text() == "Connecting")
    moments = []
    for second in range(1, 42):
        page.clock.run_for(1_000)
        eventually(
            lambda: page.evaluate("1") and len(answered) >= len(requested), "responses arrive"
        )
        if len(requested) > len(moments):  # the next attempt is planned when the answer was stored
            eventually(lambda: page.evaluate(_HAS_STORED_ANSWER), "the page has processed it")
        moments += [second] * (len(requested) - len(moments))
    waits = [after - before for before, after in zip([0, *moments], moments, strict=False)]
    assert waits[:7] == [1, 2, 4, 8, 10, 5, 5]
    expect(card(page, 1)).to_contain_text("OPEN")
    socket.reconnect()
    page.clock.resume()
    page.get_by_role("button", name="Refresh").click()  # a press connects (4.5)
    connection(page).to_have_text("LIVE")


def test_list_follows_operator_by_polling_when_socket_is_cut(page, server):
    PageSocket(page, is_cut=True)
    open_page(page, "/about")
    connection(page).to_have_text("Connecting")
    server.set_override(3, is_open=False)
    page.clock.run_for(30_000)
    expect(card(page, 3)).to_contain_text("DELIVERY UNAVAILABLE")


def test_silent_connection_is_not_shown_as_live(page):
    held = hold_messages_after(page, '"is_hydrated_rx_state_":true')
    page.goto("/health")
    freeze_clock(page)  # the page counts its seconds from the start
    open_page(page, "/about")
    connection(page).to_have_text("LIVE")
    page.clock.run_for(12_000)
    connection(page).to_have_text("LIVE")
    page.clock.run_for(10_000)
    connection(page).to_have_text("Connecting")
    page.clock.resume()
    release(page, held)
    connection(page).to_have_text("LIVE")


def test_list_is_not_live_while_the_browser_is_offline(page):
    open_page(page, "/about")
    connection(page).to_have_text("LIVE")
    page.context.set_offline(True)
    connection(page).to_have_text("Connecting")
    page.context.set_offline(False)
    connection(page).to_have_text("LIVE")


_LIVE_BESIDE_ERROR = """() => {
  window.seen = [];
  const look = () => {
    const [live, alert] = ["[data-testid=connection]", ".toasts[role=alert]"]
      .map((selector) => document.querySelector(selector).textContent);
    if (live === "LIVE" && alert) seen.push(alert);
  };
  new MutationObserver(look).observe(document.body, {subtree: true, childList: true, characterData: true});
}"""


def test_connection_error_never_stands_beside_live(page):
    socket = PageSocket(page)
    open_page(page, "/about")
    connection(page).to_have_text("LIVE")
    page.evaluate(_LIVE_BESIDE_ERROR)
    page.route(POLL, lambda route: route.fulfill(status=500))
    freeze_clock(page)  # the message goes after some seconds
    socket.disconnect()
    alert = page.get_by_role("alert")
    eventually(lambda: page.clock.run_for(100) or alert.text_content(), "an error is shown")
    expect(alert).to_have_text("Connection error")
    page.clock.resume()
    socket.reconnect()
    page.clock.run_for(2_000)
    connection(page).to_have_text("LIVE")
    assert page.evaluate("seen") == []


def test_manual_refresh_updates_last_checked(page):
    open_page(page, "/about")
    connection(page).to_have_text("LIVE")
    before = page.get_by_test_id("last-checked").inner_text()
    page.wait_for_timeout(1_100)
    page.get_by_role("button", name="Refresh").click()
    expect(page.get_by_test_id("last-checked")).not_to_have_text(before)


def test_unanswered_status_request_shows_checking(page):
    remove_initial_statuses(page)
    PageSocket(page, is_cut=True)
    page.route(INIT, lambda route: None)
    page.route(POLL, lambda route: None)
    open_page(page, "/about")
    connection(page).to_have_text("Connecting")
    expect(page.get_by_role("heading", name="Pehla Food Point")).to_be_visible()
    expect(card(page, 1)).to_contain_text("CHECKING")


def test_statuses_are_reused_for_ten_seconds(page):
    remove_initial_statuses(page)
    requested = status_requests(page)
    page.goto("/health")
    freeze_clock(page)  # after two seconds without a socket the page asks
    open_page(page, "/campus")
    expect(page.get_by_text("7 of 8 kitchens open").first).to_be_visible()
    open_page(page, "/about")
    connection(page).to_have_text("LIVE")
    assert requested == ["status/init"]
    page.goto("/health")
    page.clock.fast_forward(11_000)
    open_page(page, "/about2")
    connection(page).to_have_text("LIVE")
    assert requested == ["status/init"] * 2
