"""The addresses of the screens: patterns for the route table, builders for links."""

from typing import Final
from urllib.parse import urlencode

from campus_app.shared.rules.campus import Campus

PRE_RESERVED: Final = "preReserved"
"""The query parameter of a menu that is opened for a reserved table: `?preReserved=true`."""

DISHES: Final = "dishes"
"""The query parameter of a menu that brings a cart: `?dishes=104:2,112:1`."""

GROUP: Final = "with"
"""The query parameter of a group order's link: `?with=token`. Logs have no queries."""

DESK_LINK_END: Final = "[A-Za-z0-9_-]{22}"
"""What a link to the desk ends on, its token, as a regular expression."""

_MENUS: Final = "/menu/"
_GROUP_ORDERS: Final = "/together/"
_DESK_ORDERS: Final = "/desk/orders/"
_DESK_MENUS: Final = "/desk/menus/"
_RESPONSES: Final = "/forms/response/"
"""Source: specification 2.12."""
_MAXIMUM_ID_DIGITS: Final = 9

HOME = "/"
CAMPUS = "/campus"
MENU = f"{_MENUS}[restaurant_id]"
GROUP_ORDER = f"{_GROUP_ORDERS}[restaurant_id]"
PRE_RESERVE = "/pre-reserve"
OFFERS = "/offers"
CHECKOUT = "/checkout"
PERSONAL_INFO = "/personal-info"
WAITING_ROOM = "/waiting-room"
FORM_RESPONSE = f"{_RESPONSES}[[...splat]]"
CASHFREE_RESPONSE = "/cashfree-response"
PAYMENT_SUCCESS = "/payment-success"
ORDER_CONFIRMATION = "/order-confirmation"
UNDER_PROGRESS = "/underprogress"
TERMS = "/terms"
KITCHEN = "/kitchen"
DESK = "/desk"
DESK_ORDER = "/desk/orders/[order_id]"
DESK_RESTAURANTS = "/desk/restaurants"
DESK_MENUS = "/desk/menus"
DESK_MENU = "/desk/menus/[restaurant_id]"
DESK_FIGURES = "/desk/figures"
DESK_OFFERS = "/desk/offers"
DESK_LEADS = "/desk/leads"
DESK_DEVICES = "/desk/devices"
DESK_AUDIT = "/desk/audit"

PRERENDERED: Final = {
    _MENUS: "/menu/0",
    _GROUP_ORDERS: f"{_GROUP_ORDERS}0",
    _RESPONSES: f"{_RESPONSES}0",
    _DESK_ORDERS: f"{_DESK_ORDERS}0",
    _DESK_MENUS: f"{_DESK_MENUS}0",
}
"""The page that is served for all addresses with the same beginning."""
MENU_TEMPLATES: Final = ("/menu/example", "/menu/example-with-tables")
"""The pages that the build turns into templates of menus."""
_RESPONSE_WITHOUT_TOKEN: Final = _RESPONSES.removesuffix("/")
PRERENDERED_EXAMPLES: Final = (*PRERENDERED.values(), _RESPONSE_WITHOUT_TOKEN, *MENU_TEMPLATES)
"""The pages that the build prerenders for routes with a variable part."""
API_SEGMENTS: Final = (
    "api",
    "data",
    f"desk/{DESK_LINK_END}",
    "email-status",
    "health",
    "kitchen/[^/]+",
    "metrics",
    "pay",
    "payment",
    "sandbox",
)
"""The first segments of the addresses that the HTTP interface answers, as regular expressions."""
HYDRATED_AT_ONCE: Final = (
    PRERENDERED[_RESPONSES],
    _RESPONSE_WITHOUT_TOKEN,
    CASHFREE_RESPONSE,
    PAYMENT_SUCCESS,
    ORDER_CONFIRMATION,
)
"""Pages that show nothing before the server has answered: they load their scripts at once."""


def menu(restaurant_id: int) -> str:
    """Return the address of a restaurant's menu."""
    return f"{_MENUS}{restaurant_id}"


def built_menu() -> str:
    """Return the page that the build prerenders for every menu."""
    return PRERENDERED[_MENUS]


def parse_restaurant_id(text: object) -> int | None:
    """Return a restaurant's id in an address, or None if it is not a short number."""
    if not isinstance(text, str) or not text.isascii() or not text.isdigit():
        return None
    return int(text) if len(text) <= _MAXIMUM_ID_DIGITS else None


def restaurant_id_in(path: str) -> int | None:
    """Return the restaurant whose menu is at a path, whether or not there is such a restaurant."""
    return parse_restaurant_id(path.removeprefix(_MENUS)) if path.startswith(_MENUS) else None


def reserved_menu(restaurant_id: int) -> str:
    """Return the address of a menu for ordering to a reserved table."""
    return f"{menu(restaurant_id)}?{PRE_RESERVED}=true"


def group_order(restaurant_id: object, token: str = "") -> str:
    """Return the address of a group order, or without a token that of beginning one.

    The id may be a variable of the browser.
    """
    query = f"?{urlencode({GROUP: token})}" if token else ""
    return f"{_GROUP_ORDERS}{restaurant_id}{query}"


def restaurants(campus: Campus | None) -> str:
    """Return the address of a campus' list, or of the chooser while there is no campus."""
    return campus.address if campus else CAMPUS


def campus_at(path: str) -> Campus | None:
    """Return the campus whose list is at a path."""
    return next((campus for campus in Campus if campus.address == path.rstrip("/")), None)


def response(token: str) -> str:
    """Return the address to which a payment returns, later the receipt's, of an order's token."""
    return f"{_RESPONSES}{token}"


def kitchen_link(token: str) -> str:
    """Return the address that enrols a kitchen's device."""
    return f"{KITCHEN}/{token}"


def desk_link(token: str) -> str:
    """Return the address that enrols a device of the desk."""
    return f"{DESK}/{token}"


def desk_order(order_id: object) -> str:
    """Return the address of an order at the desk; the id may be a variable of the browser."""
    return f"{_DESK_ORDERS}{order_id}"


def desk_figures_file(ending: str) -> str:
    """Return the address of the figures as a file: `csv` or `xlsx`."""
    return f"/api/desk/figures.{ending}"


def desk_menu(restaurant_id: int) -> str:
    """Return the address of a restaurant's menu at the desk."""
    return f"{_DESK_MENUS}{restaurant_id}"


def payment_success(number: str) -> str:
    """Return the address that shows the payment status of an order, by its number."""
    return f"{PAYMENT_SUCCESS}?{urlencode({'order_id': number})}"


def order_confirmation(**query: str) -> str:
    """Return the address of the confirmation with these query parameters."""
    return f"{ORDER_CONFIRMATION}?{urlencode(query)}"
