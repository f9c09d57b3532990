"""The steps of an order, as a visitor takes them; each ends when the next screen is there."""

import json
import re
import secrets
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, expect

from campus_app.translations import t
from tests.helpers.product import eventually

DETAILS = {
    "Full name": "Aarav Sharma",
    "Email": "aarav@students.example",
    "Phone number": "+91 98000 00001",
    "Address": "Hostel 4, B block, room 212",
}
LUNCH = ("Rajma Chawal", "Rajma Chawal", "Paneer Butter Masala")
"""Three dishes of restaurant 1: 110 + 110 + 160 rupees, each above 100."""

CART = "104:2,112:1"
"""The same lunch, as the browser keeps it."""

EVENT_WITHOUT_REDIS = "event: ConnectionError"
"""What the log says of a click in the very moment in which Redis dies: its session is out of reach."""

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_CLOCK = re.compile(r"\S{2,}\d\d:\d\d")


def arrive(page: Page, address: str) -> None:
    """Open an address, and wait until the screen answers to clicks."""
    page.goto(address)
    answers(page)


def answers(page: Page) -> None:
    """Wait until a screen answers to clicks: the clock in its bar goes."""
    expect(page.get_by_test_id("clock")).to_have_text(_CLOCK)


def saying(text: str) -> re.Pattern[str]:
    """Return what matches a text of ours in the language that is spoken, whatever its names."""
    return re.compile(re.sub(r"\\{\w+\\}", ".+", re.escape(t(text))))


def choose_campus(page: Page, name: str = "North Campus") -> None:
    page.get_by_role("button", name=t(name)).click()
    page.wait_for_url(re.compile(r"/about2?$"))


def card(page: Page, restaurant_id: int) -> Locator:
    """Return a restaurant in the list."""
    return page.get_by_test_id(f"restaurant-{restaurant_id}")


def open_restaurant(page: Page, name: str = "Pehla Food Point") -> None:
    page.get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()


def add(page: Page, *dishes: str) -> None:
    """Put dishes in the cart, one after another; return once the server knows of all."""
    for dish in dishes:
        group = page.get_by_role("group", name=dish, exact=True).first
        before = int(group.get_by_test_id("quantity").text_content())
        group.get_by_role("button", name=t("Add one {dish}", dish=dish), exact=True).click()
        expect(group.get_by_test_id("quantity")).to_have_text(str(before + 1))
    meant = page.locator(".cart .times").all_inner_texts()
    units = sum(int(times.removesuffix("×")) for times in meant)
    eventually(lambda: units_in(stored(page, "cart")) == units, f"a cart of {units}")


def units_in(cart: str | None) -> int:
    """Return how many dishes a cart holds that the browser keeps."""
    dishes = (cart or "").rpartition("|")[2]
    return sum(int(dish.split(":")[1]) for dish in dishes.split(",") if dish)


def proceed(page: Page) -> None:
    page.get_by_role("button", name=t("PROCEED TO CART")).click()
    at_checkout(page)


def at_checkout(page: Page) -> None:
    page.wait_for_url("**/checkout")
    expect(page.get_by_test_id("grand-total")).to_be_visible()
    # What is drawn at first may be an earlier visit's summary.
    page.wait_for_function("() => window.isHydrated")


def next_to_details(page: Page) -> None:
    page.get_by_role("button", name=t("NEXT")).click()
    at_details(page)


def at_details(page: Page) -> None:
    page.wait_for_url("**/personal-info")
    expect(page.get_by_role("heading", level=1)).to_have_text(t("Who is it for?"))
    expect(page.locator(".bill .grand dd")).to_have_text(re.compile("₹"))


def give_details(page: Page, **changes: str | None) -> None:
    """Fill in the contact details; `Full_name=...` names another value, None no such field."""
    values = DETAILS | {label.replace("_", " "): value for label, value in changes.items()}
    for label, value in values.items():
        if value is not None:
            page.get_by_label(t(label)).fill(value)


def confirm_details(page: Page) -> None:
    """Press NEXT twice, as the notice asks."""
    page.get_by_role("button", name=t("NEXT")).click()
    expect(page.get_by_text(t("Check your details, then press NEXT again"))).to_be_visible()
    page.get_by_role("button", name=t("NEXT")).click()


def at_waiting_room(page: Page) -> None:
    page.wait_for_url("**/waiting-room")
    expect(page.get_by_role("button", name=saying("PAY {amount} NOW"))).to_be_enabled()


def press_pay(page: Page) -> None:
    page.get_by_role("button", name=saying("PAY {amount} NOW")).click()


def open_payment(page: Page, webhook: str = "") -> str:
    """Go to the payment page, rehearsing its notice in some way; return the order's number."""
    press_pay(page)
    page.wait_for_url("**/sandbox/pay**")
    number = parse_qs(urlsplit(page.url).query)["order_id"][0]
    if webhook:
        page.goto(f"/sandbox/pay?order_id={number}&webhook={webhook}")
    return number


def pay(page: Page, button: str = "Pay successfully") -> None:
    page.get_by_role("button", name=button).click()


def at_confirmation(page: Page) -> None:
    """Wait for the confirmation, but not for the two seconds of its overlay."""
    page.wait_for_url("**/order-confirmation**")
    expect(
        page.get_by_text(t("Confirming your order...")).or_(page.get_by_text(t("ORDER CONFIRMED")))
    ).to_be_visible()
    page.clock.fast_forward(2_000)
    expect(page.get_by_text(t("ORDER CONFIRMED"))).to_be_visible()


def bring_cart(page: Page, server, restaurant: int = 1, dishes: str = CART) -> None:
    """Come with a cart, as it would have been kept in this browser."""
    minute = base36(int(server.now.timestamp()) // 60)
    page.goto("/health")
    text = f"{restaurant}|{minute}|{secrets.token_urlsafe(16)}|{dishes}"
    page.evaluate("text => localStorage.setItem('cart', text)", text)


def to_checkout(page: Page, server, **cart) -> None:
    """Come to the order summary with a cart."""
    bring_cart(page, server, **cart)
    arrive(page, "/checkout")
    at_checkout(page)


def to_details(page: Page, server, **cart) -> None:
    """Come to the contact details with a cart."""
    to_checkout(page, server, **cart)
    next_to_details(page)


def to_waiting_room(page: Page, server, email: str, **cart) -> None:
    """Come to the waiting room with a cart and contact details."""
    to_details(page, server, **cart)
    give_details(page, Email=email)
    confirm_details(page)
    at_waiting_room(page)


def to_payment(page: Page, server, email: str, webhook: str = "", **cart) -> str:
    """Come to the payment page; return the order's number."""
    to_waiting_room(page, server, email, **cart)
    return open_payment(page, webhook)


def stored(page: Page, key: str) -> str | None:
    """Return what the browser keeps for good under a key."""
    return page.evaluate("key => localStorage.getItem(key)", key)


def stored_for_tab(page: Page, key: str) -> str | None:
    """Return what the browser keeps for this tab under a key."""
    return page.evaluate("key => sessionStorage.getItem(key)", key)


def base36(number: int) -> str:
    return (base36(number // 36) if number >= 36 else "") + _DIGITS[number % 36]


def leave_pending(page: Page) -> None:
    """Come back from the payment page without a payment; wait until the page asks after it."""
    told = heard_by(page)
    pay(page, "Leave pending")
    expect(page.get_by_text(t("Verifying your payment..."))).to_be_visible()
    eventually(lambda: page.evaluate("1") and "ask_ms" in "".join(told), "the page asks")


def heard_by(page: Page) -> list[str]:
    """Return what the server will have told this page from here on, message by message."""
    told: list[str] = []

    def note(said: str | bytes) -> None:
        told.append(str(said))

    page.on("websocket", lambda socket: socket.on("framereceived", note))
    return told


def freeze(page: Page) -> None:
    """Let time stand still on the page, until a test moves it."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1_000 + 1)  # it takes seconds


def let_time_to_pay_be(page: Page, seconds: int) -> None:
    """Come back to the waiting room with so many seconds left."""
    draft = json.loads(stored_for_tab(page, "checkoutDraft"))
    draft["payUntil"] -= 150 - seconds
    page.goto("/health")
    page.evaluate("text => sessionStorage.setItem('checkoutDraft', text)", json.dumps(draft))
    page.goto("/waiting-room")


def hold_answers_after(page: Page, *words: str) -> list:
    """Hold back whatever the server sends after messages with these words, one after another."""
    held, awaited = [], list(words)

    def relay(socket):
        upstream = socket.connect_to_server()

        def answer(message):
            if held:
                held.append((socket, message))
                return
            socket.send(message)
            if awaited and awaited[0] in str(message):
                del awaited[0]
                if not awaited:
                    held.append((socket, None))

        upstream.on_message(answer)

    page.route_web_socket("**/_event/**", relay)
    return held


def release(page: Page, held: list) -> None:
    """Let through what was held back, and what follows."""
    eventually(lambda: page.evaluate("1") and held, "there is something to hold back")
    for socket, message in held:
        if message is not None:
            socket.send(message)
    held.clear()
