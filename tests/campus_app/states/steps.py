"""How far a visitor has come: each step begins with the ones before it."""

from typing import Any

from campus_app.domain.cart import Cart
from campus_app.domain.money import format_rupees, rupees
from campus_app.states.browser_storage import cart_text
from campus_app.states.cart import CartState
from campus_app.states.checkout import CheckoutState
from campus_app.states.customer import CustomerState
from campus_app.states.notice import NoticeState
from campus_app.states.waiting_room import WaitingRoomState
from campus_app.wiring import Services
from tests.campus_app.states.session import Tab
from tests.helpers.builders import CUSTOMER, QUANTITIES
from tests.helpers.clock import WEDNESDAY

NOTHING = ["₹0", "₹0", "₹0", "₹200"]
"""The figures of no cart."""
KEY = "the-key-of-one-cart-000"
"""As long as the keys of carts are."""


def kept_cart(quantities: dict[str, int], restaurant_id: int = 1, key: str = KEY) -> str:
    """Return the cart as a browser has kept it since that Wednesday at 13:00."""
    return cart_text(Cart(restaurant_id, key, WEDNESDAY, quantities))


def cart_figures(tab: Tab) -> list[str]:
    """Return subtotal, discount, total and shortfall beside the menu, as text."""
    return [format_rupees(rupees(str(amount))) for amount in tab.sees(CartState.figures)]


async def to_menu(
    tab: Tab, quantities: dict[str, int], restaurant_id: int = 1, key: str = KEY
) -> None:
    """Open a menu with so many of these dishes in the cart."""
    tab.local["cart"] = kept_cart(quantities, restaurant_id, key)
    await tab.visit(f"/menu/{restaurant_id}")


async def to_summary(
    tab: Tab, quantities: dict[str, int] | None = None, restaurant_id: int = 1, key: str = KEY
) -> None:
    """Look at the order summary: two dishes of restaurant 1, unless a test wants others."""
    await to_menu(tab, quantities or QUANTITIES, restaurant_id, key)
    await tab.call(CartState.proceed)
    await tab.go_on()
    assert tab.sees(CheckoutState.restaurant)


async def to_details(tab: Tab, **others: Any) -> None:
    """Be asked for the contact details."""
    await to_summary(tab, **others)
    await tab.call(CheckoutState.next)
    await tab.go_on()
    assert tab.sees(CustomerState.restaurant)


async def to_waiting_room(tab: Tab, **others: Any) -> None:
    """Give the details, confirm them, and see how long there is."""
    await to_details(tab, **others)
    await tab.call(CustomerState.next, CUSTOMER)
    await tab.call(CustomerState.next, CUSTOMER)
    await tab.go_on()
    assert tab.sees(WaitingRoomState.seconds) > 0


async def to_payment(tab: Tab, services: Services, **others: Any) -> Any:
    """Leave for the payment page; return the order that is stored."""
    await to_waiting_room(tab, **others)
    await tab.call(WaitingRoomState.pay)
    stored = await services.payments.orders.by_number(tab.session["currentOrderId"])
    assert stored is not None
    return stored


def notice(tab: Tab) -> str:
    """Return the sentence that stands above the screen."""
    return str(tab.sees(NoticeState.message))
