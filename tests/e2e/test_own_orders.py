"""The orders of a browser: listed, live, forgotten, and ordered again."""

from playwright.sync_api import expect

from tests.e2e.journey import (
    at_checkout,
    at_confirmation,
    expect_storage_event,
    local_storage,
    open_page,
    pay,
    store_cart,
    to_payment,
    units_in,
)
from tests.e2e.orders import pay_for, prepare
from tests.helpers.product import eventually

ORDERS = "/underprogress"


def remember(page, *prepared):
    """Store orders as the browser's own, the newest first, and open their list."""
    page.goto("/health")
    tokens = ",".join(each["responseToken"] for each in prepared)
    page.evaluate("tokens => localStorage.setItem('ownOrders', tokens)", tokens)
    open_page(page, ORDERS)


def row(page, prepared):
    return page.get_by_test_id(f"order-{prepared['orderId']}")


def order_again(where):
    where.get_by_role("button", name="Order again").click()


def total_of(prepared):
    return f"₹{prepared['totalOrderValue']:,.2f}".removesuffix(".00")


def test_placed_order_is_listed_with_its_receipt(page, server, customer):
    number = to_payment(page, server, customer)
    pay(page)
    at_confirmation(page)
    open_page(page, ORDERS)
    order = page.get_by_test_id(f"order-{number}")
    expect(order.get_by_role("heading", name="Pehla Food Point")).to_be_visible()
    expect(order).to_contain_text("2×\N{NO-BREAK SPACE}Rajma Chawal")
    expect(order).to_contain_text("Paid and confirmed")
    order.get_by_role("link", name=f"#{number}").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Order #{number}")
    expect(page.get_by_test_id("receipt")).to_contain_text("Aarav Sharma")


LEFTS = """element => [...element.textContent].map((_, at) => {
  const range = document.createRange();
  range.setStart(element.firstChild, at);
  range.setEnd(element.firstChild, at + 1);
  return range.getBoundingClientRect().left;
})"""
"""The left edge of each character, all in the only text of an element."""
BIRYANI, TEA = "بریانی", "چائے"


def places(where, *parts):
    """Return where these parts of a text begin, in pixels from the left."""
    text, lefts = where.text_content(), where.evaluate(LEFTS)
    return [min(lefts[text.index(each) :][: len(each)]) for each in parts]


def sell_in_urdu(server):
    def edit(row):
        row["name"] = {"104": BIRYANI, "112": TEA}.get(row["id"], row["name"])
        return True

    server.edit_menu(1, edit)


def test_quantities_stand_before_their_dishes_when_names_are_urdu(page, server, customer):
    # Source: specification 10.55.
    sell_in_urdu(server)
    items = ({"id": "104", "quantity": 2}, {"id": "112", "quantity": 3})
    remember(page, prepare(server, customer, items))
    dishes = page.locator(".own-orders .dishes")
    expect(dishes).to_contain_text(BIRYANI)
    found = places(dishes, "2×", BIRYANI, "3×", TEA)
    assert found == sorted(found)


def test_control_quantities_turn_around_without_isolates(page, server, customer):
    sell_in_urdu(server)
    items = ({"id": "104", "quantity": 2}, {"id": "112", "quantity": 3})
    remember(page, prepare(server, customer, items))
    dishes = page.locator(".own-orders .dishes")
    expect(dishes).to_contain_text(BIRYANI)
    dishes.evaluate(
        "each => { each.textContent = each.textContent.replace(/[\u2068\u2069]/g, '') }"
    )
    found = places(dishes, "2×", BIRYANI, "3×", TEA)
    assert found != sorted(found)


def test_unpaid_order_becomes_paid_while_the_list_is_open(page, server, customer):
    prepared = prepare(server, customer)
    remember(page, prepared)
    expect(row(page, prepared)).to_contain_text("Waiting for the payment")
    pay_for(server, prepared)
    page.clock.fast_forward(5_000)
    expect(row(page, prepared)).to_contain_text("Paid and confirmed")


def test_forgotten_orders_are_gone_after_reload_and_undo_brings_them_back(page, server, customer):
    prepared = prepare(server, customer)
    remember(page, prepared)
    page.get_by_role("button", name="Forget these orders").click()
    expect(row(page, prepared)).to_have_count(0)
    eventually(lambda: local_storage(page, "ownOrders") == "", "no order is stored")
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    undo.press("Enter")
    expect(row(page, prepared)).to_be_visible()
    expect(page.get_by_role("heading", name="On this device")).to_be_focused()
    page.get_by_role("button", name="Forget these orders").click()
    expect(page.get_by_text("Forgotten.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("No orders yet.")).to_be_visible()


def test_orders_forgotten_in_one_tab_are_gone_in_another(page, server, customer):
    prepared = prepare(server, customer)
    remember(page, prepared)
    expect(row(page, prepared)).to_be_visible()
    other = page.context.new_page()
    open_page(other, ORDERS)
    other.get_by_role("button", name="Forget these orders").click()
    expect(row(page, prepared)).to_have_count(0)


def test_order_of_one_tab_is_listed_in_another(page, server, customer):
    open_page(page, ORDERS)
    expect(page.get_by_text("No orders yet.")).to_be_visible()
    other = page.context.new_page()
    await_event = expect_storage_event(page, "ownOrders")
    number = to_payment(other, server, customer)
    await_event()
    page.get_by_role("link", name="04/TERMS").click()
    page.get_by_role("link", name="03/ORDERS").click()
    expect(page.get_by_test_id(f"order-{number}")).to_be_visible()


def test_order_again_fills_a_new_cart_from_the_list(page, server, customer):
    prepared = prepare(server, customer)
    pay_for(server, prepared)
    remember(page, prepared)
    order_again(row(page, prepared))
    at_checkout(page)
    expect(page.get_by_test_id("grand-total")).to_have_text(total_of(prepared))
    assert units_in(local_storage(page, "cart")) == 2


def test_order_again_works_from_the_receipt(page, server, customer):
    prepared = prepare(server, customer)
    pay_for(server, prepared)
    open_page(page, f"/forms/response/{prepared['responseToken']}")
    order_again(page)
    at_checkout(page)
    assert units_in(local_storage(page, "cart")) == 2


def test_other_cart_is_replaced_only_when_the_visitor_agrees_by_keyboard(page, server, customer):
    prepared = prepare(server, customer)
    store_cart(page, server, restaurant=5, dishes="501:1")
    remember(page, prepared)
    again = row(page, prepared).get_by_role("button", name="Order again")
    again.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Start a new cart?")
    expect(dialog).to_contain_text("Slice Theory Pizza")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(again).to_be_focused()
    assert (local_storage(page, "cart") or "").startswith("5|")
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Start a new cart").press("Enter")
    at_checkout(page)
    assert (local_storage(page, "cart") or "").startswith("1|")


def test_closed_kitchen_is_named_where_order_again_was_pressed(page, server, customer):
    prepared = prepare(server, customer)
    pay_for(server, prepared)
    server.set_override(1, is_open=False)
    remember(page, prepared)
    page.set_viewport_size({"width": 390, "height": 500})
    order_again(row(page, prepared))
    notice = page.get_by_text("Pehla Food Point is not delivering right now.")
    expect(notice).to_be_in_viewport(ratio=1)
    assert not local_storage(page, "cart")
    open_page(page, f"/forms/response/{prepared['responseToken']}")
    order_again(page)
    expect(notice).to_be_in_viewport(ratio=1)
