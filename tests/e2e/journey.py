"""The steps of an order; each returns when the next screen is ready."""

import json
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Error, Locator, Page, expect

from campus_app.shared.translations import t
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
"""The same lunch in the format of browser storage."""

LATE_ERRORS_WITHOUT_REDIS = (
    " ERROR asyncio ensure_task:",
    '"logger": "asyncio", "message": "ensure_task:',
)
"""Reflex's tasks that subscribe to Redis end after five errors each. After ensure_task has replaced
such a task, asyncio logs, at this function, that its exception was never retrieved: when the task is
freed, which may be during the next test. As text and as JSON."""

ERRORS_WITHOUT_REDIS = (
    "event: ConnectionError",
    "reflex.utils.tasks",
    "reflex.utils.token_manager",
    *LATE_ERRORS_WITHOUT_REDIS,
)
"""Errors that are logged while Redis is down, of events in progress and of Reflex's own tasks."""

_ANSWER_MS = 50
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_CLOCK = re.compile(r"\S{2,}\d\d:\d\d")


def open_page(page: Page, address: str) -> None:
    """Open an address and wait until the page is hydrated."""
    page.goto(address)
    wait_until_hydrated(page)


def wait_until_hydrated(page: Page) -> None:
    """Wait until the page is hydrated: its clock shows the time."""
    expect(page.get_by_test_id("clock")).to_have_text(_CLOCK)


def text_pattern(text: str) -> re.Pattern[str]:
    """Return a pattern that matches a message in the current language, with any values."""
    return re.compile(re.sub(r"\\{\w+\\}", ".+", re.escape(t(text))))


def choose_campus(page: Page, name: str = "North Campus") -> None:
    page.get_by_role("button", name=t(name)).click()
    page.wait_for_url(re.compile(r"/about2?$"))


def card(page: Page, restaurant_id: int) -> Locator:
    """Return the card of a restaurant in the list."""
    return page.get_by_test_id(f"restaurant-{restaurant_id}")


def open_restaurant(page: Page, name: str = "Pehla Food Point") -> None:
    page.get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()


def add(page: Page, *dishes: str) -> None:
    """Add dishes to the cart one by one; return when the server has stored them."""
    for dish in dishes:
        group = page.get_by_role("group", name=dish, exact=True).first
        before = int(group.get_by_test_id("quantity").text_content())
        group.get_by_role("button", name=t("Add one {dish}", dish=dish), exact=True).click()
        expect(group.get_by_test_id("quantity")).to_have_text(str(before + 1))
    meant = page.locator(".cart .times").all_inner_texts()
    units = sum(int(times.removesuffix("×")) for times in meant)
    eventually(lambda: units_in(local_storage(page, "cart")) == units, f"a cart of {units}")


def units_in(cart: str | None) -> int:
    """Return the number of units in a stored cart."""
    dishes = (cart or "").rpartition("|")[2]
    return sum(int(dish.split(":")[1]) for dish in dishes.split(",") if dish)


def proceed(page: Page) -> None:
    page.get_by_role("button", name=t("PROCEED TO CART")).click()
    at_checkout(page)


def at_checkout(page: Page) -> None:
    page.wait_for_url("**/checkout")
    expect(page.get_by_test_id("grand-total")).to_be_visible()
    # The prerendered summary may be that of an earlier visit.
    page.wait_for_function("() => window.isHydrated")


def next_to_details(page: Page) -> None:
    page.get_by_role("button", name=t("NEXT")).click()
    at_details(page)


def at_details(page: Page) -> None:
    page.wait_for_url("**/personal-info")
    expect(page.get_by_role("heading", level=1)).to_have_text(t("Who is it for?"))
    expect(page.locator(".bill .grand dd")).to_have_text(re.compile("₹"))


def give_details(page: Page, **changes: str | None) -> None:
    """Fill in the contact details; `Full_name=...` sets another value, None skips a field."""
    values = DETAILS | {label.replace("_", " "): value for label, value in changes.items()}
    for label, value in values.items():
        if value is not None:
            page.get_by_label(t(label)).fill(value)


def unfold_instructions(page: Page) -> None:
    """Show the notes and the box of the special instructions."""
    page.get_by_text("Special instructions").click()


def confirm_details(page: Page) -> None:
    """Press NEXT twice, as the confirmation banner requests."""
    page.get_by_role("button", name=t("NEXT")).click()
    expect(page.get_by_text(t("Check your details, then press NEXT again"))).to_be_visible()
    page.get_by_role("button", name=t("NEXT")).click()


def at_waiting_room(page: Page) -> None:
    page.wait_for_url("**/waiting-room")
    expect(page.get_by_role("button", name=text_pattern("PAY {amount} NOW"))).to_be_enabled()


def press_pay(page: Page) -> None:
    page.get_by_role("button", name=text_pattern("PAY {amount} NOW")).click()


def open_payment(page: Page, webhook: str = "") -> str:
    """Open the payment page, optionally with a webhook mode; return the order's number."""
    press_pay(page)
    page.wait_for_url("**/sandbox/pay**")
    number = parse_qs(urlsplit(page.url).query)["order_id"][0]
    if webhook:
        page.goto(f"/sandbox/pay?order_id={number}&webhook={webhook}")
    return number


def pay(page: Page, button: str = "Pay successfully") -> None:
    page.get_by_role("button", name=button).click()


def at_confirmation(page: Page) -> None:
    """Wait for the confirmation, skipping the two seconds of its overlay."""
    page.wait_for_url("**/order-confirmation**")
    expect(
        page.get_by_text(t("Confirming your order...")).or_(page.get_by_text(t("ORDER CONFIRMED")))
    ).to_be_visible()
    page.clock.fast_forward(2_000)
    expect(page.get_by_text(t("ORDER CONFIRMED"))).to_be_visible()


def store_cart(page: Page, server, restaurant: int = 1, dishes: str = CART) -> None:
    """Put a cart into browser storage."""
    minute = base36(int(server.now.timestamp()) // 60)
    page.goto("/health")
    text = f"{restaurant}|{minute}|{secrets.token_urlsafe(16)}|{dishes}"
    page.evaluate("text => localStorage.setItem('cart', text)", text)


def to_checkout(page: Page, server, **cart) -> None:
    """Open the order summary with a cart."""
    store_cart(page, server, **cart)
    open_page(page, "/checkout")
    at_checkout(page)


def to_details(page: Page, server, **cart) -> None:
    """Open the contact details with a cart."""
    to_checkout(page, server, **cart)
    next_to_details(page)


def to_waiting_room(page: Page, server, email: str, **cart) -> None:
    """Open the waiting room with a cart and contact details."""
    to_details(page, server, **cart)
    give_details(page, Email=email)
    confirm_details(page)
    at_waiting_room(page)


def to_payment(page: Page, server, email: str, webhook: str = "", **cart) -> str:
    """Open the payment page; return the order's number."""
    to_waiting_room(page, server, email, **cart)
    return open_payment(page, webhook)


def local_storage(page: Page, key: str) -> str | None:
    """Return a value of localStorage."""
    return page.evaluate("key => localStorage.getItem(key)", key)


def session_storage(page: Page, key: str) -> str | None:
    """Return a value of sessionStorage."""
    return page.evaluate("key => sessionStorage.getItem(key)", key)


def base36(number: int) -> str:
    return (base36(number // 36) if number >= 36 else "") + _DIGITS[number % 36]


def leave_pending(page: Page) -> None:
    """Return from the payment page without a payment; wait until the page polls."""
    messages = received_messages(page)
    pay(page, "Leave pending")
    expect(page.get_by_text(t("Verifying your payment..."))).to_be_visible()
    eventually(lambda: page.evaluate("1") and "poll_ms" in "".join(messages), "the page polls")


def run_clock_until_redirect(page: Page, step_ms: int = 1_000) -> None:
    """Advance the page's clock until the payment's status has been polled 30 times.

    Real time passes too: the socket's timeout of 145 s runs by the same clock, and a page whose
    polls are answered late would reach it.
    """
    while "/forms/response/" in page.url:
        page.clock.run_for(step_ms)
        page.request.get("/health")  # a server that is slow for everybody must not be too late
        page.wait_for_timeout(_ANSWER_MS)


def received_messages(page: Page) -> list[str]:
    """Return a list that collects the page's received messages."""
    messages: list[str] = []

    def record(message: str | bytes) -> None:
        messages.append(str(message))

    page.on("websocket", lambda socket: socket.on("framereceived", record))
    return messages


def freeze_clock(page: Page) -> None:
    """Pause the page's clock."""
    soon = page.evaluate("Date.now()") / 1_000 + 1  # pause_at takes seconds
    with suppress(Error):  # on a slower machine: the clock stands still too, but can't jump back
        page.clock.pause_at(soon)


def run_until_reconnecting(page: Page, shown: Callable[[], bool]) -> None:
    """Run a paused clock by milliseconds until the page shows that its connection is lost.

    `Math.random` must return 0 in the page: its first attempt to connect is then due at once.
    """
    eventually(lambda: page.clock.run_for(1) or shown(), "an attempt to connect has failed")


def expect_storage_event(page: Page, key: str) -> Callable[[], None]:
    """Return a function that waits until another tab's change of a key has been told to the page."""
    page.evaluate(
        """(key) => void (window.isTold = new Promise((resolve) =>
            addEventListener("storage", (event) => event.key === key && resolve(true))))""",
        key,
    )
    return lambda: page.evaluate("isTold")


def connect_at_once(page: Page) -> None:
    """Let the page try to connect now, as when the browser is online again (4.5)."""
    page.evaluate("dispatchEvent(new Event('online'))")


def set_seconds_to_pay(page: Page, seconds: int) -> None:
    """Return to the waiting room with this many seconds left."""
    draft = json.loads(session_storage(page, "checkoutDraft"))
    draft["payUntil"] -= 150 - seconds
    page.goto("/health")
    page.evaluate("text => sessionStorage.setItem('checkoutDraft', text)", json.dumps(draft))
    page.goto("/waiting-room")


def hold_messages_after(page: Page, *words: str) -> list:
    """Hold the server's messages back after messages with these words, in order."""
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
    """Send the held messages, and stop holding."""
    eventually(lambda: page.evaluate("1") and held, "there is something to hold back")
    for socket, message in held:
        if message is not None:
            socket.send(message)
    held.clear()
