"""The service worker: cached immutable files, and the offline page."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.frames import wait_for_frames
from tests.e2e.journey import (
    local_storage,
    open_page,
    open_restaurant,
    store_cart,
    wait_until_hydrated,
)
from tests.e2e.test_slow_connection import SHIFTS
from tests.helpers.product import ROOT, eventually

_CACHED = """async () => {
  const names = await caches.keys();
  const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return all.flat().map(({ url }) => new URL(url).pathname);
}"""


@pytest.fixture
def page(visit, server):
    """A phone whose browser runs the service worker."""
    return visit(server, service_workers="allow")


_AGE = """async (days) => {
  const pages = await caches.open("pages-2");
  for (const request of await pages.keys()) {
    const kept = await pages.match(request);
    const headers = new Headers(kept.headers);
    headers.set("x-kept-at", new Date(Date.now() - days * 86_400_000).toISOString());
    await pages.put(request, new Response(await kept.blob(), { headers }));
  }
}"""
"""Makes all kept pages some days older."""


def controlled(page, address):
    """Open a page and wait until the service worker controls it."""
    page.goto(address)
    wait_until_hydrated(page)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def open_kept(page, *addresses):
    """Open pages one after the other, and wait until the service worker has kept each."""
    for address in addresses:
        open_page(page, address)
        eventually(lambda address=address: address in page.evaluate(_CACHED), f"{address} is kept")


def test_service_worker_is_registered_at_load(page):
    controlled(page, "/campus")
    assert page.evaluate("navigator.serviceWorker.controller.scriptURL").endswith(
        "/service-worker.js"
    )


def test_service_worker_is_registered_when_assistant_page_is_opened(page):
    page.goto("/?desktop=true")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def test_only_immutable_files_lists_and_menus_are_cached(page, server):
    controlled(page, "/campus")
    store_cart(page, server)
    open_kept(page, "/about", "/menu/1")
    for address in ("/checkout", "/underprogress", "/terms"):
        open_page(page, address)
    page.reload()
    wait_until_hydrated(page)
    cached = page.evaluate(_CACHED)
    assert "/offline.html" in cached
    assert {"/about", "/menu/1"} <= set(cached)
    assert [path for path in cached if path.startswith("/assets/")]
    known = re.compile(
        r"/(assets|fonts)/|/(images/default\.svg|offline\.html|campus|about2?|(api/menus|menu)/\d+)$"
    )
    assert [path for path in cached if not known.match(path)] == []


def slow_down(page):
    """Give the page a slow phone's processor: it is painted some frames before its scripts run."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})


_BY_A_BANNER = 0.08
"""The least layout shift of a page that its banner moves, at these widths."""
_WITHOUT_NETWORK = re.compile(r"(is lost|No connection).* as of .*\.$")
KEPT_NOW = re.compile(r"Menus and prices as of (\d+ \w+, )?\d\d:\d\d\.$")
"""With the day if midnight has just passed."""


def lost(page):
    return page.locator(".connection-banner")


def test_last_list_and_menu_are_shown_without_network(page):
    controlled(page, "/about")
    open_kept(page, "/about", "/menu/1")
    page.context.set_offline(offline=True)
    page.goto("/about")
    expect(page.get_by_role("heading", level=1)).to_have_text("North Campus")
    expect(lost(page)).to_have_text(KEPT_NOW)
    page.goto("/menu/1")
    expect(page.get_by_test_id("item-104")).to_contain_text("₹110")
    expect(lost(page)).to_have_text(KEPT_NOW)


_BROKEN_OFF = """() => keep("/about", new Response(
  new ReadableStream({ pull: (stream) => stream.error(new Error("no line")) })
)).then(() => "kept", () => "broken off")"""


def test_page_that_breaks_off_leaves_the_one_that_was_kept(page):
    controlled(page, "/about")
    open_kept(page, "/about")
    (worker,) = page.context.service_workers
    assert worker.evaluate(_BROKEN_OFF) == "broken off"
    assert "/about" in page.evaluate(_CACHED)


@pytest.mark.parametrize("width", [320, 390, 768])
def test_stored_page_moves_nothing_when_its_banner_gets_words(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    controlled(page, "/about")
    open_kept(page, "/about", "/menu/1")
    page.context.set_offline(offline=True)
    page.add_init_script(f"({SHIFTS})()")
    slow_down(page)
    for address in ("/about", "/menu/1"):
        page.goto(address)
        page.reload()
        expect(lost(page)).to_have_text(_WITHOUT_NETWORK)
        wait_for_frames(page, 2)
        assert page.evaluate("shift") < _BY_A_BANNER / 5  # the fonts move some words
        assert page.evaluate("scrollY") == 0
    page.context.set_offline(offline=False)
    expect(lost(page)).to_have_css("height", "0px")


def test_menu_that_was_opened_from_the_list_is_kept(page):
    controlled(page, "/about")
    open_page(page, "/about")
    open_restaurant(page)
    eventually(lambda: "/menu/1" in page.evaluate(_CACHED), "the page of the menu is kept")
    page.context.set_offline(offline=True)
    page.reload()
    expect(page.get_by_test_id("item-104")).to_contain_text("₹110")
    link = page.get_by_role("link", name="02/FOOD_points")
    expect(link).to_have_attribute("href", "/about")  # React has hydrated the page
    link.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("North Campus")


def test_cart_filled_without_network_is_priced_when_it_is_back(page, server):
    controlled(page, "/menu/1")
    open_kept(page, "/menu/1")
    page.context.set_offline(offline=True)
    page.reload()
    expect(lost(page)).to_contain_text("as of")
    dish = page.get_by_test_id("item-104")
    for _ in range(2):
        dish.get_by_role("button", name="Add one Rajma Chawal").click()
    expect(dish.get_by_test_id("quantity")).to_have_text("2")
    expect(page.get_by_test_id("subtotal")).to_have_text("₹…")
    server.change_price(1, "Rajma Chawal", "120")
    page.context.set_offline(offline=False)
    expect(page.get_by_test_id("subtotal")).to_have_text("₹240")
    expect(dish).to_contain_text("₹120")
    expect(lost(page)).to_have_text("")
    assert "104:2" in local_storage(page, "cart")


def test_cart_filled_without_network_outlives_the_screen_and_a_reload(page):
    controlled(page, "/about")
    open_kept(page, "/about", "/menu/1")
    eventually(lambda: "/api/menus/1" in page.evaluate(_CACHED), "the menu's data is kept")
    page.context.set_offline(offline=True)
    page.reload()
    expect(lost(page)).to_contain_text("No connection")
    dish = page.get_by_test_id("item-104")
    add = dish.get_by_role("button", name="Add one Rajma Chawal")
    for _ in range(3):
        add.click()
    dish.get_by_role("button", name="Remove one Rajma Chawal").click()
    page.get_by_role("link", name="02/FOOD_points").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("North Campus")
    page.go_back()
    expect(dish.get_by_test_id("quantity")).to_have_text("2")
    page.reload()
    expect(lost(page)).to_contain_text("No connection")
    expect(dish.get_by_test_id("quantity")).to_have_text("2")
    add.click()
    page.context.set_offline(offline=False)
    expect(page.get_by_test_id("subtotal")).to_have_text("₹330")
    expect(dish.get_by_test_id("quantity")).to_have_text("3")
    eventually(lambda: "104:3" in local_storage(page, "cart"), "the server has the cart")


def test_app_starts_without_network_after_a_first_visit_by_links(page):
    controlled(page, "/campus")
    open_page(page, "/campus")
    page.get_by_role("button", name="North Campus").click()
    page.wait_for_url("**/about")
    open_restaurant(page)
    eventually(lambda: {"/about", "/menu/1"} <= set(page.evaluate(_CACHED)), "both are kept")
    page.context.set_offline(offline=True)
    page.goto("/campus?start")
    expect(page.get_by_role("heading", level=1)).to_have_text("North Campus")


def test_menu_that_is_opened_from_the_list_without_network_is_marked(page):
    controlled(page, "/menu/1")
    open_kept(page, "/menu/1", "/about")
    eventually(lambda: "/api/menus/1" in page.evaluate(_CACHED), "the menu's data is kept")
    page.context.set_offline(offline=True)
    open_restaurant(page)
    expect(lost(page)).to_contain_text(KEPT_NOW)
    page.context.set_offline(offline=False)
    expect(lost(page)).to_have_text("")


def test_page_is_kept_for_a_week_and_names_its_day_when_it_is_not_today(page):
    controlled(page, "/menu/1")
    open_kept(page, "/menu/1")
    page.context.set_offline(offline=True)
    page.evaluate(_AGE, 2)  # online, the worker would replace a copy as old as this
    page.goto("/menu/1")
    expect(lost(page)).to_have_text(re.compile(r"as of \d{1,2} \w{3,4}, \d\d:\d\d\.$"))
    page.evaluate(_AGE, 8)
    page.goto("/menu/1")
    expect(page.get_by_role("heading", level=1)).to_have_text("This page can't be reached.")


def test_kept_list_is_shown_when_the_server_hangs(visit, own_server):
    page = visit(own_server, service_workers="allow")
    controlled(page, "/about")
    open_kept(page, "/about")
    with own_server.frozen():
        page.goto("/about", wait_until="commit")  # pictures that are in no cache hang too
        expect(page.get_by_role("heading", level=1)).to_have_text("North Campus")
        expect(lost(page)).to_contain_text("as of")


def test_language_stays_when_it_is_changed_without_network(page):
    controlled(page, "/about")
    open_kept(page, "/about")
    page.context.set_offline(offline=True)
    page.reload()
    with page.expect_event("requestfailed", lambda request: "favicon" in request.url):
        page.get_by_role("button", name="हिन्दी").click()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("North Campus")


def test_shortcuts_are_the_kitchens_that_were_opened_last(page, server):
    manifest = page.locator("link[rel=manifest]")
    open_page(page, "/about")
    expect(manifest).to_have_attribute("href", "/manifest.webmanifest")
    for restaurant in (1, 2, 3, 5, 2):
        expect(manifest).to_have_count(1)
        open_page(page, f"/menu/{restaurant}")
        address = re.compile(rf"kitchens={restaurant}\b")
        expect(manifest).to_have_attribute("href", address)
    for other in ("/menu/4", "/menu/999"):  # closed, and unknown
        page.goto(other)
        wait_until_hydrated(page)
    open_page(page, "/about")
    expect(manifest).to_have_attribute("href", "/api/app-manifest?kitchens=2,5,3")
    shortcuts = server.get(manifest.get_attribute("href")).json()["shortcuts"]
    assert [each["url"] for each in shortcuts] == ["/menu/2", "/menu/5", "/menu/3"]


_KEEPS_HINDI = "async () => (await (await caches.match('/about'))?.text())?.includes('hi-IN')"


def test_kept_pages_are_dropped_when_the_language_changes(page):
    controlled(page, "/about")
    open_page(page, "/about")
    page.get_by_role("button", name="हिन्दी").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("नॉर्थ कैंपस")
    eventually(lambda: page.evaluate(_KEEPS_HINDI), "the page is kept in Hindi")
    page.context.set_offline(offline=True)
    page.goto("/about")
    expect(page.get_by_role("heading", level=1)).to_have_text("नॉर्थ कैंपस")


def test_offline_page_is_shown_without_network_and_recovers(page, server):
    controlled(page, "/campus")
    store_cart(page, server)
    page.context.set_offline(offline=True)
    page.goto("/offers")
    expect(page.get_by_role("heading", level=1)).to_have_text("This page can't be reached.")
    assert "104:2" in local_storage(page, "cart")
    page.context.set_offline(offline=False)
    expect(page.get_by_role("heading", level=1)).to_have_text("Two good days")


def test_open_screen_recovers_when_network_is_back(page):
    controlled(page, "/about")
    expect(page.get_by_test_id("connection")).to_have_text("LIVE")
    eventually(lambda: "/about" in page.evaluate(_CACHED), "the open page is kept")
    page.context.set_offline(offline=True)
    page.goto("/offers")
    expect(page.get_by_text("NO NETWORK")).to_be_visible()
    page.goto("/about")
    expect(lost(page)).to_contain_text("The connection is lost.")
    page.context.set_offline(offline=False)
    expect(page.get_by_test_id("connection")).to_have_text("LIVE")
    expect(lost(page)).to_have_text("")


def test_installed_app_starts_with_the_list_of_the_chosen_campus(page, visit, server):
    controlled(page, "/about")
    open_kept(page, "/about")
    page.goto("/campus?start")
    expect(page).to_have_url(f"{server.url}/about")
    page.context.set_offline(offline=True)
    page.goto("/campus?start")
    expect(page.get_by_role("heading", level=1)).to_have_text("North Campus")
    other = visit(server, campus="")
    open_page(other, "/campus?start")
    expect(other.get_by_role("button", name="South Campus")).to_be_visible()


def test_worker_and_manifest_are_not_cached_as_immutable(page):
    for path in ("/service-worker.js", "/manifest.webmanifest", "/offline.html"):
        answer = page.request.get(path)
        assert answer.status == 200
        assert "immutable" not in answer.headers.get("cache-control", "")


_RUN_WORKER = """async ([source, kept]) => {
  const handlers = {}, asked = [];
  const self = { addEventListener: (name, handler) => { handlers[name] = handler; } };
  const location = { origin: "https://food.example" };
  const caches = { match: async () => undefined, open: async () => ({ put: async () => {}, keys: async () => [] }) };
  const fetch = async (request, options = {}) => {
    asked.push(options.cache ?? "default");
    const isKept = kept !== 200 && !options.cache;
    return { ok: !isKept, status: isKept ? kept : 200, type: "basic", clone: () => ({}) };
  };
  new Function("self", "location", "caches", "fetch", source)(self, location, caches, fetch);
  const request = { method: "GET", url: "https://food.example/assets/app.js", mode: "no-cors" };
  const response = await new Promise((answer) => handlers.fetch({ request, respondWith: answer, waitUntil: () => {} }));
  return [response.status, asked];
}"""
"""Runs the worker's source in a page, with a network whose cache has `kept` as status of a file."""


def test_worker_asks_the_server_again_when_the_browser_cached_an_error(page):
    page.goto("/terms")
    source = (ROOT / "assets" / "service-worker.js").read_text(encoding="utf-8")
    for kept, asked in (
        (200, ["default"]),
        (404, ["default", "reload"]),
        (502, ["default", "reload"]),
    ):
        assert page.evaluate(_RUN_WORKER, [source, kept]) == [200, asked]
