"""The service worker: cached immutable files, and the offline page."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.journey import local_storage, open_page, store_cart, wait_until_hydrated

_CACHED = """async () => {
  const names = await caches.keys();
  const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return all.flat().map(({ url }) => new URL(url).pathname);
}"""


@pytest.fixture
def page(visit, server):
    """A phone whose browser runs the service worker."""
    return visit(server, service_workers="allow")


def controlled(page, address):
    """Open a page and wait until the service worker controls it."""
    page.goto(address)
    wait_until_hydrated(page)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def test_service_worker_is_registered_at_load(page):
    controlled(page, "/campus")
    assert page.evaluate("navigator.serviceWorker.controller.scriptURL").endswith(
        "/service-worker.js"
    )


def test_service_worker_is_registered_when_assistant_page_is_opened(page):
    page.goto("/?desktop=true")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def test_only_immutable_files_are_cached(page, server):
    controlled(page, "/campus")
    store_cart(page, server)
    for address in ("/about", "/menu/1", "/checkout"):
        open_page(page, address)
    page.reload()
    wait_until_hydrated(page)
    cached = page.evaluate(_CACHED)
    assert "/offline.html" in cached
    assert [path for path in cached if path.startswith("/assets/")]
    assert [p for p in cached if not re.match(r"/(assets|fonts)/|/offline\.html$", p)] == []


def test_offline_page_is_shown_without_network_and_recovers(page, server):
    controlled(page, "/campus")
    store_cart(page, server)
    page.context.set_offline(offline=True)
    page.goto("/about")
    expect(page.get_by_role("heading", level=1)).to_have_text("This page can't be reached.")
    assert "104:2" in local_storage(page, "cart")
    page.context.set_offline(offline=False)
    expect(page.get_by_role("heading", level=1)).to_have_text("North Campus")


def test_open_screen_recovers_when_network_is_back(page):
    controlled(page, "/about")
    expect(page.get_by_test_id("connection")).to_have_text("LIVE")
    lost = page.get_by_text("The connection is lost. We keep trying; your cart is safe.")
    page.context.set_offline(offline=True)
    page.reload()
    expect(page.get_by_text("NO NETWORK")).to_be_visible()
    page.context.set_offline(offline=False)
    expect(page.get_by_test_id("connection")).to_have_text("LIVE")
    expect(lost).to_have_count(0)


def test_site_is_installable(page):
    page.goto("/campus")
    link = page.locator("link[rel=manifest]").get_attribute("href")
    manifest = json.loads(page.request.get(link).text())
    assert (manifest["name"], manifest["start_url"]) == ("FOOD_points", "/campus")
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        answer = page.request.get(icon["src"])
        assert answer.status == 200
        assert answer.headers["content-type"].startswith(icon["type"])
    sizes = {icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= sizes


def test_worker_and_manifest_are_not_cached_as_immutable(page):
    for path in ("/service-worker.js", "/manifest.webmanifest", "/offline.html"):
        answer = page.request.get(path)
        assert answer.status == 200
        assert "immutable" not in answer.headers.get("cache-control", "")
