"""The operator at the desk, with a mouse and a keyboard."""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from playwright.sync_api import Locator, Page, expect
from pydantic.alias_generators import to_camel

from tests.e2e.desk import at_desk
from tools.week.effort import Effort
from tools.week.operator_work import Operator, SheetDish
from tools.week.world import World

_SUMS = ("orders", "revenue", "online", "door", "given_back")


class DeskOperator(Operator):
    """Finds the way by the links of the desk, never by an address."""

    name = "the desk"

    def __init__(self, world: World) -> None:
        super().__init__(world)
        link = re.search(r"https?://\S+", world.shell("ops desk-link --role owner --name Asha"))
        assert link
        self.page: Page = world.page(is_phone=False)
        self.page.goto(link[0])
        self.page.wait_for_url("**/desk")
        at_desk(self.page)

    def enrol_board(self, restaurant_id: int) -> str:
        with self.work("a board for a kitchen") as effort:
            kitchen = self._kitchen(effort, restaurant_id)
            self._press(effort, kitchen.get_by_role("button", name="New link for a device"))
            effort.read()
            return kitchen.get_by_test_id("made-link").inner_text()

    def look(self) -> list[str]:
        with self.work("what needs somebody") as effort:
            self._area(effort, "Today")
            lines = self.page.get_by_test_id("desk-attention").locator(".desk-line")
            with effort.waiting():
                expect(lines.first.or_(self.page.get_by_text("Nothing to do."))).to_be_visible()
            effort.read(max(1, lines.count()))
            return lines.all_inner_texts()

    def find(self, phone: str) -> str:
        with self.work("where is my order?") as effort:
            self._area(effort, "Today")
            with effort.waiting():
                expect(self.page.get_by_role("searchbox")).to_be_visible()
            effort.type(f"/{phone}\n")
            self.page.keyboard.press("/")
            self.page.keyboard.type(phone)
            self.page.keyboard.press("Enter")
            found = self.page.get_by_test_id("desk-found").get_by_role("row").nth(1)
            with effort.waiting():
                expect(found).to_be_visible()
            effort.read()
            self._press(effort, found.get_by_role("link"))
            timeline = self.page.get_by_test_id("timeline")
            with effort.waiting():
                expect(timeline).to_be_visible()
            effort.read(2)
            return timeline.inner_text()

    def refund_due(self, number: str) -> None:
        with self.work("a refund that is due") as effort:
            self._area(effort, "Today")
            line = self.page.locator(".desk-line").filter(has_text=number)
            self._press(effort, line.get_by_role("link"))
            self._refund(effort, number)

    def refund_part(self, number: str, rupees: str) -> None:
        with self.work("a part of the money back") as effort:
            self._area(effort, "Today")
            self._press(effort, self.page.get_by_role("link", name=number, exact=True))
            self._fill(effort, self.page.get_by_label("Part in rupees"), rupees)
            self._refund(effort, number)

    def pause(self, restaurant_id: int) -> None:
        with self.work("a kitchen pauses") as effort:
            kitchen = self._kitchen(effort, restaurant_id)
            self._press(effort, kitchen.get_by_role("button", name="Pause 30 min"))
            with effort.waiting():
                expect(kitchen.get_by_text(re.compile(r"^Until \d\d:\d\d$"))).to_be_visible()
            effort.read()

    def reopen(self, restaurant_id: int) -> None:
        with self.work("a kitchen opens again") as effort:
            kitchen = self._kitchen(effort, restaurant_id)
            self._press(effort, kitchen.get_by_role("button", name=re.compile("^Open")))
            with effort.waiting():
                expect(kitchen.get_by_role("button", name=re.compile("^Close"))).to_be_visible()
            effort.read()

    def mark_sold_out(self, restaurant_id: int, dish_id: str, dish: str) -> None:
        with self.work("a dish is sold out") as effort:
            kitchen = self._kitchen(effort, restaurant_id)
            self._press(effort, kitchen.get_by_role("button", name="A dish is sold out"))
            with effort.waiting():
                choices = kitchen.get_by_role("combobox")
                expect(choices).to_be_focused()
            effort.type(dish[:5])  # the list jumps to it
            choices.select_option(dish_id)
            self._press(effort, kitchen.get_by_role("button", name="Mark as sold out"))
            with effort.waiting():
                expect(kitchen.get_by_role("listitem").filter(has_text=dish)).to_be_visible()
            effort.read()

    def retry_mail(self) -> None:
        with self.work("e-mails after an outage") as effort:
            self._area(effort, "Today")
            self._press(effort, self.page.get_by_role("button", name="Try now").first)
            with effort.waiting():
                expect(self.page.get_by_text("It is sent again within seconds.")).to_be_visible()
            effort.read()

    def change_price(self, restaurant_id: int, dish_id: str, dish: str, price: str) -> None:
        with self.work("a price changes") as effort:
            self._menu(effort, restaurant_id)
            field = self.page.get_by_role("textbox", name=f"Price of {dish}", exact=True)
            self._fill(effort, field, price)
            field.blur()
            self._publish(effort, "")

    def import_sheet(self, restaurant_id: int, sheet: str, wanted: Mapping[str, SheetDish]) -> None:
        with self.work("a restaurant's new sheet") as effort:
            self._menu(effort, restaurant_id)
            page = self.page
            effort.press()
            effort.press()  # the file, in the window of the computer
            with effort.waiting():
                page.get_by_label("Import a file").set_input_files(
                    {"name": "menu.csv", "mimeType": "text/csv", "buffer": sheet.encode()}
                )
                expect(page.get_by_test_id("menu-sheet")).to_be_visible()
            effort.read(len(wanted))
            self._press(effort, page.get_by_role("button", name="Keep these dishes"))
            self._publish(effort, "From the restaurant", is_refused=True)
            for dish in wanted.values():
                field = page.get_by_role("textbox", name=f"Price of {dish.name}", exact=True)
                if field.input_value() == dish.price:
                    continue
                row = page.locator("[data-testid^=dish-]").filter(has=field)
                asked = row.get_by_role("button", name=f"₹{dish.price}", exact=True)
                if asked.count():
                    self._press(effort, asked)
                else:
                    self._fill(effort, field, dish.price)
                    field.blur()
                with effort.waiting():
                    expect(field).to_have_value(dish.price)
                    expect(row.locator(".menu-fault")).to_have_count(0)
            self._publish(effort, "From the restaurant")

    def answer_lead(self, reference: str, note: str) -> None:
        with self.work("a buyer was phoned") as effort:
            self._area(effort, "Leads")
            lead = self.page.get_by_test_id(f"lead-{reference}")
            with effort.waiting():
                expect(lead).to_be_visible()
            effort.read()
            effort.press()
            effort.press()
            lead.get_by_label(f"State of {reference}").select_option("contacted")
            self._fill(effort, lead.get_by_label("Who takes care"), "Asha")
            self._fill(effort, lead.get_by_label("Note"), note)
            self._press(effort, lead.get_by_role("button", name="Store"))
            with effort.waiting():
                expect(self.page.get_by_text("Stored.")).to_be_visible()

    def day_account(self) -> None:
        with self.work("the account of the day") as effort:
            self._area(effort, "Figures")
            self._press(effort, self.page.get_by_role("button", name="Today"))
            with effort.waiting():
                self.page.wait_for_url("**first=**")
                expect(self.page.get_by_test_id("figure-orders")).to_be_visible()
            effort.read(3)

    def figures(self, first: date, last: date) -> dict[str, Decimal]:
        with self.work("how the week went") as effort:
            self._area(effort, "Figures")
            for label, day in (("First day", first), ("Last day", last)):
                self._fill(effort, self.page.get_by_label(label), day.isoformat())
            self._press(effort, self.page.get_by_role("button", name="Show", exact=True))
            with effort.waiting():
                self.page.wait_for_url(f"**first={first}&last={last}")
                expect(self.page.get_by_test_id("figure-orders")).to_be_visible()
            effort.read(10)
        return {
            to_camel(name): _amount(self.page.get_by_test_id(f"figure-{name}").inner_text())
            for name in _SUMS
        }

    def _area(self, effort: Effort, name: str) -> None:
        link = self.page.get_by_role("link", name=re.compile(rf"^\d+.{name}$"))
        self._press(effort, link)
        with effort.waiting():
            expect(link).to_have_attribute("aria-current", "page")
            at_desk(self.page)

    def _kitchen(self, effort: Effort, restaurant_id: int) -> Locator:
        self._area(effort, "Kitchens")
        effort.read()
        return self.page.get_by_test_id(f"desk-restaurant-{restaurant_id}")

    def _menu(self, effort: Effort, restaurant_id: int) -> None:
        self._area(effort, "Menus")
        row = self.page.get_by_test_id(f"desk-menu-{restaurant_id}")
        self._press(effort, row.get_by_role("link"))
        with effort.waiting():
            expect(self.page.get_by_test_id("menu-dishes")).to_be_visible()

    def _publish(self, effort: Effort, note: str, *, is_refused: bool = False) -> None:
        field = self.page.get_by_label("Note on this version")
        if note and field.input_value() != note:
            self._fill(effort, field, note)
        self._press(effort, self.page.get_by_role("button", name="Publish", exact=True))
        with effort.waiting():
            if is_refused:
                expect(self.page.get_by_role("alert")).to_contain_text("The menu has faults.")
            else:
                expect(field).to_have_value("")
                expect(self.page.get_by_test_id("menu-source")).to_have_text("Desk")

    def _refund(self, effort: Effort, number: str) -> None:
        self._fill(effort, self.page.get_by_label("Type the order number"), number)
        self._press(effort, self.page.get_by_role("button", name=re.compile("^Refund")))
        with effort.waiting():
            expect(self.page.get_by_text("Asked for at the payment provider.")).to_be_visible()
        effort.read()

    def _press(self, effort: Effort, control: Locator) -> None:
        effort.press()
        with effort.waiting():
            control.click()

    def _fill(self, effort: Effort, field: Locator, text: str) -> None:
        effort.press()
        effort.type(text)
        field.fill(text)


def _amount(text: str) -> Decimal:
    return Decimal(re.sub(r"[^\d.\-−]", "", text).replace("−", "-"))
