"""Every screen in every state and language: axe rules, layout at 320 px, and translations.

In both colour schemes, on a phone and a desktop.
"""

import re

import pytest
from playwright.sync_api import expect

from campus_app.shared.translations import LANGUAGES, t
from kit.translations import use_locale
from tests.e2e.accessibility import check_accessibility
from tests.e2e.journey import (
    LUNCH,
    add,
    at_confirmation,
    at_details,
    choose_campus,
    give_details,
    hold_messages_after,
    open_page,
    open_restaurant,
    pay,
    proceed,
    received_messages,
    set_seconds_to_pay,
    store_cart,
    text_pattern,
    to_checkout,
    to_details,
    to_payment,
    to_waiting_room,
)
from tests.e2e.network import PageSocket, connection
from tests.helpers.product import eventually


@pytest.fixture(params=LANGUAGES, autouse=True)
def visitor_language(request):
    """Every visitor of these tests uses this language."""
    with use_locale(request.param):
        yield request.param


@pytest.fixture
def page(visit, server):
    """A visitor with reduced motion, so that colours don't fade during the check."""
    return visit(server, reduced_motion="reduce", is_mobile=False, has_touch=False)


def test_screens_up_to_bill_are_accessible(page, server):
    server.set_override(3, is_open=False, message="Power cut in the kitchen")
    open_page(page, "/campus")
    expect(
        page.get_by_text(t("{open} of {kitchens} kitchens open", open=6, kitchens=8)).first
    ).to_be_visible()
    check_accessibility(page, "campus")
    choose_campus(page)
    expect(page.get_by_test_id("restaurant-3")).to_contain_text(t("DELIVERY UNAVAILABLE"))
    check_accessibility(page, "restaurants")
    page.get_by_role("tab", name=t("Chinese")).click()
    check_accessibility(page, "restaurants, filtered")
    page.route(re.compile("/api/restaurants/status$"), lambda route: route.abort())
    page.get_by_role("button", name=t("Refresh")).click()
    expect(page.get_by_role("alert")).to_have_text(t("Refresh failed"))
    check_accessibility(page, "restaurants, failed")
    page.get_by_role("tab", name=t("All")).click()
    open_restaurant(page)
    check_accessibility(page, "menu")
    add(page, LUNCH[0])
    expect(page.get_by_test_id("closing-dish")).to_be_visible()
    check_accessibility(page, "menu with a dish that closes the gap")
    add(page, *LUNCH[1:])
    check_accessibility(page, "menu with a cart")
    page.get_by_role("button", name=t("VERIFY OUR PRICES")).click()
    expect(page.get_by_role("dialog").get_by_role("img").first).to_be_visible()
    check_accessibility(page, "original menu")
    page.keyboard.press("Escape")
    proceed(page)
    check_accessibility(page, "checkout")


@pytest.mark.parametrize("address", ["/menu/1", "/pre-reserve"])
def test_campus_prompt_is_accessible(address, visit, server):
    options = {"reduced_motion": "reduce", "is_mobile": False, "has_touch": False}
    page = visit(server, campus="", **options)
    open_page(page, address)
    expect(page.get_by_role("heading", name=t("Which campus are you on?"))).to_be_visible()
    check_accessibility(page, f"campus prompt at {address}")


def test_change_campus_dialog_is_accessible(page, server):
    to_checkout(page, server)
    page.get_by_role("button", name=t("Change campus")).click()
    expect(page.get_by_role("dialog").get_by_role("button", name=t("South Campus"))).to_be_visible()
    check_accessibility(page, "campus to change")


def test_menu_dialogs_and_errors_are_accessible(page, server):
    store_cart(page, server)
    open_page(page, "/menu/5")
    page.get_by_role("button", name=t("Add one {dish}", dish="Farmhouse"), exact=True).first.click()
    expect(page.get_by_role("dialog", name=t("Start a new cart?"))).to_be_visible()
    check_accessibility(page, "new cart?")
    open_page(page, "/menu/99")
    expect(page.get_by_role("alert")).to_contain_text(t("Restaurant not found"))
    check_accessibility(page, "menu not found")
    page.goto("/menu/4")
    expect(page.locator(".notice-band")).to_contain_text(t("This kitchen takes no orders now."))
    check_accessibility(page, "menu of a closed kitchen")


def test_loading_menu_is_accessible(page):
    open_page(page, "/about")
    page.route("**/api/menus/1", lambda route: None)
    page.get_by_role("link", name="Pehla Food Point").click()
    expect(page.get_by_text(t("Loading the menu"))).to_be_attached()
    check_accessibility(page, "menu loading")


def test_contact_details_are_accessible(page, server, customer):
    to_details(page, server)
    page.get_by_text(t("Special instructions")).click()
    check_accessibility(page, "details")
    page.get_by_role("button", name=t("NEXT")).click()
    expect(page.get_by_text(t("Name is required"))).to_be_visible()
    check_accessibility(page, "details with errors")
    give_details(page, Email=customer)
    page.get_by_role("button", name=t("NEXT")).click()
    expect(page.get_by_text(t("Check your details, then press NEXT again"))).to_be_visible()
    check_accessibility(page, "details to confirm")


def test_waiting_room_is_accessible(page, server, customer):
    to_waiting_room(page, server, customer)
    check_accessibility(page, "waiting room")
    page.route("**/health", lambda route: route.abort())
    page.clock.fast_forward(5_000)
    expect(page.get_by_role("alertdialog")).to_be_visible()
    check_accessibility(page, "waiting room, no connection")
    page.clock.fast_forward(10_000)
    expect(page.get_by_role("button", name=t("TRY AGAIN"), exact=True)).to_be_visible()
    check_accessibility(page, "waiting room, call the kitchen")


def test_expired_waiting_room_is_accessible(page, server, customer):
    to_waiting_room(page, server, customer)
    set_seconds_to_pay(page, 0)
    expect(page.get_by_role("button", name=t("Try Again"), exact=True)).to_be_visible()
    check_accessibility(page, "waiting room, over")


def test_paid_order_screens_are_accessible(page, server, customer):
    number = to_payment(page, server, customer)
    check_accessibility(page, "payment page")
    page.route("**/forms/response/**", lambda route: route.abort())
    with page.expect_request("**/forms/response/**"):
        pay(page, "Leave pending")
    page.unroute("**/forms/response/**")
    page.goto(f"/payment-success?order_id={number}")
    expect(page.get_by_text(t("Verifying your payment..."))).to_be_visible()
    check_accessibility(page, "payment return")
    page.goto(f"/sandbox/pay?order_id={number}")
    pay(page)
    page.wait_for_url("**/order-confirmation**")
    at_confirmation(page)
    expect(page.get_by_text(t("MISSED CALL SENT"))).to_be_visible()
    check_accessibility(page, "confirmation")
    page.get_by_role("button", name=t("Stay on this page")).click()
    expect(page.get_by_role("link", name=t("To the restaurants"))).to_be_visible()
    check_accessibility(page, "confirmation that stays")
    page.goto(f"/sandbox/pay?order_id={number}")
    expect(page.get_by_text("This payment is already made.")).to_be_visible()
    check_accessibility(page, "payment page, paid")
    open_page(page, "/underprogress")
    expect(page.get_by_role("link", name=f"#{number}")).to_be_visible()
    check_accessibility(page, "own orders")
    store_cart(page, server, restaurant=5, dishes="501:1")
    open_page(page, "/underprogress")
    page.get_by_role("button", name=t("Order again")).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    check_accessibility(page, "order again, other cart")
    page.keyboard.press("Escape")
    page.get_by_role("button", name=t("Forget these orders")).click()
    expect(page.get_by_role("button", name=t("Undo"))).to_be_visible()
    check_accessibility(page, "own orders, forgotten")


def test_confirmation_overlay_is_accessible(page, server, customer):
    to_payment(page, server, customer)
    hold_messages_after(page, '"is_paid_rx_state_":true', '"is_hydrated_rx_state_":true')
    pay(page)
    page.wait_for_url("**/order-confirmation**")
    expect(page.get_by_text(t("PROCESSING PAYMENT"))).to_be_visible()
    expect(page.get_by_text(t("Payment Successful!"))).to_be_visible()
    check_accessibility(page, "confirmation, processing")


def test_failed_payment_is_accessible(page, server, customer):
    to_payment(page, server, customer)
    pay(page, "Decline payment")
    at_details(page)
    expect(page.get_by_text(t("Payment Failed"))).to_be_visible()
    check_accessibility(page, "details after a failed payment")


def test_unverified_payment_and_refund_are_accessible(page, server, customer):
    number = to_payment(page, server, customer)
    page.goto(f"/order-confirmation?order_id={number}&status=SUCCESS")
    page.clock.fast_forward(2_000)
    expect(page.get_by_text(t("NOT CONFIRMED YET"))).to_be_visible()
    check_accessibility(page, "confirmation, not sure")
    server.set_override(1, is_open=False)
    page.goto(f"/sandbox/pay?order_id={number}")
    pay(page)
    page.wait_for_url("**/order-confirmation**")
    page.clock.fast_forward(2_000)
    expect(page.get_by_text(t("MONEY COMES BACK"))).to_be_visible()
    check_accessibility(page, "refund")


def test_reservation_screens_are_accessible(page, server):
    store_cart(page, server, restaurant=2, dishes="202:5")
    open_page(page, "/pre-reserve")
    expect(page.get_by_role("radio", name="13:00")).to_be_disabled()
    check_accessibility(page, "slots")
    page.get_by_role("button", name=t("Reserve"), exact=True).click()
    expect(page.get_by_text(t("Please select a time slot"))).to_be_visible()
    check_accessibility(page, "slots, none chosen")
    page.get_by_role("radio", name="16:00").check()
    page.get_by_role("button", name=t("Reserve"), exact=True).click()
    page.wait_for_url("**/menu/2?preReserved=true")
    expect(page.get_by_test_id("pre-reserved")).to_be_visible()
    check_accessibility(page, "menu with a table")
    proceed(page)
    check_accessibility(page, "summary with a table")
    open_page(page, "/pre-reserve")
    expect(page.get_by_text(text_pattern("You hold a {table}"))).to_be_visible()
    check_accessibility(page, "a table that is held")
    open_page(page, "/menu/2")
    expect(page.get_by_role("link", name=t("Order for it"))).to_be_visible()
    check_accessibility(page, "menu beside a table")


def test_offers_are_accessible(page):
    open_page(page, "/offers")
    expect(page.get_by_text(t("ACTIVE NOW, UNTIL MIDNIGHT"))).to_be_visible()
    check_accessibility(page, "offers")


@pytest.mark.parametrize("address", ["/about2", "/terms", "/underprogress", "/nowhere"])
def test_plain_screen_is_accessible(page, address):
    open_page(page, address)
    if address == "/about2":
        expect(page.get_by_test_id("connection")).to_have_text(t("LIVE"))
    check_accessibility(page, address)


@pytest.mark.parametrize("address", ["/", "/sandbox/pay?order_id=AS_99999", "/payment-success"])
def test_screen_without_navigation_bar_is_accessible(page, address):
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    check_accessibility(page, address)


def test_connection_lost_banner_is_accessible(own_server, visit):
    page = visit(own_server, reduced_motion="reduce")
    messages = received_messages(page)
    open_page(page, "/terms")
    stands = '"is_hydrated_rx_state_":true'
    eventually(
        lambda: page.evaluate("1") and stands in "".join(messages), "there is a line to lose"
    )
    own_server.kill()
    expect(
        page.get_by_text(t("The connection is lost. Your cart is safe; each tap tries again."))
    ).to_be_visible()
    check_accessibility(page, "lost line")


def test_animations_are_off_when_reduced_motion_is_preferred(page, server, customer):
    socket = PageSocket(page)
    open_page(page, "/about")
    connection(page).to_have_text(t("LIVE"))
    socket.disconnect()
    connection(page).to_have_text(t("Connecting"))
    assert running_animations(page) == []
    to_payment(page, server, customer)
    pay(page, "Leave pending")
    expect(page.get_by_text(t("Verifying your payment..."))).to_be_visible()
    assert running_animations(page) == []
    page.emulate_media(reduced_motion="no-preference")
    assert running_animations(page) != []


def running_animations(page):
    """Return the running animations of the page."""
    return page.evaluate(
        "document.getAnimations().filter((a) => a.playState === 'running')"
        ".map((a) => a.animationName ?? a.transitionProperty)"
    )
