"""The order summary. Source: specification 9.1 to 9.12, M1 to M8, S12."""

import pytest

from campus_app.ordering.screens.browser_storage import draft_from
from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.checkout_state import CheckoutState
from campus_app.ordering.screens.customer_state import CustomerState
from campus_app.ordering.screens.reorder_state import ReorderState
from campus_app.shared.rules.messages import OrderMessage
from tests.helpers.builders import CUSTOMER
from tests.helpers.flows import press
from tests.helpers.sessions import Redirect
from tests.helpers.steps import (
    banner,
    stored_cart,
    to_menu,
    to_payment,
    to_summary,
    total_with_fees,
)

pytestmark = pytest.mark.anyio

NO_OFFER = "No offer applies now"


def figures(tab, *names):
    """Return these amounts of the bill, as text."""
    bill = tab.get(CheckoutState.bill)
    return [bill[name] for name in names]


# The bill


async def test_bill_lists_each_amount_and_each_line(tab):
    await to_summary(tab)
    assert tab.get(CheckoutState.bill) == {
        "subtotal": "₹380",
        "discount": "₹0",
        "discount_name": NO_OFFER,
        "delivery_fee": "₹15",
        "convenience_fee": "₹5",
        "donation": "₹0",
        "grand_total": "₹400",
        "online": "₹65",
        "remaining": "₹335",
    }
    assert tab.get(CheckoutState.lines) == [
        {"times": "2×", "name": "Rajma Chawal", "total": "₹220"},
        {"times": "1×", "name": "Paneer Butter Masala", "total": "₹160"},
    ]
    assert tab.get(CheckoutState.restaurant) == "Pehla Food Point"
    assert tab.get(CheckoutState.dishes) == "3 dishes"


async def test_address_of_the_old_campus_goes_when_the_campus_changes(tab):
    await to_summary(tab)
    await tab.call(CustomerState.store_value, "fullName", "Aarav Sharma")
    await tab.call(CustomerState.store_value, "address", "Hostel 4")
    await tab.call(CheckoutState.change_campus, "north")
    assert draft_from(tab.get(CheckoutState.draft)).details["address"] == "Hostel 4"
    await tab.call(CheckoutState.change_campus, "south")
    details = draft_from(tab.get(CheckoutState.draft)).details
    assert (details["fullName"], details["address"]) == ("Aarav Sharma", "")


async def test_address_belongs_to_its_campus_when_the_server_has_restarted(tab, open_tab):
    await to_summary(tab)
    await tab.call(CustomerState.store_value, "address", "Hostel 4")
    after_restart = open_tab(tab.local, tab.session)
    await after_restart.visit("/personal-info")
    assert after_restart.get(CustomerState.campus) == "north"
    assert after_restart.get(CustomerState.values)["address"] == "Hostel 4"
    again = open_tab(tab.local, tab.session)
    await again.visit("/checkout")
    await again.call(CheckoutState.change_campus, "south")
    assert draft_from(again.get(CheckoutState.draft)).details["address"] == ""


@pytest.mark.parametrize("is_paid", [True, False], ids=["paid", "ordered again"])
async def test_address_belongs_to_its_campus_in_the_next_order(is_paid, tab, services):
    stored = await to_payment(tab, services)
    if is_paid:
        await press(services, stored)
        await tab.visit(stored.order.response_path)
        tab.local["cart"] = stored_cart({"104": 4}, key="another-key-of-a-cart")
    else:
        tab.local["cart"] = ""
        await tab.visit("/underprogress")
        await tab.call(ReorderState.order_again, stored.order.response_token)
    assert draft_from(tab.session["checkoutDraft"]).details["address"] == CUSTOMER["address"]
    tab.local["selectedCampus"] = "south"
    await tab.visit("/checkout")
    assert tab.get(CheckoutState.campus_id) == "south"
    assert draft_from(tab.session["checkoutDraft"]).details == CUSTOMER | {"address": ""}


FEE = ("Convenience fee", "₹5")


@pytest.mark.parametrize(
    ("restaurant_id", "quantities", "online", "workings"),
    [
        (
            1,
            {"104": 2, "103": 1},
            "₹45",
            [("₹20 for each of 2 dishes of ₹100 and more", "₹40"), FEE],
        ),
        (1, {"103": 3}, "₹5", [FEE]),
        (1, {"127": 3}, "₹55", [("Fixed for dishes of ₹500 and more", "₹50"), FEE]),
        (5, {"515": 1}, "₹25", [("Fixed for this kitchen", "₹25")]),
    ],
)
async def test_online_amount_is_explained_by_its_parts(
    restaurant_id, quantities, online, workings, tab
):
    await to_summary(tab, quantities, restaurant_id)
    assert figures(tab, "online") == [online]
    shown = tab.get(CheckoutState.online_workings)
    assert [(step["label"], step["amount"]) for step in shown] == workings


# The donation


@pytest.mark.parametrize(
    ("amount", "fee", "donation", "grand_total", "online"),
    [
        ("0.00", "₹5", "₹0", "₹400", "₹65"),
        ("5.00", "₹0", "₹5", "₹400", "₹65"),
        ("50.00", "₹0", "₹50", "₹445", "₹110"),
    ],
)
async def test_donation_replaces_convenience_fee(amount, fee, donation, grand_total, online, tab):
    """Source: specification M3, M6."""
    await to_summary(tab)
    await tab.call(CheckoutState.choose_donation, amount)
    assert tab.get(CheckoutState.donation) == amount
    assert figures(tab, "convenience_fee", "donation") == [fee, donation]
    assert figures(tab, "grand_total", "online", "remaining") == [grand_total, online, "₹335"]
    await tab.visit("/checkout")
    assert tab.get(CheckoutState.donation) == amount


async def test_donation_is_shown_less_five_rupees_at_restaurant_5(tab):
    await to_summary(tab, {"515": 1}, 5)
    assert tab.get(CheckoutState.dishes) == "1 dish"
    await tab.call(CheckoutState.choose_donation, "20.00")
    assert figures(tab, "online") == ["₹40"]
    assert tab.get(CheckoutState.online_workings)[-1] == {
        "label": "Donation, less ₹5",
        "amount": "₹15",
    }


# All amounts that are not offered: `test_browser_storage.py`.
async def test_donation_is_zero_when_amount_is_forged(tab):
    await to_summary(tab)
    without_donation = figures(tab, "grand_total")
    for forged in ("7", "", None, {"50.00": 1}):
        await tab.call(CheckoutState.choose_donation, "50.00")
        assert figures(tab, "grand_total") != without_donation
        await tab.call(CheckoutState.choose_donation, forged)
        assert tab.get(CheckoutState.donation) == "0.00"
        assert figures(tab, "grand_total") == without_donation


# Missing steps


# Without any cart: `test_refused_steps.py`.
@pytest.mark.parametrize("kept", ["nonsense", stored_cart({"104": 3}, restaurant_id=999)])
async def test_summary_redirects_to_campus_when_cart_is_invalid(kept, tab):
    """Source: specification S12."""
    tab.local["cart"] = kept
    await tab.visit("/checkout")
    assert tab.redirects == [Redirect("/campus", replaces=True)]
    assert banner(tab)


async def test_summary_keeps_cart_when_menu_is_unreadable(tab, lose_menu):
    await to_summary(tab)
    lose_menu(1)
    await tab.visit("/checkout")
    assert tab.redirects == [Redirect("/campus", replaces=True)]
    assert tab.get(CartState.cart) == stored_cart({"104": 2, "112": 1})


# NEXT


async def test_next_redirects_to_contact_details(tab):
    await to_summary(tab)
    await tab.call(CheckoutState.next)
    assert tab.redirects == [Redirect("/personal-info")]


async def test_next_says_so_when_another_tab_replaced_the_cart(tab):
    """Source: specification 5.16."""
    await to_summary(tab)
    tab.local["cart"] = stored_cart({"104": 4}, key="another-key-of-a-cart")
    await tab.visit("/personal-info")
    assert tab.redirects == [Redirect("/checkout", replaces=True)]
    total = total_with_fees("440")
    assert banner(tab).startswith(f"Your cart has changed: 4 dishes, {total} in all.")


async def test_next_shows_dishes_of_another_cart_with_the_same_total(tab, menus):
    """Source: specification 5.16."""
    menus.change_price(1, "103", "110")
    await to_summary(tab, {"104": 4})
    other = stored_cart({"103": 4}, key="another-key-of-a-cart")
    await tab.synchronize(CartState.cart, other)
    await tab.call(CheckoutState.next)
    assert tab.redirects == []
    total = total_with_fees("440")
    assert banner(tab).startswith(f"Your cart has changed: 4 dishes, {total} in all.")
    await tab.call(CheckoutState.next)
    assert tab.redirects == [Redirect("/personal-info")]


async def test_next_shows_new_bill_when_price_has_changed(tab, menus):
    """Source: specification M1."""
    await to_summary(tab)
    menus.change_price(1, "112", "165.50")
    await tab.call(CheckoutState.next)
    assert tab.redirects == []
    assert banner(tab).startswith("New prices: Paneer Butter Masala ₹165.50 (was ₹160).")
    assert figures(tab, "subtotal", "grand_total") == ["₹385.50", total_with_fees("385.50")]
    await tab.call(CheckoutState.next)
    assert tab.redirects == [Redirect("/personal-info")]


async def test_next_shows_summary_when_it_was_not_opened_before(tab):
    await to_menu(tab, {"104": 3})
    await tab.call(CheckoutState.next)
    assert tab.redirects == []
    await tab.call(CheckoutState.next)
    assert tab.redirects == [Redirect("/personal-info")]


@pytest.fixture
def south_only(menus):
    """Restaurant 1 serves the south campus only."""
    file = menus.folder / "restaurants.csv"
    file.write_text(file.read_text().replace("north|south,false", "south,false", 1))


async def test_next_is_refused_when_restaurant_does_not_serve_the_campus(south_only, tab):
    """Source: specification R5, S14."""
    await to_summary(tab)
    await tab.call(CheckoutState.next)
    assert tab.redirects == []
    not_served = OrderMessage.NOT_SERVED.format(name="Pehla Food Point")
    assert banner(tab) == f"{not_served} {OrderMessage.CART_KEPT}"
    await tab.call(CheckoutState.change_campus, "south")
    await tab.call(CheckoutState.next)
    assert tab.redirects == [Redirect("/personal-info")]
