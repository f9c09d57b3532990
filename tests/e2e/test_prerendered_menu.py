"""A menu's page contains the menu: readable without scripts, and unchanged by hydration."""

import re

import pytest
from playwright.sync_api import expect

from kit.translations import COOKIE
from tests.e2e.journey import card, open_page, wait_until_hydrated

MENUS = [(1, "en"), (2, "hi"), (6, "hi"), (8, "en")]
"""A menu with photographs, with tables, with declared allergens, and with meat; in a language."""


def menu_requests(page):
    """Return a list that collects the page's menu requests."""
    requested = []
    page.on(
        "request", lambda request: "/api/menus/" in request.url and requested.append(request.url)
    )
    return requested


def rendered_menu(page):
    """Return the rendered screen, without attributes that only one of the two ways of rendering sets."""
    wait_until_hydrated(page)
    expect(page.locator(".menu-title .status-badge.open")).to_be_visible()
    expect(page.locator(".cart:not(.awaited)")).to_have_count(1)
    main = page.locator("main")
    html = main.evaluate("it => it.outerHTML")
    return html.replace('<h1 tabindex="-1">', "<h1>").replace(' selected=""', "")


@pytest.mark.parametrize(("restaurant", "language"), MENUS)
def test_prerendered_menu_equals_menu_after_client_navigation(visit, server, restaurant, language):
    page = visit(server)
    page.context.add_cookies([{"name": COOKIE, "value": language, "url": server.url}])
    requested = menu_requests(page)
    page.goto(f"/menu/{restaurant}")
    came = rendered_menu(page)
    assert requested == []
    page.goto("/about")
    card(page, restaurant).get_by_role("link").first.click()
    page.wait_for_url(f"**/menu/{restaurant}")
    expect(page.get_by_test_id(f"restaurant-{restaurant}").locator("h1")).to_be_visible()
    assert rendered_menu(page) == came
    assert len(requested) == 1


def test_prerendered_menu_escapes_and_groups_dishes_of_every_kind(visit, server):
    header = "id,name,description,price,category"
    dishes = ["1,Chai,With milk,20,Hot", "2,Soup,,30,Hot", "3,Lassi,,40,Cold", "4,Thali,,90,Full"]
    menu = server.menu_file(1)
    ids = re.findall(r"^1,(\d+)", (menu.parent / "trending.csv").read_text(), re.MULTILINE)
    menu.write_text("\n".join([header, f"{ids[0]},Dal & <Rice>,,110,Only trending", *dishes, ""]))
    server.wait_until_sold(1)
    page = visit(server)
    page.goto("/menu/1")
    came = rendered_menu(page)
    assert "/1 DISH<" in came
    assert "Dal &amp; &lt;Rice&gt;" in came
    page.goto("/about")
    card(page, 1).get_by_role("link").click()
    page.wait_for_url("**/menu/1")
    assert rendered_menu(page) == came


def test_menu_is_readable_when_javascript_is_disabled(visit, server):
    page = visit(server, java_script_enabled=False)
    page.goto("/menu/1")
    expect(page.get_by_role("heading", level=1)).to_have_text("Pehla Food Point")
    expect(page.get_by_test_id("item-104")).to_contain_text("₹110")
    badge = page.locator(".menu-title .status-badge")
    assert badge.evaluate("it => getComputedStyle(it, '::after').content") == '"OPEN"'


def test_title_names_the_restaurant_of_the_open_menu(page):
    open_page(page, "/menu/1")
    expect(page).to_have_title("Pehla Food Point · FOOD_points")
    page.goto("/menu/2")
    expect(page).to_have_title("Kulhad Café · FOOD_points")
    page.get_by_role("link", name="04/TERMS").click()
    expect(page).to_have_title("Terms · FOOD_points")
    page.go_back()
    expect(page).to_have_title("Kulhad Café · FOOD_points")


def test_menu_is_requested_again_when_revisited(visit, server):
    page = visit(server)
    requested = menu_requests(page)
    open_page(page, "/menu/1")
    page.get_by_role("link", name="FOOD_points").click()
    page.wait_for_url("**/about")
    expect(page.get_by_role("heading", level=1)).to_have_text("North Campus")
    assert requested == []
    page.go_back()
    expect(page.get_by_test_id("item-104")).to_be_visible()
    assert [url.rpartition("/")[2] for url in requested] == ["1"]
