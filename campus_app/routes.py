"""The addresses of the screens: patterns for the route table, builders for links."""

from typing import Final
from urllib.parse import urlencode

PRE_RESERVED: Final = "preReserved"
"""What a menu is asked for with a table: `?preReserved=true`."""

HOME = "/"
CAMPUS = "/campus"
NORTH = "/about"
SOUTH = "/about2"
MENU = "/menu/[restaurant_id]"
PRE_RESERVE = "/pre-reserve"
OFFERS = "/offers"
CHECKOUT = "/checkout"
PERSONAL_INFO = "/personal-info"
WAITING_ROOM = "/waiting-room"
FORM_RESPONSE = "/forms/response/[[...splat]]"
CASHFREE_RESPONSE = "/cashfree-response"
PAYMENT_SUCCESS = "/payment-success"
ORDER_CONFIRMATION = "/order-confirmation"
UNDER_PROGRESS = "/underprogress"
TERMS = "/terms"


def menu(restaurant_id: int) -> str:
    return f"/menu/{restaurant_id}"


def reserved_menu(restaurant_id: int) -> str:
    return f"{menu(restaurant_id)}?{PRE_RESERVED}=true"


def restaurants(campus: str) -> str:
    return SOUTH if campus == "south" else NORTH


def order_confirmation(**query: str) -> str:
    return f"{ORDER_CONFIRMATION}?{urlencode(query)}"
