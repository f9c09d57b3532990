"""The steps of an order; each begins with the steps before it."""

from typing import Any

from campus_app.operators.wiring import Services
from campus_app.ordering.rules.bill import Bill
from campus_app.ordering.rules.cart import Cart
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.ordering.screens.browser_storage import cart_text
from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.checkout_state import CheckoutState
from campus_app.ordering.screens.customer_state import CustomerState
from campus_app.ordering.screens.waiting_room_state import WaitingRoomState
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.constants import CONVENIENCE_FEE, MINIMUM_ORDER
from campus_app.shared.rules.money import format_rupees, rupees
from campus_app.shell.banner_state import BannerState
from tests.helpers.builders import CUSTOMER, QUANTITIES
from tests.helpers.clock import WEDNESDAY
from tests.helpers.sessions import Tab

EMPTY_TOTALS = ["₹0", "₹0", "₹0", format_rupees(MINIMUM_ORDER)]
"""The totals of an empty cart."""
KEY = "the-key-of-one-cart-000"
"""A valid cart key."""


def stored_cart(quantities: dict[str, int], restaurant_id: int = 1, key: str = KEY) -> str:
    """Return a cart in storage format, changed at `WEDNESDAY`."""
    return cart_text(Cart(restaurant_id, key, WEDNESDAY, quantities))


def cart_totals(tab: Tab) -> list[str]:
    """Return subtotal, discount, total and shortfall of the menu, as text."""
    return [format_rupees(rupees(str(amount))) for amount in tab.get(CartState.totals)]


def amounts_to_pay(bill: Bill) -> dict[str, str]:
    """Return the total of a bill and its two parts as text, as screens show them."""
    amounts = {"grand_total": bill.grand_total, "online": bill.online, "remaining": bill.remaining}
    return {name: format_rupees(amount) for name, amount in amounts.items()}


def total_with_fees(subtotal: str) -> str:
    """Return the total of dishes at this price, delivered on the north campus, as text."""
    return format_rupees(rupees(subtotal) + Campus.NORTH.delivery_fee + CONVENIENCE_FEE)


async def to_menu(
    tab: Tab, quantities: dict[str, int], restaurant_id: int = 1, key: str = KEY
) -> None:
    """Open a menu with these dishes in the cart."""
    tab.local["cart"] = stored_cart(quantities, restaurant_id, key)
    await tab.visit(f"/menu/{restaurant_id}")


async def to_summary(
    tab: Tab, quantities: dict[str, int] | None = None, restaurant_id: int = 1, key: str = KEY
) -> None:
    """Open the order summary, by default with two dishes of restaurant 1."""
    await to_menu(tab, quantities or QUANTITIES, restaurant_id, key)
    await tab.call(CartState.proceed)
    await tab.follow_redirect()
    assert tab.get(CheckoutState.restaurant)


async def to_details(tab: Tab, **others: Any) -> None:
    """Open the contact details."""
    await to_summary(tab, **others)
    await tab.call(CheckoutState.next)
    await tab.follow_redirect()
    assert tab.get(CustomerState.restaurant)


async def to_waiting_room(tab: Tab, **others: Any) -> None:
    """Open the waiting room with confirmed contact details."""
    await to_details(tab, **others)
    await tab.call(CustomerState.next, CUSTOMER)  # shows the details
    await tab.call(CustomerState.next, CUSTOMER)  # confirms them
    await tab.follow_redirect()
    assert tab.get(WaitingRoomState.seconds) > 0


async def to_payment(tab: Tab, services: Services, **others: Any) -> StoredOrder:
    """Press PAY in the waiting room; return the order, which is stored but not paid yet."""
    await to_waiting_room(tab, **others)
    await tab.call(WaitingRoomState.pay)
    stored = await services.payments.orders.by_number(tab.session["currentOrderId"])
    assert stored is not None
    return stored


def banner(tab: Tab) -> str:
    """Return the message of the banner."""
    return str(tab.get(BannerState.message))
