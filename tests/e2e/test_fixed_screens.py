"""What small phones and low desktop windows show without scrolling. Source: specification S20.

A page is resized and its customer renamed in place: only what is read once, when a screen opens, is
opened again."""

from contextlib import suppress
from operator import add

import pytest
from playwright.sync_api import expect

from campus_app.shared.rules.constants import CONFIRMATION_OVERLAY_SECONDS, TOAST_FOLD_SECONDS
from campus_app.shared.translations import LANGUAGES, t
from kit.translations import use_locale
from tests.e2e.accessibility import SCHEMES, scheme_of
from tests.e2e.frames import wait_for_fonts, wait_for_frames
from tests.e2e.journey import (
    at_confirmation,
    at_waiting_room,
    confirm_details,
    freeze_clock,
    give_details,
    open_page,
    store_cart,
    text_pattern,
    to_details,
    to_payment,
    to_waiting_room,
    wait_until_hydrated,
)
from tests.e2e.network import noted
from tests.e2e.orders import pay_for, prepare
from tests.e2e.visibility import expect_fully_visible, hidden_areas, hidden_parts, hidden_reason
from tests.helpers.product import eventually

SMALLEST = {"width": 320, "height": 568}
PHONES = (
    SMALLEST,
    {"width": 360, "height": 640},
    {"width": 390, "height": 664},
    {"width": 412, "height": 732},
)
SMALL_WINDOWS = (*PHONES[:3], {"width": 844, "height": 390})
"""The last is a phone on its side."""
LAPTOP = {"width": 1280, "height": 720}
LONGEST_NAME = (
    "Venkata Satyanarayana Purushottama Lakshminarasimha Rao Chandrashekharan Namboothiri"[:80]
)
ONE_LINE_PX = 48
ZOOMED = {"width": 195, "height": 422}
"""A phone of 390 x 844 at 200%: windows that are as low show toasts folded at once."""
DOCKED = (SMALLEST, {"width": 360, "height": 640}, {"width": 390, "height": 844})
NAMES = (
    "Meera Iyer",
    "Satyanarayana Chandrashekhara",
    "Lakshminarasimhan Venkataraghavan P",
    LONGEST_NAME,
    "वेंकट सत्यनारायण पुरुषोत्तम लक्ष्मीनरसिंह राव चंद्रशेखरन नंबूदिरी राजगोपाल शर्मा"[:80],
)
"""Of 10, 29, 35 and 80 letters, and the longest that is taken in Devanagari."""
OPEN_KITCHENS = (1, 2, 3, 5, 6, 7, 8)
CARTS = {1: "104:2,112:1", 2: "202:5"}
LONG_CART = "104:2,112:1,101:1,102:1,103:1,105:1,106:1,107:1"


@pytest.fixture(params=LANGUAGES, autouse=True)
def visitor_language(request):
    """Every visitor of these tests uses this language."""
    with use_locale(request.param):
        yield request.param


def in_each_scheme(page):
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        yield scheme


def in_each_window(page, sizes=PHONES):
    """Resize the page in place, in one of the two colour schemes at each size.

    The two languages have opposite schemes, so that each size is shown in both.
    """
    for number, size in enumerate(sizes):
        scheme = scheme_of(number)
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size)
        wait_for_frames(page, 2)
        yield f"{size['width']}x{size['height']}, {scheme}"


def expect_nothing_hidden(page):
    """Expect that no area hides content, once the page has followed a change of its size."""
    with suppress(AssertionError):
        eventually(lambda: not hidden_areas(page), "no area hides content", within=20)
    assert hidden_areas(page) == []


def rename_customer(page, name):
    """Show another name, and its length, from which the screen calculates the font's size."""
    page.get_by_role("heading", level=1).evaluate(
        """(title, [name, names]) => {
          [...title.childNodes].find((node) => names.includes(node.data)).data = name;
          title.style.setProperty("--characters", name.length);
        }""",
        [name.upper(), [name.upper() for name in NAMES]],
    )
    wait_for_frames(page, 2)  # the page follows its size a frame later


# The confirmation


def open_notified_confirmation(page, server, customer, **changes):
    """Open the confirmation of a paid order with both toasts."""
    prepared = prepare(server, customer, **changes)
    number = pay_for(server, prepared)
    eventually(lambda: server.status_of(number)["emailsSent"] == 2, "the e-mails are recorded")
    eventually(
        lambda: server.status_of(number)["missedCallStatus"] == "success", "the call is recorded"
    )
    show_confirmation(
        page, f"/order-confirmation?order_id={number}&token={prepared['responseToken']}"
    )


def show_confirmation(page, address):
    page.goto("/health")
    freeze_clock(page)  # the toasts fold after some seconds
    page.goto(address)
    at_confirmation(page)
    expect(page.locator(".toast")).to_have_count(2)
    wait_for_fonts(page)


def docked_parts(page):
    return {
        "order number": page.get_by_test_id("order-id"),
        "amount": page.get_by_test_id("amount-due"),
        "receipt": page.get_by_role("link", name=t("Your receipt")),
        "countdown": page.get_by_test_id("redirect-countdown"),
        "stay": page.get_by_role("button", name=t("Stay on this page")),
    }


def boxes(parts):
    return {name: part.bounding_box() for name, part in parts.items()}


def fold_toasts(page):
    page.clock.run_for(TOAST_FOLD_SECONDS * 1_000)
    expect(page.locator(".notices.folded")).to_be_visible()


def expect_gmail_or_hint(page):
    """Expect that 'Kindly check your Gmail' is visible, or that the page is shown to continue."""
    gmail = page.locator(".poster li").first
    assert "Gmail" in gmail.inner_text()
    more = page.get_by_role("button", name=t("More below"))

    def reasons():
        """Return why neither is seen; the page may follow its size a moment later."""
        found = [hidden_reason(gmail), hidden_reason(more) if more.is_visible() else "no hint"]
        return found if all(found) else []

    with suppress(AssertionError):
        eventually(lambda: not reasons(), "the line is visible, or that the page continues")
    assert reasons() == []


def expect_docked(page, size):
    """Expect the parts of the dock inside the window, below the toasts; return their places."""
    found = boxes(docked_parts(page))
    toasts = page.locator(".notices").bounding_box()
    for name, box in found.items():
        assert box["x"] >= 0, name
        assert box["x"] + box["width"] <= size["width"], name
        assert box["y"] >= toasts["y"] + toasts["height"], name
        assert box["y"] + box["height"] <= size["height"], name
    expect_fully_visible(**docked_parts(page))
    return {name: (box["x"], box["y"], box["height"]) for name, box in found.items()}


def places_of_dock(page, size):
    """Show each name in a window of this size; return the places of the dock's parts."""
    page.set_viewport_size(size)
    for name in NAMES:
        rename_customer(page, name)
        yield expect_docked(page, size)


def expect_folded_dock(page, size):
    for places in places_of_dock(page, size):
        assert page.locator(".notices").bounding_box()["height"] <= ONE_LINE_PX
        expect_gmail_or_hint(page)
        yield places


def test_dock_of_confirmation_has_one_place_for_every_name(page, server, customer):
    open_notified_confirmation(page, server, customer, name=NAMES[0])
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_css("--characters", str(len(NAMES[0])))
    whole = [list(places_of_dock(page, size)) for size in DOCKED]
    fold_toasts(page)
    folded = [list(expect_folded_dock(page, size)) for size in DOCKED]
    page.set_viewport_size(ZOOMED)
    show_confirmation(page, page.url)
    low = list(expect_folded_dock(page, ZOOMED))
    for size, places in zip((*DOCKED, ZOOMED), (*map(add, whole, folded), low), strict=True):
        assert all(place == places[0] for place in places), (size, places)


def test_confirmation_is_fully_visible_with_both_toasts(page, server, customer):
    open_notified_confirmation(page, server, customer, name=LONGEST_NAME)
    for name in (LONGEST_NAME, "Meera Iyer"):
        rename_customer(page, name)
        for _ in in_each_window(page):
            expect_fully_visible(
                mails=page.locator(".toast").first,
                call=page.locator(".toast").last,
                **docked_parts(page),
            )
            expect_nothing_hidden(page)


def test_toasts_fold_after_six_seconds_and_unfold_by_tap_and_key(page, server, customer):
    open_notified_confirmation(page, server, customer)
    toasts = page.locator(".notices")
    whole = toasts.bounding_box()["height"]
    fold_toasts(page)
    assert toasts.bounding_box()["height"] <= ONE_LINE_PX
    expect(page.get_by_text(t("MISSED CALL SENT"))).to_be_visible()
    expect(page.get_by_text("2/2")).to_be_visible()
    fold = page.get_by_role("button", name=t("The notices in full"))
    expect(fold).to_have_attribute("aria-expanded", "false")
    fold.tap()
    expect(fold).to_have_attribute("aria-expanded", "true")
    assert toasts.bounding_box()["height"] == whole
    page.keyboard.press("Enter")
    expect(fold).to_have_attribute("aria-expanded", "false")


def test_confirmation_scrolls_to_its_last_line_above_the_dock(page, server, customer):
    page.set_viewport_size(SMALLEST)
    open_notified_confirmation(page, server, customer)
    fold_toasts(page)
    last = page.locator(".poster li").last
    assert hidden_reason(last)
    more = page.get_by_role("button", name=t("More below"))
    for _ in in_each_scheme(page):
        expect_fully_visible(more=more)
    more.tap()
    page.wait_for_function("() => scrollY > 0")
    page.keyboard.press("End")
    expect(more).to_have_count(0)
    eventually(lambda: not hidden_reason(last), "the end is in view")
    expect_fully_visible(last=last, **docked_parts(page))


def test_unverified_confirmation_shows_number_and_countdown(page, server, customer):
    prepared = prepare(server, customer)
    query = f"order_id={prepared['orderId']}&token={prepared['responseToken']}&hasError=true"
    page.goto(f"/order-confirmation?{query}")
    page.clock.run_for(CONFIRMATION_OVERLAY_SECONDS * 1_000)
    expect(page.get_by_text(t("NOT CONFIRMED YET"))).to_be_visible()
    freeze_clock(page)
    for _ in in_each_window(page):
        parts = docked_parts(page)
        expect_fully_visible(
            hint=page.get_by_role("heading", level=1),
            **{name: parts[name] for name in ("order number", "countdown", "stay")},
        )
        expect_nothing_hidden(page)


def test_refund_shows_number_and_countdown(page, server, customer):
    number = to_payment(page, server, customer)
    server.set_override(1, is_open=False)
    page.get_by_role("button", name="Pay successfully").click()
    page.wait_for_url("**/order-confirmation**")
    page.clock.run_for(CONFIRMATION_OVERLAY_SECONDS * 1_000)
    expect(page.get_by_text(t("MONEY COMES BACK"))).to_be_visible()
    expect(page.get_by_test_id("order-id")).to_have_text(f"ORDER_ID: #{number}")
    freeze_clock(page)
    for _ in in_each_window(page):
        parts = docked_parts(page)
        expect_fully_visible(
            **{name: parts[name] for name in ("order number", "countdown", "stay")}
        )
        expect_nothing_hidden(page)


# The menu


PARTS_OF_DISH = ("h3", ".price", ".stepper button:last-child")
"""Its name, its price and the button that adds it."""


def expect_addable_dish(page, menu):
    """Show a menu in each window; expect its first dish without scrolling."""
    dish = page.locator(".dish-card").first
    expect(dish).to_be_visible()
    for window in in_each_window(page):
        assert hidden_parts(dish, *PARTS_OF_DISH) == [], f"{menu}, {window}"
        yield


def test_menu_shows_an_addable_dish_without_scrolling(page, server):
    bar = page.locator(".cart-bar")
    for restaurant in OPEN_KITCHENS:
        open_page(page, f"/menu/{restaurant}")
        for _ in expect_addable_dish(page, restaurant):
            assert bar.bounding_box()["height"] <= ONE_LINE_PX
            expect_fully_visible(missing=page.get_by_test_id("shortfall"))
    for restaurant, dishes in CARTS.items():
        store_cart(page, server, restaurant=restaurant, dishes=dishes)
        open_page(page, f"/menu/{restaurant}")
        for _ in expect_addable_dish(page, f"{restaurant} with a cart"):
            expect_fully_visible(proceed=bar.get_by_role("button"))


def test_menu_beside_another_cart_shows_an_addable_dish(page, server):
    store_cart(page, server)
    for restaurant in (2, 5, 6):
        open_page(page, f"/menu/{restaurant}")
        link = page.get_by_role("link", name=text_pattern("Cart, {count} dishes, {total}"))
        expect(link).to_be_visible()
        for _ in expect_addable_dish(page, restaurant):
            pass


def test_table_menu_shows_an_addable_dish_without_scrolling(page):
    open_page(page, "/pre-reserve")
    page.get_by_role("radio", name="16:00").check()
    page.get_by_role("button", name=t("Reserve"), exact=True).click()
    page.clock.run_for(2_000)
    page.wait_for_url("**/menu/2?preReserved=true")
    expect(page.get_by_test_id("pre-reserved")).to_be_visible()
    for _ in expect_addable_dish(page, "with a table"):
        pass


def test_menu_shows_cart_summary_on_low_desktop(visit, server):
    """Restaurant 1 without a cart, with one and with a long one; restaurant 2 beside a table."""
    page = visit(server, viewport=LAPTOP, is_mobile=False, has_touch=False)
    parts = {
        "proceed": page.get_by_role("button", name=t("PROCEED TO CART")),
        "total": page.get_by_test_id("total"),
        "shortfall": page.get_by_test_id("shortfall"),
        "cart": page.locator(".cart-head h2"),
    }
    for restaurant, dishes in (1, ""), (2, ""), (1, CARTS[1]), (1, LONG_CART), (2, CARTS[2]):
        if dishes:
            store_cart(page, server, restaurant=restaurant, dishes=dishes)
        open_page(page, f"/menu/{restaurant}")
        expect(page.locator(".cart-lines li")).to_have_count(
            len(dishes.split(",")) if dishes else 0
        )
        for _ in in_each_scheme(page):
            expect_fully_visible(**parts)
        page.evaluate("scrollTo(0, 600)")
        for line in page.locator(".cart-lines li").all():
            line.evaluate("line => line.scrollIntoView({block: 'nearest'})")
            expect_fully_visible(line=line, **parts)


# Overlays, dialogs, sheets


def test_waiting_room_and_overlay_are_fully_visible(page, server, customer):
    to_waiting_room(page, server, customer)
    for _ in in_each_window(page, SMALL_WINDOWS):
        expect_fully_visible(
            pay=page.get_by_role("button", name=text_pattern("PAY {amount} NOW")),
            countdown=page.get_by_test_id("countdown"),
        )
        expect_nothing_hidden(page)
    freeze_clock(page)
    answered = noted(page, "requestfinished", "/health")
    # The jump below must meet no check that is under way: its answer would close the overlay.
    eventually(lambda: page.clock.run_for(100) or answered, "a check has just been answered")
    page.route("**/health", lambda route: route.abort())
    page.clock.fast_forward(5_000)
    overlay = page.get_by_role("alertdialog")
    expect(overlay).to_be_visible()
    for _ in in_each_window(page, SMALL_WINDOWS):
        expect_fully_visible(
            title=overlay.get_by_role("heading"),
            text=overlay.locator("#problem-text"),
            countdown=page.get_by_test_id("overlay-countdown"),
        )
        expect_nothing_hidden(page)
    page.clock.fast_forward(10_000)
    page.clock.resume()
    again = page.get_by_role("button", name=t("TRY AGAIN"), exact=True)
    expect(again).to_be_visible()
    for _ in in_each_window(page, SMALL_WINDOWS):
        expect_fully_visible(again=again, phone=overlay.get_by_role("link"))
        expect_nothing_hidden(page)


def test_pay_button_stays_in_view_below_a_long_address(page, server, customer):
    to_details(page, server)
    give_details(page, Email=customer, Full_name=LONGEST_NAME, Address="Hostel 4, room 212. " * 15)
    confirm_details(page)
    at_waiting_room(page)
    for _ in in_each_window(page):
        expect_fully_visible(
            pay=page.get_by_role("button", name=text_pattern("PAY {amount} NOW")),
            countdown=page.get_by_test_id("countdown"),
        )


def test_toast_leaves_the_proceed_button_free(page, server):
    store_cart(page, server, dishes="104:50")
    open_page(page, "/menu/1")
    page.get_by_test_id("item-104").get_by_role("button").last.tap()
    toast = page.locator(".toast.bad")
    expect(toast).to_be_visible()
    for _ in in_each_window(page):
        expect_fully_visible(
            toast=toast, proceed=page.get_by_role("button", name=t("PROCEED TO CART"))
        )


def test_new_cart_dialog_is_fully_visible(page, server):
    store_cart(page, server)
    open_page(page, "/menu/5")
    page.get_by_role("button", name=t("Add one {dish}", dish="Farmhouse"), exact=True).click()
    dialog = page.get_by_role("dialog", name=t("Start a new cart?"))
    expect(dialog).to_be_visible()
    for _ in in_each_window(page, SMALL_WINDOWS):
        expect_fully_visible(
            title=dialog.get_by_role("heading"),
            keep=dialog.get_by_role("button", name=t("Keep my cart")),
            start=dialog.get_by_role("button", name=t("Start a new cart")),
        )
        expect_nothing_hidden(page)


def test_processing_overlay_is_fully_visible(page):
    page.goto("/health")
    freeze_clock(page)  # else the page is left after some seconds
    page.goto("/payment-success")
    expect(page.get_by_text(t("Order ID not found. Redirecting..."))).to_be_visible()
    for _ in in_each_window(page, SMALL_WINDOWS):
        expect_fully_visible(
            title=page.get_by_role("heading", level=1),
            message=page.get_by_text(t("Order ID not found. Redirecting...")),
            note=page.get_by_text(t("Do not refresh this page")),
        )
        expect_nothing_hidden(page)


def test_reservation_screen_is_fully_visible(page):
    open_page(page, "/pre-reserve")
    wait_until_hydrated(page)
    for _ in in_each_window(page):
        expect_nothing_hidden(page)
