"""A whole order by keyboard: Tab, Enter, Space, letters and arrows."""

import re

from playwright.sync_api import expect

from tests.e2e.journey import (
    at_checkout,
    at_confirmation,
    at_details,
    at_waiting_room,
    open_page,
    store_cart,
)

MOST_STOPS = 140
STOP = """() => {
    const stop = document.activeElement;
    const around = [];
    for (let element = stop; element && around.length < 5; element = element.parentElement) around.push(element);
    const beside = stop.matches("input") && stop.nextElementSibling;
    const drawn = [...around, ...(beside ? [beside] : [])].map((element) => getComputedStyle(element));
    for (const [element, part] of [[stop, "::after"], [beside, "::before"]]) {
        const style = element && getComputedStyle(element, part);
        if (style && style.content !== "none") drawn.push(style);
    }
    const box = stop.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const owner = stop.closest("label") ?? stop;
    const before = window.lastStop;
    window.lastStop = stop;
    return {
        name: stop.getAttribute("aria-label") || stop.labels?.[0]?.innerText || stop.innerText || stop.tagName,
        isVisible: drawn.some((style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2),
        isUncovered: Boolean(top) && (owner.contains(top) || top.contains(owner)),
        isInOrder: !before?.isConnected || before === document.body
            || Boolean(before.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING),
    };
}"""


def tab_to(page, target):
    """Press Tab until a control has the focus; every stop must be visible, uncovered and in order."""
    expect(target).to_be_visible()
    expect(target).to_be_enabled()
    page.evaluate("() => { window.lastStop = document.activeElement }")
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        assert stop["isVisible"], f"the focus on {stop['name']!r} can't be seen"
        assert stop["isUncovered"], f"something covers {stop['name']!r}"
        assert stop["isInOrder"], f"{stop['name']!r} comes out of order"
        if target.evaluate("target => target === document.activeElement"):
            return
    raise AssertionError(f"Tab never reached {target}")


def test_order_can_be_completed_by_keyboard(visit, server, customer):
    page = visit(server, viewport={"width": 1280, "height": 800}, is_mobile=False, has_touch=False)
    open_page(page, "/campus")
    tab_to(page, page.get_by_role("button", name="North Campus"))
    page.keyboard.press("Enter")

    page.wait_for_url("**/about")
    expect(page.get_by_role("heading", level=1, name="North Campus")).to_be_focused()
    tab_to(page, page.get_by_role("tab", name="All"))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Indian", exact=True)).to_be_focused()
    tab_to(page, page.get_by_role("link", name="Pehla Food Point"))
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", level=1, name="Pehla Food Point")).to_be_focused()
    tab_to(page, page.get_by_role("button", name="VERIFY OUR PRICES"))
    page.keyboard.press("Space")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="VERIFY OUR PRICES")).to_be_focused()
    dish = page.get_by_role("button", name="Add one Rajma Chawal", exact=True).first
    tab_to(page, dish)
    for key in ("Space", "Enter", "Space"):
        page.keyboard.press(key)
    expect(page.get_by_test_id("item-104").get_by_test_id("quantity")).to_have_text("3")
    expect(dish).to_be_focused()
    tab_to(page, page.get_by_role("button", name="PROCEED TO CART"))
    page.keyboard.press("Enter")

    at_checkout(page)
    tab_to(page, page.get_by_role("radio", name="No donation"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("donation")).to_have_text("₹10")
    tab_to(page, page.get_by_role("button", name="NEXT"))
    page.keyboard.press("Enter")

    at_details(page)
    for label, text in {
        "Full name": "Aarav Sharma",
        "Email": customer,
        "Phone number": "9800000001",
        "Address": "Hostel 4",
    }.items():
        tab_to(page, page.get_by_label(label))
        page.keyboard.press("End")
        page.keyboard.type(text)
    tab_to(page, page.locator("summary"))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_label("Note for the kitchen"))
    page.keyboard.type("No onion")
    tab_to(page, page.get_by_label("Note for the door"))
    page.keyboard.type("Gate 2")
    tab_to(page, page.get_by_label("No cutlery, please"))
    page.keyboard.press("Space")
    tab_to(page, page.get_by_role("radio", name="UPI"))
    tab_to(page, page.get_by_role("button", name="NEXT"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("press NEXT again")).to_be_visible()
    expect(page.get_by_role("button", name="NEXT")).to_be_focused()
    page.keyboard.press("Enter")

    at_waiting_room(page)
    tab_to(page, page.get_by_role("button", name=re.compile("^PAY")))
    page.keyboard.press("Enter")
    page.wait_for_url("**/sandbox/pay**")
    tab_to(page, page.get_by_role("button", name="Pay successfully"))
    page.keyboard.press("Enter")

    at_confirmation(page)
    tab_to(page, page.get_by_role("button", name="Stay on this page"))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("link", name="To the restaurants"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/about")
    (order,) = server.orders(customer)
    assert (order["state"], order["donation_paise"]) == ("confirmed", 1000)
    assert (order["note"], order["door_note"], order["no_cutlery"]) == ("No onion", "Gate 2", 1)


def test_menu_tab_stops_are_not_covered_by_cart_on_phone(page, server):
    store_cart(page, server)
    open_page(page, "/menu/1")
    tab_to(page, page.get_by_role("button", name="PROCEED TO CART"))


def test_dialog_traps_focus_until_answered(page, server):
    store_cart(page, server)
    open_page(page, "/menu/5")
    page.get_by_role("button", name="Add one Farmhouse", exact=True).first.press("Enter")
    dialog = page.get_by_role("dialog", name="Start a new cart?")
    expect(dialog).to_be_visible()
    for _ in range(6):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "document.activeElement.closest('dialog') !== null || document.activeElement === document.body"
        )
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Add one Farmhouse", exact=True).first).to_be_focused()
