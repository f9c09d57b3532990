"""A cart as a link: sent from the order summary, opened on a flat-mate's phone."""

import pytest
from playwright.sync_api import expect

from tests.e2e.journey import local_storage, open_page, store_cart, to_checkout, units_in

FAKE_SHARE = "navigator.share = async (data) => { window.shared = data.url; }"
LATER = "The dishes of this link are offered here as soon as the kitchen takes orders."
WITHOUT_SHARE = "delete Navigator.prototype.share;"
WITHOUT_CLIPBOARD = f"{WITHOUT_SHARE} delete Navigator.prototype.clipboard;"


def share(page):
    page.get_by_role("button", name="Share these dishes").click()


def test_shared_link_fills_the_cart_of_another_browser(visit, server):
    page = visit(server)
    page.add_init_script(FAKE_SHARE)
    to_checkout(page, server)
    share(page)
    link = page.evaluate("window.shared")
    assert link == f"{server.url}/menu/1?dishes=104:2,112:1"
    other = visit(server, campus="")
    other.goto(link)
    other.get_by_role("button", name="South Campus").click()
    expect(other.get_by_test_id("item-104").get_by_test_id("quantity").first).to_have_text("2")
    expect(other.get_by_text("These dishes come from a link.")).to_be_visible()
    expect(other).to_have_url(f"{server.url}/menu/1")
    other.reload()
    expect(other.get_by_test_id("item-112").get_by_test_id("quantity").first).to_have_text("1")


def test_link_is_copied_where_the_browser_cannot_share(visit, server):
    page = visit(server, permissions=["clipboard-read", "clipboard-write"])
    page.add_init_script(WITHOUT_SHARE)
    to_checkout(page, server)
    share(page)
    expect(page.get_by_text("The link is copied.")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.endswith("/menu/1?dishes=104:2,112:1")


def test_link_is_shown_where_it_cannot_be_copied(visit, server):
    page = visit(server)
    page.add_init_script(WITHOUT_CLIPBOARD)
    to_checkout(page, server)
    share(page)
    expect(page.get_by_role("link", name="/menu/1?dishes=104:2,112:1")).to_be_visible()


def test_link_to_a_closed_kitchen_is_offered_when_it_opens(page, server):
    store_cart(page, server, restaurant=5, dishes="501:1")
    server.set_override(1, is_open=False, message="Gas is out")
    open_page(page, "/menu/1?dishes=104:2")
    later = page.get_by_text(LATER)
    expect(later).to_be_visible()
    page.reload()
    expect(later).to_be_visible()
    server.set_override(1, is_open=True)
    dialog = page.get_by_role("dialog", name="Start a new cart?")
    expect(dialog).to_contain_text("Slice Theory Pizza")
    expect(later).to_have_count(0)
    dialog.get_by_role("button", name="Start a new cart").click()
    expect(page.get_by_test_id("item-104").get_by_test_id("quantity").first).to_have_text("2")
    expect(page.get_by_text("These dishes come from a link.")).to_be_visible()


def test_own_cart_is_kept_unless_the_visitor_agrees(page, server):
    store_cart(page, server, restaurant=5, dishes="501:1")
    open_page(page, "/menu/1?dishes=104:2")
    dialog = page.get_by_role("dialog", name="Start a new cart?")
    expect(dialog).to_contain_text("Slice Theory Pizza")
    dialog.get_by_role("button", name="Keep my cart").click()
    expect(dialog).to_have_count(0)
    assert (local_storage(page, "cart") or "").startswith("5|")
    expect(page).to_have_url(f"{server.url}/menu/1")
    open_page(page, "/menu/1?dishes=104:2")
    dialog.get_by_role("button", name="Start a new cart").click()
    expect(page.get_by_test_id("item-104").get_by_test_id("quantity").first).to_have_text("2")
    assert units_in(local_storage(page, "cart")) == 2


@pytest.mark.parametrize("dishes", ["104:9999", "<img src=x onerror=alert(1)>", "104:2" * 500])
def test_hostile_link_fills_no_cart(page, dishes):
    open_page(page, f"/menu/1?dishes={dishes}")
    expect(page.get_by_text("This link can't be read. Please ask for it again.")).to_be_visible()
    assert not local_storage(page, "cart")
