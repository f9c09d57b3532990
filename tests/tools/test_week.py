"""The ledger that the week of `make week` is compared with."""

from decimal import Decimal

import pytest

from tools.week.ledger import Ledger
from tools.week.people import Sale


def sale(email, online, *, number="AS_209", total=100):
    amounts = (Decimal(total), Decimal(online))
    return Sale(number, email, "+91 98000 00001", 1, *amounts, path="")


def record(paise, *, number="AS_209", refunded=0):
    return {"number": number, "payments": {"p": paise}, "refunds": {"r": refunded}}


UNPAID = {"number": "AS_300", "payments": {}, "refunds": {}}


def test_two_orders_of_a_week_may_have_one_number():
    ledger = Ledger([sale("a@students.example", 45), sale("b@students.example", 5)])
    assert ledger.unequal([record(500), record(4_500), UNPAID]) == []


@pytest.mark.parametrize(
    ("books", "problem"),
    [
        ([record(4_500)], "AS_209: shown ₹5 and ₹45, taken ₹45"),
        ([record(4_500), record(600)], "AS_209: shown ₹5 and ₹45, taken ₹6 and ₹45"),
        (
            [record(4_500), record(500), record(100, number="AS_300")],
            "AS_300: shown nothing, taken ₹1",
        ),
    ],
)
def test_other_amounts_than_shown_are_a_problem(books, problem):
    ledger = Ledger([sale("a@students.example", 45), sale("b@students.example", 5)])
    assert ledger.unequal(books) == [problem]


def test_cancelled_order_is_not_honoured_though_another_has_its_number():
    sales = [sale("a@students.example", 45), sale("b@students.example", 5)]
    ledger = Ledger(sales, cancelled={"a@students.example"})
    sums = ledger.expected([record(4_500, refunded=4_500), record(500)])
    assert (sums["orders"], sums["door"]) == (1, 95)
    assert (sums["online"], sums["givenBack"], sums["revenue"]) == (50, 45, 100)
