"""The week, from Wednesday to Tuesday. What happens to the operator is the same for both ways."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from itertools import count, cycle

from tests.helpers.product import eventually
from tools.simulation.stack import NOON
from tools.week.ledger import Ledger
from tools.week.operator_work import Operator, SheetDish
from tools.week.people import Sale, Student, cook, request_demo, student
from tools.week.world import SALES_EMAIL, World

_OPENING = NOON + timedelta(minutes=30)
_ORDERS = 60
_ORDERS_OF_DAYS = (8, 9, 8, 8, 8, 9, 10)
_MEALS = (
    (1, "101:2"),
    (2, "202:3"),
    (3, "304:4"),
    (5, "502:3"),
    (6, "603:3"),
    (7, "706:2"),
    (8, "802:2"),
)
"""A restaurant, and the cart of a meal."""
_BUSY = (5, "501:2", "Margherita", "501", "175")
"""Where a price changes under load: kitchen, cart, dish, its id, and the new price."""
_UNDER_LOAD = 6
_SHEET = """ANNAPURNA CANTEEN,,,
S.No,Item,Rate (Rs.),Available
,DOSAS,,
1,Masala Dosa,85/-,Yes
2,Benne Dosa,80/140,Yes
3,Onion Podi Dosa,Rs 9O,Yes
,DRINKS,,
4,Mineral Water,MRP,Yes
"""
"""What a restaurant sends: two prices in one cell, a letter O for a zero, no price."""
_WANTED = {
    "85/-": SheetDish("310", "Masala Dosa", "85"),
    "80/140": SheetDish("", "Benne Dosa", "140"),
    "9O": SheetDish("", "Onion Podi Dosa", "90"),
    "MRP": SheetDish("", "Mineral Water", "20"),
}
_OPEN_CALLS = (
    "select state, attempts, last_error from outbox"
    " where state in ('ready', 'leased') and topic = 'call.vendor'"
)
_LOOKS = 4
_BUYERS = ("Southern College", "Lakeside Clinics", "Metro Couriers")


class Week:
    """Plays the week with one operator; what is wrong is in `problems`."""

    def __init__(self, world: World, operator: Operator) -> None:
        self.world, self.operator = world, operator
        self.ledger = Ledger()
        self.problems: list[str] = []
        self._numbers = count(1)
        self._meals = cycle(_MEALS)

    def play(self) -> None:
        """Play all days, then compare the figures with the ledger."""
        days: tuple[Callable[[int], None], ...] = (
            self.quiet_day,
            self.day_without_gas,
            self.day_without_mail_server,
            self.day_of_the_sheet,
            self.day_of_the_price,
            self.day_of_complaints,
            self.last_day,
        )
        for day, (play, orders) in enumerate(zip(days, _ORDERS_OF_DAYS, strict=True)):
            self._settle()
            self.world.advance_to(_OPENING + timedelta(days=day))
            play(orders)
        self._settle()
        self.compare()

    def quiet_day(self, orders: int) -> None:
        """The first kitchen gets its board; nothing needs anybody."""
        self.cook = cook(self.world, self.operator.enrol_board(1))
        for sale in self._sell(orders):
            if sale.restaurant_id == 1:
                self.cook.press(sale.number, "Seen", "Ready")
        self._expect(
            "nothing needs anybody", not any("AS_" in each for each in self.operator.look())
        )
        self.operator.day_account()

    def day_without_gas(self, orders: int) -> None:
        """A kitchen can't cook a paid order and pauses; a buyer asks for a demonstration."""
        stranded = self._order(1, "101:2")
        self.cook.cancel(stranded.number)
        self.ledger.cancelled.add(stranded.email)
        eventually(lambda: any(stranded.number in each for each in self._peek()), "a refund is due")
        self._expect(
            "the refund is named", any(stranded.number in each for each in self.operator.look())
        )
        self.operator.refund_due(stranded.number)
        self.operator.pause(1)
        statuses = self.world.deployment.get("/api/restaurants/status").json()["statuses"]
        self._expect("the kitchen is closed", not statuses["1"]["isOpen"])
        self.operator.reopen(1)
        self._buyer(0)
        self._sell(orders - 1)
        self.operator.day_account()

    def day_without_mail_server(self, orders: int) -> None:
        """The mail server is away while people order; every mail arrives afterwards."""
        self.world.send("set_outage", service="mail", is_active=True)
        sales = self._sell(orders)
        eventually(lambda: any("mails wait" in each for each in self._peek()), "mails wait", 60)
        self._expect(
            "waiting mails are named", any("mails wait" in each for each in self.operator.look())
        )
        self.world.send("set_outage", service="mail", is_active=False)
        self.operator.retry_mail()
        for sale in sales:
            eventually(lambda sale=sale: self.world.mails_to(sale.email), f"{sale.number}'s", 60)

    def day_of_the_sheet(self, orders: int) -> None:
        """A restaurant sends its new menu, with faults."""
        self.operator.import_sheet(3, _SHEET, _WANTED)
        wanted = {dish.name: Decimal(dish.price) for dish in _WANTED.values()}
        eventually(lambda: wanted.items() <= self._prices(3).items(), "the new dishes are sold")
        prices = self._prices(3)
        self._expect("the other dishes are kept", len(prices) > len(_WANTED))
        self._sell(orders)
        self.operator.day_account()

    def day_of_the_price(self, orders: int) -> None:
        """A price changes while six people are about to pay."""
        kitchen, meal, dish, dish_id, price = _BUSY
        crowd = [self._student(kitchen, meal) for _ in range(_UNDER_LOAD)]
        for each in crowd[: _UNDER_LOAD // 2]:
            each.to_waiting_room()
        self.operator.change_price(kitchen, dish_id, dish, price)
        eventually(lambda: self._prices(kitchen)[dish] == Decimal(price), "the new price is sold")
        for number, each in enumerate(crowd):
            if number >= _UNDER_LOAD // 2:
                each.to_waiting_room()
            self.ledger.sales.append(each.pay())
        self._sell(orders - _UNDER_LOAD)

    def day_of_complaints(self, orders: int) -> None:
        """A customer phones; a dish is gone; another buyer asks."""
        sales = self._sell(orders)
        self._expect("the caller's order is found", "₹" in self.operator.find(sales[0].phone))
        self.operator.refund_part(sales[0].number, "2")
        self.operator.mark_sold_out(8, "801", "Veg Dum Biryani")
        sold_out = self.world.deployment.get("/api/restaurants/status").json()["soldOut"]
        self._expect("the dish is sold out", sold_out.get("8") == ["801"])
        self._buyer(1)
        self.operator.day_account()

    def last_day(self, orders: int) -> None:
        """The last buyer, and the last orders."""
        self._buyer(2)
        self._sell(orders)
        self.operator.day_account()

    def compare(self) -> None:
        """Compare the figures of the week with the provider's books and the customers' screens."""
        first = _OPENING.date()
        figures = self.operator.figures(first, first + timedelta(days=6))
        books = self.world.records()["provider_orders"]
        self.expected = self.ledger.expected(books)
        for name, value in self.expected.items():
            self._expect(f"{name}: {figures[name]} is {value}", figures[name] == value)
        self.problems += self.ledger.unequal(books)
        self._expect("60 orders were placed", len(self.ledger.sales) == _ORDERS)
        leads = self.world.mails_to(SALES_EMAIL)
        self._expect("each request reached sales", len(leads) >= len(_BUYERS))

    def _settle(self) -> None:
        """Wait until each order's customer and kitchen were told: no night passes within a call."""
        eventually(lambda: not self._without_mails(), "two mails about each order", 120)
        for _ in range(_LOOKS):
            if not self.world.deployment.rows(_OPEN_CALLS):
                return
            # Without a public address the telephone service is asked, some minutes after the call.
            self.world.advance_to(self.world.now + timedelta(minutes=5))
            with suppress(AssertionError):
                eventually(lambda: not self.world.deployment.rows(_OPEN_CALLS), "they ended", 10)
        self.problems += [f"a call did not end: {each}" for each in self._open_calls()]

    def _open_calls(self) -> list[str]:
        return [str(each) for each in self.world.deployment.rows(_OPEN_CALLS)]

    def _without_mails(self) -> set[str]:
        """Return the numbers about which a customer or a kitchen was not told yet."""
        received = self.world.records()["mails"]
        mails = Counter(number for number, _ in {(m["number"], m["message_id"]) for m in received})
        orders = Counter(each.number for each in self.ledger.sales)
        return {number for number, count in orders.items() if mails[number] < 2 * count}

    def _sell(self, orders: int) -> list[Sale]:
        return [self._order(*next(self._meals)) for _ in range(orders)]

    def _order(self, restaurant_id: int, dishes: str) -> Sale:
        buyer = self._student(restaurant_id, dishes)
        buyer.to_waiting_room()
        sale = buyer.pay()
        self.ledger.sales.append(sale)
        return sale

    def _student(self, restaurant_id: int, dishes: str) -> Student:
        buyer = student(self.world, next(self._numbers))
        buyer.choose(restaurant_id, dishes)
        return buyer

    def _buyer(self, number: int) -> None:
        company = _BUYERS[number]
        email = f"buyer-{number}@company.example"
        before = len(self.world.mails_to(SALES_EMAIL))
        fields = {"Business Email": email, "Company Name": company}
        reference = request_demo(self.world, fields)
        eventually(
            lambda: len(self.world.mails_to(SALES_EMAIL)) > before, "sales have the request", 60
        )
        self.operator.answer_lead(reference, f"Phoned {company}")

    def _peek(self) -> list[str]:
        """Return what needs somebody, without an operator."""
        return self.world.shell("ops today").splitlines()

    def _prices(self, restaurant_id: int) -> dict[str, Decimal]:
        menu = self.world.deployment.get(f"/api/menus/{restaurant_id}").json()
        return {
            dish["name"]: Decimal(dish["price"].removeprefix("₹").replace(",", ""))
            for section in menu["sections"]
            for dish in section["dishes"]
        }

    def _expect(self, what: str, is_true: bool) -> None:
        if not is_true:
            self.problems.append(f"not so: {what}")


assert sum(_ORDERS_OF_DAYS) == _ORDERS
