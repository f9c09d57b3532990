"""Those who use the product in a browser and are no operators: students, a cook, buyers."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal

from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.e2e import assistant_page
from tests.e2e.journey import (
    at_checkout,
    at_details,
    give_details,
    open_page,
    press_pay,
    store_cart,
)
from tests.e2e.kitchen import WHEN_STILL, at_board, ticket
from tools.week.world import World

_AMOUNT = re.compile(r"₹([\d,]+(?:\.\d\d)?)")
_PAY = re.compile(r"PAY ₹[\d,.]+ NOW")
PHONE = "+91 98000 {:05}"
NAME = "Meera Iyer"
_PRESSES = 3
"""One if the details were checked before, else two; a third, should a response be late."""
_ANSWER_MS = 2_000


@dataclass
class Sale:
    """An order as its customer has seen it; amounts in rupees."""

    number: str
    email: str
    phone: str
    restaurant_id: int
    grand_total: Decimal
    online: Decimal
    path: str
    """The address of the order's page."""

    @property
    def door(self) -> Decimal:
        """What is to pay at the door."""
        return self.grand_total - self.online


@dataclass
class Student:
    """A student with a phone, who orders one meal."""

    world: World
    page: Page
    email: str
    phone: str
    restaurant_id: int = 0

    def choose(self, restaurant_id: int, dishes: str) -> None:
        """Fill the cart, `104:2,112:1`, and open the summary."""
        self.restaurant_id = restaurant_id
        store_cart(self.page, self.world, restaurant=restaurant_id, dishes=dishes)
        open_page(self.page, "/checkout")
        at_checkout(self.page)

    def to_waiting_room(self) -> None:
        """Go from the summary to the waiting room; accept a price that changed meanwhile."""
        page = self.page
        press_next(page)
        new_prices = page.get_by_text("New prices: ")
        expect(new_prices.or_(page.get_by_label("Full name"))).to_be_visible()
        if not page.url.endswith("/personal-info"):
            press_next(page)
        at_details(page)
        give_details(page, Full_name=NAME, Email=self.email, Phone_number=self.phone)
        for _ in range(_PRESSES):
            press_next(page)
            with suppress(PlaywrightTimeout):
                page.wait_for_url("**/waiting-room", timeout=_ANSWER_MS)
                return
        raise AssertionError(f"{self.email} is not in the waiting room")

    def pay(self) -> Sale:
        """Pay in the waiting room; return what the screens have said."""
        page = self.page
        button = page.get_by_role("button", name=_PAY)
        expect(button).to_be_enabled()
        online = _rupees(button.inner_text())
        press_pay(page)
        page.wait_for_url("**/checkout")
        if page.url.startswith(self.world.url):  # a price changed: the summary says so
            at_checkout(page)
            self.to_waiting_room()
            return self.pay()
        page.get_by_role("button", name="Pay now").click()
        page.wait_for_url("**/order-confirmation**")
        page.clock.fast_forward(2_000)
        number = page.get_by_test_id("order-id")
        expect(number).to_contain_text("#")
        due = page.get_by_test_id("amount-due").first
        expect(due).to_contain_text("₹")
        sale = Sale(
            number.inner_text().rpartition("#")[2],
            self.email,
            self.phone,
            self.restaurant_id,
            online + _rupees(due.inner_text()),
            online,
            page.get_by_role("link", name="Your receipt").get_attribute("href") or "",
        )
        page.context.close()
        return sale


def student(world: World, number: int) -> Student:
    """Return a student with a new phone; the number makes the e-mail address."""
    email = f"student-{number}@students.example"
    return Student(world, world.page(), email, PHONE.format(number))


@dataclass
class Cook:
    """A cook beside the kitchen's tablet."""

    page: Page

    def press(self, number: str, *names: str) -> None:
        """Press buttons of a ticket."""
        for name in names:
            button = ticket(self.page, number).get_by_role("button", name=name, exact=True)
            button.evaluate(WHEN_STILL)
            button.click()

    def cancel(self, number: str, reason: str = "No gas") -> None:
        """Report that the whole order can't be cooked."""
        shown, page = ticket(self.page, number), self.page
        for button in (
            shown.get_by_role("button", name=f"More of order {number}"),
            shown.get_by_role("button", name=f"Can’t cook order {number}"),
        ):
            button.evaluate(WHEN_STILL)
            button.click()
        dialog = page.get_by_role("dialog", name=f"Can’t cook order {number}")
        dialog.get_by_role("button", name=reason).click()
        whole = dialog.get_by_role("button", name="The whole order")
        whole.evaluate(WHEN_STILL)
        whole.click()
        expect(dialog).to_have_count(0)


def cook(world: World, link: str) -> Cook:
    """Return a cook whose tablet was enrolled with a link to the kitchen's board."""
    page = world.page(is_phone=False)
    page.goto(link)
    page.wait_for_url("**/kitchen")
    return Cook(at_board(page))


def request_demo(world: World, fields: Mapping[str, str]) -> str:
    """Ask for a demonstration as a buyer; return the reference that the page shows."""
    page = world.page(is_phone=False)
    assistant_page.open_page(page)
    assistant_page.open_dialog(page)
    assistant_page.to_variants(page, **fields)
    page.wait_for_timeout(3_000)  # nobody fills in the form faster: it would look like a robot's
    assistant_page.request_demo(page)
    dialog = assistant_page.dialog(page)
    expect(dialog.get_by_role("heading", name="Thank you. We have your request.")).to_be_visible()
    reference = dialog.locator("dd").first.inner_text()
    page.context.close()
    return reference


def press_next(page: Page) -> None:
    """Press NEXT."""
    page.get_by_role("button", name="NEXT").click()


def _rupees(text: str) -> Decimal:
    found = _AMOUNT.search(text)
    assert found, text
    return Decimal(found[1].replace(",", ""))
