"""The second order on an old phone: taps, seconds of waiting and bytes, from the app's icon to 'paid'.

Once for a visitor whose details the browser remembers, and beside it for one who types them again.
The processor is four times slower, the line has 400 ms and 50 kB a second.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from apps import OURS, served
from browser import SELECT_CAMPUS, chromium, slow_down
from plan import Plan
from playwright.sync_api import CDPSession, Locator, Page, sync_playwright
from report import Figure, Goal, Limit, Result

_TAPS, _SECONDS = Goal(Limit.AT_MOST, 6), Goal(Limit.AT_MOST, 20)
_LONGEST_MS = 60_000
_ICON = "/campus?start"
"""The address that the icon opens (assets/manifest.webmanifest)."""
_DISH = "Add one Paneer Thali"
_DETAILS = {
    "Full name": "Aarav Sharma",
    "Email": "aarav@students.example",
    "Phone number": "+91 98000 11111",
    "Address": "Hostel 4, room 12",
}
_REMEMBER = "Remember my details on this device"
_BESIDE = "details typed again"


@dataclass
class _Order:
    """An order under way: what it has cost its visitor so far."""

    page: Page
    taps: int = 0
    letters: int = 0
    waits: dict[str, float] = field(default_factory=dict[str, float])
    """The seconds after each tap until the next screen can be used."""

    def wait(self, act: Callable[[], object], until: Locator, step: str) -> None:
        """Act, and wait until the next screen can be used."""
        start = time.perf_counter()
        act()
        until.wait_for(timeout=_LONGEST_MS)
        self.waits[step] = time.perf_counter() - start

    def tap(self, target: Locator, until: Locator, step: str) -> None:
        self.taps += 1
        self.wait(lambda: target.click(timeout=_LONGEST_MS), until, step)

    def type(self, label: str, text: str) -> None:
        self.taps += 1
        self.letters += len(text)
        self.page.get_by_label(label, exact=True).fill(text)


def measure(plan: Plan, folder: Path) -> Result:
    """Order twice in each browser, and measure the second order."""
    orders: dict[bool, list[tuple[_Order, int]]] = {True: [], False: []}
    with served(OURS, folder) as server:
        for _ in range(plan.rounds):
            for is_remembered, measured in orders.items():
                measured.append(_second_order(server.url, is_remembered=is_remembered))
    (taps, seconds, kilobytes), typed = _medians(orders[True]), _medians(orders[False])
    name = "Second order on an old phone"
    return Result(
        figures=[
            Figure(f"{name}: taps", "", taps, typed[0], _TAPS, _BESIDE),
            Figure(f"{name}: waiting", "s", seconds, typed[1], _SECONDS, _BESIDE),
            Figure(f"{name}: transferred", "kB", kilobytes, typed[2], beside=_BESIDE),
        ],
        details={
            "waits": [order.waits for order, _ in orders[True]],
            "letters": [order.letters for order, _ in orders[False]],
        },
    )


def _medians(orders: list[tuple[_Order, int]]) -> tuple[float, float, float]:
    """Return taps, seconds of waiting, and kilobytes."""
    return (
        statistics.median(order.taps for order, _ in orders),
        statistics.median(sum(order.waits.values()) for order, _ in orders),
        statistics.median(count for _, count in orders) / 1000,
    )


def _second_order(url: str, *, is_remembered: bool) -> tuple[_Order, int]:
    """Place an order, close its tab, and return the measured second one with its bytes."""
    with _phone(url) as page:
        _first_order(page, is_remembered=is_remembered)
        again = page.context.new_page()
        page.close()
        received = _Received(again.context.new_cdp_session(again))
        order = _Order(again)
        _order_again(order)
        return order, received.count


class _Received:
    """Slows a tab down, and counts the bytes that it receives: of files and of its socket."""

    def __init__(self, devtools: CDPSession) -> None:
        self.count = 0
        devtools.on("Network.loadingFinished", self._add_file)
        devtools.on("Network.webSocketFrameReceived", self._add_frame)
        devtools.send("Network.enable")
        slow_down(devtools)

    def _add_file(self, event: dict[str, float]) -> None:
        self.count += int(event["encodedDataLength"])

    def _add_frame(self, event: dict[str, dict[str, str]]) -> None:
        self.count += len(event["response"]["payloadData"])


@contextmanager
def _phone(url: str) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        try:
            context = browser.new_context(
                **playwright.devices["Pixel 5"], base_url=url, reduced_motion="reduce"
            )
            context.add_init_script(SELECT_CAMPUS)
            yield context.new_page()
        finally:
            browser.close()


def _first_order(page: Page, *, is_remembered: bool) -> None:
    page.goto(OURS.page, wait_until="networkidle")
    dish = page.get_by_role("button", name=_DISH, exact=True).first
    for _ in range(2):
        dish.click()
    _button(page, "PROCEED TO CART").click()
    _button(page, "NEXT").click()
    page.get_by_label("Full name").wait_for()
    for label, text in _DETAILS.items():
        page.get_by_label(label, exact=True).fill(text)
    if is_remembered:
        page.get_by_label(_REMEMBER).check()
    _confirm(page)
    _button(page, "PAY").click()
    _button(page, "Pay successfully").click()
    page.get_by_text("ORDER CONFIRMED").wait_for(timeout=_LONGEST_MS)


def _confirm(page: Page) -> None:
    _button(page, "NEXT").click()
    page.get_by_text("press NEXT again").wait_for()
    _button(page, "NEXT").click()


def _order_again(order: _Order) -> None:
    page = order.page
    orders = page.get_by_role("link", name="03/ORDERS")
    again, next_button = _button(page, "Order again").first, _button(page, "NEXT")
    name, to_pay = page.get_by_label("Full name"), _button(page, "PAY")
    order.wait(lambda: page.goto(_ICON, wait_until="commit"), orders, "icon")
    order.tap(orders, again, "orders")
    order.tap(again, page.get_by_test_id("grand-total"), "order again")
    order.tap(next_button, name, "summary")
    page.wait_for_function("document.querySelector('[name=phoneNumber]').value.startsWith('+91')")
    if not name.input_value():
        for label, text in _DETAILS.items():
            order.type(label, text)
        order.tap(next_button, page.get_by_text("press NEXT again"), "details")
    order.tap(next_button, to_pay, "details, checked")
    order.tap(to_pay, _button(page, "Pay successfully"), "pay")
    confirmed = page.get_by_text("ORDER CONFIRMED")
    order.tap(_button(page, "Pay successfully"), confirmed, "payment")


def _button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name)
