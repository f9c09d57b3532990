"""Low and narrow windows, and text of twice the size."""

import re

from playwright.sync_api import expect

from tests.e2e.frames import wait_for_frames
from tests.e2e.journey import add, open_page, store_cart, to_waiting_room
from tests.e2e.orders import pay_for, prepare

ON_ITS_SIDE = {"width": 844, "height": 390}
SMALLEST = {"width": 320, "height": 568}


def too_wide(page):
    return page.evaluate(
        "document.scrollingElement.scrollWidth - document.documentElement.clientWidth"
    )


def test_proceed_button_is_in_viewport_and_leaves_room_for_dishes(page, server):
    store_cart(page, server)
    open_page(page, "/menu/1")
    for size in (ON_ITS_SIDE, SMALLEST):
        page.set_viewport_size(size)
        expect(page.get_by_role("button", name="PROCEED TO CART")).to_be_in_viewport(ratio=1)
        expect(page.get_by_test_id("total")).to_be_in_viewport(ratio=1)
        bar = page.locator(".cart-bar").bounding_box()
        assert bar["height"] <= size["height"] / 4
        assert too_wide(page) <= 0


def test_cart_bar_leaves_room_beside_an_offer_and_the_dish_that_closes_the_gap(page, server):
    open_page(page, "/menu/5")  # on Wednesday, the second one is free
    add(page, "Chilli Garlic Oil", "Chilli Garlic Oil")
    expect(page.get_by_test_id("discount")).not_to_have_text("₹0")
    for width, height in ((667, 375), (844, 390), (568, 320), (320, 568), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.get_by_test_id("closing-dish")).to_be_in_viewport(ratio=1)
        bar = page.locator(".cart-bar").bounding_box()
        assert bar["height"] <= height * 0.45, (width, height, bar)
        assert too_wide(page) <= 0


def test_header_fits_before_its_fonts_arrive(page):
    page.route("**/*.woff2", lambda route: None)
    page.set_viewport_size(SMALLEST)
    page.goto("/about", wait_until="commit")
    expect(page.get_by_role("button", name="हिन्दी")).to_be_visible()
    expect(page.get_by_test_id("restaurant-1")).to_be_visible()
    assert too_wide(page) <= 0


def test_amount_of_any_length_fits_its_panel(page, server, customer):
    dishes = [{"id": "104", "quantity": 50}, {"id": "112", "quantity": 50}]
    prepared = prepare(server, customer, items=[*dishes, {"id": "118", "quantity": 1}])
    number = pay_for(server, prepared)
    page.goto(f"/order-confirmation?order_id={number}&token={prepared['responseToken']}")
    page.clock.run_for(3_000)
    due = page.get_by_test_id("amount-due")
    expect(due).to_have_text(re.compile(r"^₹1\d,\d{3}"))
    for width in (320, 360, 390, 412, 430):
        page.set_viewport_size({"width": width, "height": 844})
        wait_for_frames(page, 2)
        edges = due.evaluate(
            "it => { const range = document.createRange(); range.selectNodeContents(it);"
            "return [range.getBoundingClientRect().right, it.parentElement.getBoundingClientRect().right] }"
        )
        assert edges[0] <= edges[1] <= width


def test_toasts_cover_no_amount_in_landscape(page, server, customer):
    prepared = prepare(server, customer)
    number = pay_for(server, prepared)
    page.set_viewport_size(ON_ITS_SIDE)
    page.goto(f"/order-confirmation?order_id={number}&token={prepared['responseToken']}")
    page.clock.run_for(3_000)
    expect(page.get_by_text("MISSED CALL SENT")).to_be_visible()
    amount = page.get_by_test_id("amount-due").bounding_box()
    toast = page.locator(".toast").first.bounding_box()
    assert toast["y"] + toast["height"] <= amount["y"]


def test_screen_is_not_wider_at_200_percent_text_size(page, server):
    # Source: WCAG 1.4.4.
    store_cart(page, server)
    page.add_init_script(
        "addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '200%')"
    )
    addresses = ("/campus", "/about", "/menu/1", "/offers", "/pre-reserve", "/checkout", "/terms")
    for address in addresses:
        open_page(page, address)
        assert too_wide(page) <= 0, address


def test_countdown_stays_on_one_line_at_200_percent_text_size(page, server, customer):
    to_waiting_room(page, server, customer)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    lines = page.get_by_test_id("countdown").evaluate("it => it.getClientRects().length")
    box = page.get_by_test_id("countdown").bounding_box()
    assert lines == 1
    assert box["height"] < 200
    assert too_wide(page) <= 0


def test_selection_is_visible_in_forced_colors_mode(visit, server):
    page = visit(server, forced_colors="active")
    open_page(page, "/pre-reserve")
    # Source: CSS Color 4, 6.2: what is selected has the ground Highlight.
    look = "it => getComputedStyle(it.nextElementSibling).backgroundColor"
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<mark id=selected></mark>')")
    selected = page.locator("#selected")
    selected.evaluate(
        "it => { it.style.cssText = 'forced-color-adjust: none; background: Highlight' }"
    )
    highlight = selected.evaluate("it => getComputedStyle(it).backgroundColor")
    chosen, other = (page.get_by_role("radio", name=name) for name in ("14:00", "15:00"))
    expect(chosen).to_be_enabled()
    chosen.check(force=True)
    assert chosen.evaluate(look) == highlight
    assert other.evaluate(look) != highlight
