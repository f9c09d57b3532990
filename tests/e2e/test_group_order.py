"""A group order on three phones: guests choose live, the owner locks it and pays for all.

Source: specification 10.68 to 10.72.
"""

from playwright.sync_api import expect

from campus_app.shared.rules.constants import GROUP_REFUSAL_SECONDS
from tests.e2e.accessibility import expect_no_violations
from tests.e2e.assistant_page import DESKTOP
from tests.e2e.journey import (
    at_checkout,
    at_confirmation,
    confirm_details,
    give_details,
    local_storage,
    next_to_details,
    open_page,
    open_payment,
    pay,
    store_cart,
    units_in,
)
from tests.e2e.network import NEEDED, come_back, go_offline


def begin(page, name="Asha"):
    """Begin a group order at restaurant 1; return the path of its link."""
    open_page(page, "/together/1")
    give_name(page, name, "Begin a group order")
    page.wait_for_url("**/together/1?with=*")
    expect(page.get_by_test_id("member")).to_have_count(1)
    return page.url


def give_name(page, name, action="Join"):
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name=action).click()


def join(page, link, name):
    open_page(page, link)
    give_name(page, name)
    expect(member(page, name)).to_contain_text("you")


def member(page, name):
    return page.get_by_test_id("member").filter(has_text=name)


def choose(page, dish, times=1):
    """Add a dish one by one, each when the server has confirmed the one before."""
    group = page.get_by_role("group", name=dish, exact=True).first
    before = int(group.get_by_test_id("quantity").text_content())
    for units in range(before + 1, before + 1 + times):
        group.get_by_role("button", name=f"Add one {dish}", exact=True).click()
        expect(group.get_by_test_id("quantity")).to_have_text(str(units))


def lock(page):
    page.get_by_role("button", name="LOCK AND GO ON").click()
    at_checkout(page)


def test_query_of_the_menu_is_not_kept_and_show_all_ends_the_filter(visit, server):
    page = visit(server, **DESKTOP)
    open_page(page, "/menu/1")
    vegetarian = page.get_by_role("checkbox", name="Veg only")
    vegetarian.check()
    page.get_by_role("searchbox").fill("chai")
    expect(page.get_by_test_id("item-104")).to_have_count(0)
    page.get_by_role("link", name="Order with others").click()
    give_name(page, "Asha", "Begin a group order")
    expect(page.get_by_test_id("item-104").first).to_be_visible()
    expect(vegetarian).to_be_checked()
    page.get_by_role("button", name="Show all").click()
    expect(vegetarian).not_to_be_checked()
    expect(vegetarian).to_be_focused()


def test_three_phones_order_together_and_the_owner_pays(visit, server, customer):
    owner, ravi, meena = (visit(server) for _ in range(3))
    link = begin(owner)
    choose(owner, "Rajma Chawal")
    join(ravi, link, "Ravi")
    join(meena, link, "मीना")
    choose(ravi, "Paneer Butter Masala")
    for page in (owner, meena):
        expect(member(page, "Ravi")).to_contain_text("Paneer Butter Masala")
    choose(meena, "Rajma Chawal", times=2)
    for page in (owner, ravi, meena):
        expect(page.get_by_test_id("group-total")).to_have_text("₹490")
    lock(owner)
    expect(owner.get_by_test_id("subtotal")).to_have_text("₹490")
    expect(member(owner, "मीना")).to_contain_text("2×")
    for page in (ravi, meena):
        expect(page.get_by_text("Locked: Asha is paying.")).to_be_visible()
        expect(page.get_by_role("button", name="Add one Rajma Chawal")).to_have_count(0)
    next_to_details(owner)
    give_details(owner, Email=customer)
    confirm_details(owner)
    owner.wait_for_url("**/waiting-room")
    open_payment(owner)
    pay(owner)
    at_confirmation(owner)
    for page in (ravi, meena):
        expect(page.get_by_text("Ordered and paid.")).to_be_visible()
    assert units_in(local_storage(owner, "cart")) == 0


def test_owner_unlocks_from_the_summary_and_a_guest_changes_dishes(visit, server):
    owner, guest = visit(server), visit(server)
    link = begin(owner)
    choose(owner, "Rajma Chawal", times=2)
    join(guest, link, "Ravi")
    lock(owner)
    expect(guest.get_by_text("Locked: Asha is paying.")).to_be_visible()
    owner.get_by_role("link", name="Change dishes").click()
    owner.get_by_role("button", name="Unlock, so that all can change dishes").click()
    choose(guest, "Paneer Butter Masala")
    expect(member(owner, "Ravi")).to_contain_text("Paneer Butter Masala")
    # The summary of the earlier lock is not ordered: it lacks what the guest has added.
    open_page(owner, "/checkout")
    owner.wait_for_url(link)
    expect(owner.get_by_text("Your cart is a group order.")).to_be_visible()
    lock(owner)
    expect(owner.get_by_test_id("subtotal")).to_have_text("₹380")


def test_reload_and_second_tab_show_the_own_dishes(visit, server):
    owner, guest = visit(server), visit(server)
    link = begin(owner)
    join(guest, link, "Ravi")
    choose(guest, "Rajma Chawal")
    guest.reload()
    expect(member(guest, "Ravi")).to_contain_text("you")
    second = guest.context.new_page()
    open_page(second, link)
    choose(second, "Rajma Chawal")
    expect(guest.get_by_test_id("my-total")).to_have_text("₹220")
    group = guest.get_by_role("group", name="Rajma Chawal", exact=True).first
    group.get_by_role("button", name="Remove one Rajma Chawal").click()
    expect(second.get_by_test_id("my-total")).to_have_text("₹110")


def test_owner_takes_the_own_cart_along_and_finds_the_way_back(visit, server):
    page = visit(server)
    store_cart(page, server)
    open_page(page, "/checkout")
    at_checkout(page)
    page.get_by_role("link", name="Order with others").click()
    give_name(page, "Asha", "Begin a group order")
    expect(member(page, "Asha")).to_contain_text("Paneer Butter Masala")
    link = page.url
    open_page(page, "/campus")
    page.get_by_role("link", name="Cart, 3 dishes").click()
    page.wait_for_url(link)


def test_owner_takes_out_a_guests_dish_and_then_the_guest(visit, server):
    owner, guest = visit(server), visit(server)
    link = begin(owner)
    join(guest, link, "<b>Ravi</b>")
    choose(guest, "Rajma Chawal")
    owner.get_by_role("button", name="Take out Rajma Chawal of <b>Ravi</b>").click()
    expect(guest.get_by_test_id("my-total")).to_have_text("₹0")
    owner.get_by_role("button", name="Take out <b>Ravi</b>").click()
    expect(guest.get_by_role("button", name="Join")).to_be_visible()
    expect(owner.get_by_test_id("member")).to_have_count(1)


def test_menu_leads_to_a_group_order_below_the_minimum(page):
    open_page(page, "/menu/1")
    page.get_by_role("link", name="Order with others").click()
    give_name(page, "Asha", "Begin a group order")
    choose(page, "Rajma Chawal")
    page.get_by_role("button", name="LOCK AND GO ON").click()
    expect(page.get_by_text("Add ₹90 more to reach the ₹200 minimum.")).to_be_visible()


def test_closed_kitchen_is_named_on_the_open_page(visit, server):
    page = visit(server)
    begin(page)
    server.set_override(1, is_open=False)
    expect(page.get_by_text("This kitchen takes no orders now.")).to_be_visible()
    expect(page.get_by_role("button", name="Add one Rajma Chawal").first).to_be_hidden()


def test_step_without_network_is_not_made_and_never_sent(page):
    begin(page)
    choose(page, "Rajma Chawal")
    go_offline(page, "No connection. The group order is kept, and changed when this line is gone.")
    group = page.get_by_role("group", name="Rajma Chawal", exact=True).first
    group.get_by_role("button", name="Add one Rajma Chawal").click()
    expect(page.get_by_text(NEEDED)).to_be_visible()
    come_back(page)
    choose(page, "Rajma Chawal")
    expect(page.get_by_test_id("my-total")).to_have_text("₹220")


def test_refusal_goes_before_what_others_do_makes_it_untrue(visit, server):
    owner, guest = visit(server), visit(server)
    link = begin(owner)
    owner.get_by_role("button", name="LOCK AND GO ON").click()
    refusal = owner.get_by_text("Add ₹200 more to reach the ₹200 minimum.")
    expect(refusal).to_be_visible()
    join(guest, link, "Ravi")
    choose(guest, "Rajma Chawal", times=2)
    owner.clock.run_for(GROUP_REFUSAL_SECONDS * 1_000)
    expect(refusal).to_have_count(0)


def test_link_without_group_order_says_so(page):
    open_page(page, "/together/1?with=aaaaaaaaaaaaaaaaaaaaaa")
    expect(page.get_by_text("There is no group order at this link.")).to_be_visible()


def test_group_order_survives_a_restart_of_the_server(visit, own_server):
    owner, guest = visit(own_server), visit(own_server)
    link = begin(owner)
    choose(owner, "Rajma Chawal")
    own_server.restart()
    join(guest, link, "Ravi")
    expect(member(guest, "Asha")).to_contain_text("Rajma Chawal")
    expect(member(owner, "Ravi")).to_be_visible()


def test_group_order_is_named_before_its_menu_and_without_it(visit, server):
    page = visit(server)
    page.route("**/api/menus/1", lambda route: None)
    open_page(page, "/together/1")
    expect(page.get_by_role("heading", level=1)).to_have_text("Pehla Food Point")
    expect_no_violations(page, "group order without its menu")
    link = begin(page)
    open_page(page, link)
    expect(page.get_by_role("heading", level=1)).to_have_text("Pehla Food Point")
    page.unroute("**/api/menus/1")
    page.route("**/api/menus/1", lambda route: route.abort())
    page.reload()
    expect(page.get_by_text("The menu could not be loaded.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pehla Food Point")
    expect_no_violations(page, "group order whose menu could not be loaded")


def test_no_group_order_is_offered_at_a_restaurant_that_there_is_not(visit, server):
    page = visit(server)
    open_page(page, "/together/99")
    expect(page.get_by_text("There is no group order at this link.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Group order")
    expect_no_violations(page, "no group order")


def test_group_order_is_accessible_in_every_state(visit, server):
    owner, guest = visit(server), visit(server)
    open_page(owner, "/together/1")
    expect_no_violations(owner, "group order")
    link = begin(owner)
    choose(owner, "Rajma Chawal", times=2)
    open_page(guest, link)
    expect_no_violations(guest, "group order")
    join(guest, link, "Ravi")
    choose(guest, "Rajma Chawal")
    expect(member(owner, "Ravi")).to_contain_text("Rajma Chawal")
    for page in (owner, guest):
        expect_no_violations(page, "group order")
    lock(owner)
    expect_no_violations(owner, "group order")
    expect(guest.get_by_text("Locked: Asha is paying.")).to_be_visible()
    expect_no_violations(guest, "group order")
