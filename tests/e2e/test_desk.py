"""The desk: entering, live orders, one order, refunds, keys. Source: 11.1 to 11.14."""

import re

import httpx
import pytest
from playwright.sync_api import expect

from campus_app.operators.rules.desk import DeskRole
from campus_app.shared.translations import LANGUAGES, t
from kit.http.client import ssl_context
from kit.translations import use_locale
from tests.e2e.accessibility import check_accessibility
from tests.e2e.desk import DESK, at_desk, enter, listed, open_order
from tests.e2e.journey import connect_at_once, freeze_clock, received_messages
from tests.e2e.kitchen import TABLET, order
from tests.e2e.network import PageSocket
from tests.e2e.pushes import GOAL_MS
from tests.e2e.test_keyboard import tab_to
from tests.helpers import product_devices
from tests.helpers.demo import REQUEST_BODY
from tests.helpers.product import eventually

PAGES = (DESK, "/desk/restaurants", "/desk/leads", "/desk/devices", "/desk/audit")


@pytest.fixture
def desk(visit, server):
    """A computer of the owner, on the desk."""
    return enter(visit(server, **TABLET), server)


def refund(page, number, amount):
    """Give a part of an order's money back."""
    page.get_by_label(t("Part in rupees")).fill(amount)
    page.get_by_label(t("Type the order number")).fill(number)
    page.get_by_role("button", name=t("Refund")).click()


def test_link_opens_the_desk_once_and_a_reload_keeps_it(visit, server):
    path = product_devices.create_desk_link(server, DeskRole.OWNER)
    page, other = visit(server, **TABLET), visit(server, **TABLET)
    page.goto(path)
    page.wait_for_url(f"**{DESK}")
    at_desk(page).reload()
    expect(page.get_by_text("Asha · Owner")).to_be_visible()
    other.goto(path)
    expect(other.get_by_role("heading", name=t("This link has been used"))).to_be_visible()
    other.goto(DESK)
    refused = t("This device can’t open this page")
    expect(other.get_by_role("heading", name=refused)).to_be_visible()


def test_paid_order_appears_at_the_desk_within_a_second(desk, server):
    number = order(server, "desk-live@example.com")
    expect(listed(desk, number)).to_be_visible(timeout=GOAL_MS)
    expect(listed(desk, number)).to_contain_text(t("Sent to the kitchen"))
    expect(desk.get_by_text("desk-live@example.com")).to_have_count(0)


def test_order_is_found_by_its_customers_phone(desk, server):
    number = order(server, "desk-find@example.com")
    desk.get_by_role("searchbox", name=t("Find an order")).fill("98000 00777")
    desk.keyboard.press("Enter")
    found = desk.get_by_test_id("desk-found")
    expect(found.get_by_role("link", name=number)).to_be_visible()


def test_filter_is_in_the_address_and_survives_a_reload(desk, server):
    number = order(server, "desk-filter@example.com")
    expect(listed(desk, number)).to_be_visible()
    desk.get_by_role("combobox", name=t("Kitchen")).select_option("2")
    desk.wait_for_url("**/desk?kitchen=2")
    expect(listed(desk, number)).to_have_count(0)
    desk.reload()
    expect(desk.get_by_role("combobox", name=t("Kitchen"))).to_have_value("2")
    expect(listed(at_desk(desk), number)).to_have_count(0)


def test_refund_is_made_once_and_seen_by_others(desk, visit, server):
    number = order(server, "desk-refund@example.com")
    other = enter(visit(server, **TABLET), server, DeskRole.SUPPORT, "Ravi")
    for page in (desk, other):
        open_order(page, number)
    refund(desk, "AS_000", "10")
    expect(desk.get_by_role("alert")).to_contain_text(t("Nothing was given back."))
    refund(desk, number, "10")
    for page in (desk, other):
        expect(page.get_by_test_id("timeline")).to_contain_text("₹10")
    # The number was cleared: a second press asks for it again.
    desk.get_by_role("button", name=t("Refund")).click()
    expect(desk.get_by_label(t("Type the order number"))).to_be_focused()


def test_contact_is_shown_on_a_press_and_gone_with_the_page(desk, server):
    number = order(server, "desk-contact@example.com")
    open_order(desk, number)
    expect(desk.get_by_text("desk-contact@example.com")).to_have_count(0)
    desk.get_by_role("button", name=t("Show contact")).click()
    expect(desk.get_by_test_id("contact")).to_contain_text("desk-contact@example.com")
    expect(desk.get_by_test_id("timeline")).to_contain_text(t("Looked at the contact"))
    desk.reload()
    expect(desk.get_by_role("button", name=t("Show contact"))).to_be_visible()


def test_page_keeps_what_is_half_typed_through_a_reconnection(visit, server):
    page = visit(server, **TABLET)
    socket, received = PageSocket(page), received_messages(page)
    hydrated = '"is_hydrated_rx_state_":true'
    enter(page, server)
    for address, label in {DESK: t("Find an order"), "/desk/devices": t("Name")}.items():
        page.goto(address)
        field = at_desk(page).get_by_label(label, exact=True)
        field.fill("12")
        # An element that was removed and made again is empty, and not the one that had the focus.
        element = field.element_handle()
        socket.disconnect()
        expect(page.get_by_test_id("connection")).to_have_text(t("Connecting"))
        freeze_clock(page)  # the page waits a second for what a slow server pushes
        received.clear()
        socket.reconnect()
        connect_at_once(page)
        eventually(lambda: page.evaluate("1") and hydrated in "".join(received), "it has its state")
        assert element.evaluate("each => each.isConnected && each === document.activeElement")
        expect(field).to_have_value("12")
        page.clock.resume()


def test_desk_of_a_revoked_device_closes_within_a_second(desk, server):
    number = order(server, "desk-revoked@example.com")
    expect(listed(desk, number)).to_be_visible()
    product_devices.revoke_desk(server, product_devices.desk_device_ids(server)[-1])
    expect(listed(desk, number)).to_have_count(0, timeout=GOAL_MS)
    refused = t("This device can’t open this page")
    expect(desk.get_by_role("heading", name=refused)).to_be_visible()


def test_kitchen_is_paused_and_opened_and_a_dish_marked_as_sold_out(desk):
    desk.goto("/desk/restaurants")
    kitchen = at_desk(desk).get_by_test_id("desk-restaurant-3")
    kitchen.get_by_role("button", name=t("Pause {count} min", count=30)).click()
    expect(kitchen.get_by_text(re.compile(r"^Until \d\d:\d\d$"))).to_be_visible()
    kitchen.get_by_role("button", name=t("Open"), exact=False).first.click()
    expect(kitchen.get_by_role("button", name=t("Close"))).to_be_visible()
    kitchen.get_by_role("button", name=t("A dish is sold out")).press("Enter")
    dishes = kitchen.get_by_role("combobox", name=t("Dish of {name}", name="Dosa Depot"))
    expect(dishes).to_be_focused()
    dishes.select_option("310")
    kitchen.get_by_role("button", name=t("Mark as sold out")).press("Enter")
    expect(dishes).to_have_count(0)
    gone = kitchen.get_by_role("listitem").filter(has_text="Masala Dosa")
    gone.get_by_role("button", name=t("Sell again")).click()
    expect(gone).to_have_count(0)
    kitchen.get_by_role("button", name=t("New link for a device")).click()
    expect(kitchen.get_by_test_id("made-link")).to_contain_text("/kitchen/")


def test_keys_find_move_open_and_are_listed(desk, server):
    number = order(server, "desk-keys@example.com")
    expect(listed(desk, number)).to_be_visible()
    desk.keyboard.press("?")
    expect(desk.get_by_role("dialog")).to_contain_text(t("find an order"))
    desk.keyboard.press("Escape")
    expect(desk.get_by_role("dialog")).to_have_count(0)
    desk.keyboard.press("j")
    expect(desk.locator("[data-line] a:focus, [data-line] button:focus")).to_have_count(1)
    desk.keyboard.press("/")
    search = desk.get_by_role("searchbox", name=t("Find an order"))
    expect(search).to_be_focused()
    desk.keyboard.type(f"{number}j")
    expect(search).to_have_value(f"{number}j")
    tab_to(desk, desk.get_by_role("button", name=t("Find"), exact=True))


def ask_for_demo(server, changes):
    address, body = f"{server.url}/api/demo-requests", REQUEST_BODY | changes
    answer = httpx.post(address, json=body, timeout=30, verify=ssl_context())
    assert answer.status_code == 201, answer.text


@pytest.mark.parametrize("code", LANGUAGES)
def test_pages_of_the_desk_are_accessible(visit, server, code):
    with use_locale(code):
        number = order(server, f"desk-axe-{code}@example.com")
        campaign = {"utmSource": "autumn", "utmCampaign": "clinics"}
        ask_for_demo(server, campaign)
        page = visit(server, **TABLET)
        enter(page, server, name={"en": "Asha", "hi": "आशा"}[code])
        expect(listed(page, number)).to_be_visible()
        path = listed(page, number).get_by_role("link").get_attribute("href")
        for address in (*PAGES, path):
            page.goto(address)
            at_desk(page)
            expect(page.get_by_role("heading", level=1)).to_be_attached()
            check_accessibility(page, f"desk {address.rpartition('/')[2][:8]}")


def test_lead_keeps_what_a_colleague_has_set_and_what_is_typed(visit, server, customer):
    company = f"College of {customer}"
    body = {"company": company, "email": customer, "phone": ""}
    ask_for_demo(server, body)
    ravi, mina = (visit(server, **TABLET) for _ in range(2))
    for page, name in ((ravi, "Ravi"), (mina, "Mina")):
        page.goto(product_devices.create_desk_link(server, DeskRole.SALES, name))
        at_desk(page)
    store(mina, company, state="won")
    store(ravi, company, note="mine")
    expect(lead_of(ravi, company).get_by_role("combobox")).to_have_value("won")
    lead_of(mina, company).get_by_label(t("Note")).fill("hers")
    lead_of(mina, company).get_by_role("button", name=t("Store")).click()
    expect(mina.get_by_text("Somebody has changed this lead meanwhile")).to_be_visible()
    expect(lead_of(mina, company).get_by_label(t("Note"))).to_have_value("hers")
    store(mina, company)
    ravi.reload()
    expect(lead_of(ravi, company).get_by_label(t("Note"))).to_have_value("hers")
    expect(lead_of(ravi, company).get_by_role("combobox")).to_have_value("won")


def lead_of(page, company):
    heading = page.get_by_role("heading", name=company)
    return page.get_by_role("listitem").filter(has=heading)


def store(page, company, state="", note=""):
    """Set what is given of a lead, and store it."""
    lead = lead_of(page, company)
    if state:
        lead.get_by_role("combobox").select_option(state)
    if note:
        lead.get_by_label(t("Note")).fill(note)
    lead.get_by_role("button", name=t("Store")).click()
    expect(page.get_by_text(t("Stored."))).to_be_visible()


def test_sales_sees_leads_and_no_orders(visit, server):
    page = visit(server, **TABLET)
    page.goto(product_devices.create_desk_link(server, DeskRole.SALES))
    page.wait_for_url("**/desk/leads")
    expect(page.get_by_role("heading", name=t("Leads"))).to_be_visible()
    expect(page.get_by_role("link", name=t("Today"))).to_have_count(0)
    page.goto("/desk/restaurants")
    refused = t("This device can’t open this page")
    expect(page.get_by_role("heading", name=refused)).to_be_visible()
