"""What every screen contains: specified texts, test ids, and working links."""

import re
from functools import cache
from pathlib import Path

import pytest
from reflex_base.components.memo import MEMOS

from campus_app.shared.rules import constants
from tests.helpers.sessions import the_app

ASSETS = Path(__file__).parents[2] / "assets"
SCREENS = [
    "campus",
    "about",
    "about2",
    "menu/[restaurant_id]",
    "pre-reserve",
    "offers",
    "checkout",
    "personal-info",
    "waiting-room",
    "underprogress",
    "terms",
    "404",
]
"""Screens with the navigation bar; the payment return and the confirmation have none."""

WORDS = {
    "campus": ["North Campus", "South Campus", "₹15", "₹25"],
    "about": [
        *["All", "Indian", "Chinese", "American", "South Indian"],
        *["LIVE", "Connecting", "Refresh", "Last checked "],
        *["25-35", "10:30-20:30", "Pehla Food Point", "Dum & Handi"],
    ],
    "about2": ["South Campus", "LIVE", "Connecting", "Refresh"],
    "menu/[restaurant_id]": [
        *["VERIFY OUR PRICES", "PROCEED TO CART", "Add one ", "Remove one ", "Error: ", "Retry"],
        *["Start a new cart?", "Keep my cart"],
    ],
    "pre-reserve": [
        *[
            "Kulhad Café",
            *(f"{hour}:{minute}" for hour in range(12, 18) for minute in ("00", "30")),
        ],
        *["More guests", "Fewer guests", "Cancel", "Reserve", "Reserving...", "₹20", "₹400", "10%"],
    ],
    "offers": [
        *["Slice Theory Pizza", "Kulhad Café", "Buy one get one free", "10% off, 6PM to 12AM"],
        *["Minimum order ₹200.", "WEDNESDAY", "SATURDAY"],
    ],
    "checkout": ["No donation", "₹5", "₹10", "₹20", "₹50", "NEXT"],
    "personal-info": [
        *["Full name", "Email", "Phone number", "Address", "NEXT"],
        *["Note for the kitchen", "Note for the door", "No cutlery, please"],
        *["Payment Failed", "Card payment is unavailable."],
    ],
    "waiting-room": [
        *["PAY ", "Try Again", "Technical Issue Detected", "TRY AGAIN"],
        "Unable to connect to our servers. Please contact the restaurant directly",
    ],
    "payment-success": ["Do not refresh this page"],
    "order-confirmation": [
        *["PROCESSING PAYMENT", "Payment Successful!", "Confirming your order..."],
        *["ORDER CONFIRMED", "THANK YOU,", "PLEASE PAY", "UPON DELIVERY"],
        *["Delivery initiated to ", "Loading Order Details", "ORDER_ID: #", "Processing..."],
        "You will be notified once we reach your location in ",
        "Kindly check your Gmail right now, for order info.",
        *["Redirecting to home in ", " seconds...", "Stay on this page"],
        *["Notified", "MISSED CALL SENT", "Vendor notification sent"],
    ],
}
TEST_IDS = {
    "about": ["connection", "last-checked", *(f"restaurant-{number}" for number in range(1, 9))],
    "about2": ["connection", "last-checked", *(f"restaurant-{number}" for number in range(1, 9))],
    "menu/[restaurant_id]": [
        *["quantity", "line-total", "subtotal", "discount", "total", "shortfall"]
    ],
    "pre-reserve": ["party-size"],
    "checkout": [
        *["subtotal", "discount", "delivery-fee", "convenience-fee", "donation"],
        *["grand-total", "pay-online", "pay-later"],
    ],
    "order-confirmation": ["amount-due", "order-id", "redirect-countdown"],
}
TIMINGS = [
    ("order-confirmation", f"ms:{constants.CONFIRMATION_OVERLAY_SECONDS * 1000}", "2000 ms"),
    ("order-confirmation", f"seconds:{constants.CONFIRMATION_REDIRECT_SECONDS}", "45 s"),
    ("order-confirmation", f"ms:{constants.NOTIFICATION_POLL_SECONDS * 1000}", "2 s"),
    ("terms", "ms:1000", "after 1 second"),
    ("pre-reserve", f"ms:{constants.RESERVING_SECONDS * 1000}", "2 s"),
]


@cache
def drawn(pattern):
    """Return a page's generated code, including its memoised components."""
    component = the_app()._unevaluated_pages[pattern].component
    code = str(component() if callable(component) else component)
    code += "".join(str(memo.component) for memo in MEMOS.values() if memo.export_name in code)
    return re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), code)


def pairs(table):
    return [pytest.param(p, each, id=f"{p}: {each}") for p, all_ in table.items() for each in all_]


@pytest.mark.parametrize(("pattern", "words"), pairs(WORDS))
def test_screen_contains_specified_texts(pattern, words):
    assert words in drawn(pattern)


@pytest.mark.parametrize(("pattern", "name"), pairs(TEST_IDS))
def test_figure_has_the_specified_test_id(pattern, name):
    assert f'"data-testid":"{name}"' in drawn(pattern)


def test_dish_has_a_test_id():
    assert re.search(r'"data-testid":dish\w*\?\.\["testId"\]', drawn("menu/[restaurant_id]"))


@pytest.mark.parametrize(
    ("pattern", "timing"), [pytest.param(p, t, id=f"{p}: {quoted}") for p, t, quoted in TIMINGS]
)
def test_timing_matches_specification(pattern, timing):
    assert timing in drawn(pattern)


@pytest.mark.parametrize("pattern", SCREENS)
@pytest.mark.parametrize("link", ["01/HOME", "02/FOOD_points", "03/ORDERS", "04/TERMS"])
def test_screen_has_navigation_bar(pattern, link):
    assert f'"aria-label":"{link}"' in drawn(pattern)


@pytest.mark.parametrize("pattern", SCREENS)
def test_screen_has_clock_main_element_and_skip_link(pattern):
    code = drawn(pattern)
    assert '"data-testid":"clock"' in code
    assert code.count('jsx("main",') == 1
    assert re.search(r'(?:to:"#|target:")main"[^)]*"Skip to content"', code)


@pytest.mark.parametrize("pattern", [*SCREENS, "payment-success", "order-confirmation"])
def test_links_point_to_existing_screens(pattern):
    links = set(re.findall(r'(?:to|href):"(/(?!fonts/)[^"#?]*)', drawn(pattern)))
    screens = [link for link in links if not (ASSETS / link[1:]).is_file()]  # icons are files
    assert [link for link in screens if not the_app().router(link)] == []


@pytest.mark.parametrize("pattern", [*SCREENS, "payment-success", "order-confirmation"])
def test_image_files_exist(pattern):
    pictures = set(re.findall(r'(?:src|fallback):"(/[^"]+)"', drawn(pattern)))
    assert [picture for picture in pictures if not (ASSETS / picture[1:]).is_file()] == []


def test_card_payment_is_disabled():
    """Specification: card payment is shown as unavailable."""
    assert re.search(r'disabled:true,name:"payment"[^}]*"card"', drawn("personal-info"))


def test_paid_texts_depend_on_payment_state():
    """Source: specification S4."""
    code = drawn("order-confirmation")
    assert code.count("ORDER CONFIRMED") == 1
    assert re.search(r'is_paid_rx_state_ \? "Payment Successful!"', code)
    assert re.search(r'case JSON.stringify\("confirmed"\):\s*return [^;]*"ORDER CONFIRMED"', code)
