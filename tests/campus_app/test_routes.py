"""The route table against the specification. Source: specification 2.1 to 2.15."""

import importlib
from pathlib import Path

import pytest

import campus_app
from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.operators.screens.desk_state import DeskState
from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.checkout_state import CheckoutState
from campus_app.ordering.screens.confirmation_state import ConfirmationState
from campus_app.ordering.screens.customer_state import CustomerState
from campus_app.ordering.screens.group_order_state import GroupOrderState
from campus_app.ordering.screens.last_order import LastOrderState
from campus_app.ordering.screens.offers_state import OffersState
from campus_app.ordering.screens.own_orders_state import OwnOrdersState
from campus_app.ordering.screens.paid_cart_state import PaidCartState
from campus_app.ordering.screens.payment_return_state import PaymentReturnState
from campus_app.ordering.screens.reservation_state import ReservationState
from campus_app.ordering.screens.shared_cart_state import SharedCartState
from campus_app.ordering.screens.waiting_room_state import WaitingRoomState
from campus_app.shared.rules import routes
from campus_app.shared.rules.campus import Campus
from campus_app.shell.banner_state import BannerState
from kit.reflex.page_load import PageLoad
from tests.helpers.sessions import the_app
from voice_site import pages as site_pages

TITLES = {
    "/": "TARA, the multilingual voice assistant by DA'VINCI",
    "/tara/privacy": "Privacy · TARA by DA'VINCI",
    "/tara/terms": "Terms · TARA by DA'VINCI",
    "/campus": "Choose your campus · FOOD_points",
    "/about": "North Campus · FOOD_points",
    "/about2": "South Campus · FOOD_points",
    "/menu/5": "Menu · FOOD_points",
    "/together/5": "Group order · FOOD_points",
    "/pre-reserve": "Reserve a table · FOOD_points",
    "/offers": "Offers · FOOD_points",
    "/checkout": "Order summary · FOOD_points",
    "/personal-info": "Contact details · FOOD_points",
    "/waiting-room": "Waiting room · FOOD_points",
    "/payment-success": "Your payment · FOOD_points",
    "/order-confirmation": "Your order · FOOD_points",
    "/underprogress": "Orders · FOOD_points",
    "/terms": "Terms · FOOD_points",
    "/nowhere": "Not found · FOOD_points",
}
STARTS = {
    "/": [LastOrderState.open],
    "/tara/privacy": [],
    "/tara/terms": [],
    "/campus": [CampusState.refresh_statuses],
    "/about": [CampusState.enter_list, OffersState.refresh_titles],
    "/about2": [CampusState.enter_list, OffersState.refresh_titles],
    "/menu/5": [CampusState.refresh_statuses, CartState.open_menu, SharedCartState.open],
    "/together/5": [CampusState.refresh_statuses, GroupOrderState.open],
    "/pre-reserve": [ReservationState.open],
    "/offers": [CampusState.refresh_statuses, OffersState.refresh],
    "/checkout": [CheckoutState.open],
    "/personal-info": [CustomerState.open],
    "/waiting-room": [WaitingRoomState.open],
    "/forms/response/token": [PaymentReturnState.open],
    "/forms/response": [PaymentReturnState.open],
    "/cashfree-response": [PaymentReturnState.open],
    "/payment-success": [PaymentReturnState.open],
    "/order-confirmation": [ConfirmationState.open],
    "/underprogress": [OwnOrdersState.open],
    "/terms": [],
    "/nowhere": [],
    "/desk": [CampusState.refresh_statuses, DeskState.open_today, DeskState.arrive],
    "/desk/orders/5": [CampusState.refresh_statuses, DeskState.open_order, DeskState.arrive],
    "/desk/restaurants": [
        CampusState.refresh_statuses,
        DeskState.open_restaurants,
        DeskState.arrive,
    ],
    "/desk/figures": [CampusState.refresh_statuses, DeskState.open_figures, DeskState.arrive],
    "/desk/leads": [CampusState.refresh_statuses, DeskState.open_leads, DeskState.arrive],
    "/desk/devices": [CampusState.refresh_statuses, DeskState.open_devices, DeskState.arrive],
    "/desk/audit": [CampusState.refresh_statuses, DeskState.open_audit, DeskState.arrive],
}
SHOW_CART = (
    *(
        "/campus",
        "/about",
        "/about2",
        "/menu/5",
        "/together/5",
        "/pre-reserve",
        "/offers",
        "/checkout",
    ),
    *("/personal-info", "/waiting-room", "/underprogress", "/terms", "/nowhere"),
)
"""The screens that look for the paid order of a kept cart. Source: specification M17."""
CONSTANTS = {
    name: address
    for name, address in vars(routes).items()
    if name[0].isupper() and isinstance(address, str) and address.startswith("/")
}


def page_at(address):
    """Return the route pattern of an address."""
    return the_app().router(address) or "404"


PATTERNS = {
    **{
        address: address[1:]
        for address in SHOW_CART
        if "5" not in address and address != "/nowhere"
    },
    "/": "index",
    "/menu/5": "menu/[restaurant_id]",
    "/together/5": "together/[restaurant_id]",
    "/forms/response/abc": "forms/response/[[...splat]]",
    "/forms/response/a/b/c": "forms/response/[[...splat]]",
    "/cashfree-response": "cashfree-response",
    "/payment-success": "payment-success",
    "/order-confirmation": "order-confirmation",
}


@pytest.mark.parametrize(("address", "pattern"), PATTERNS.items())
def test_each_specified_route_exists(address, pattern):
    assert page_at(address) == pattern


@pytest.mark.parametrize(
    "address", ["/nowhere", "/menu", "/menu/5/dishes", "/checkout/1", "/form/response", "/ABOUT"]
)
def test_unknown_address_maps_to_404(address):
    assert page_at(address) == "404"


def pages_of(package, files="*.py"):
    """Return the pages that the modules of a package export."""
    folder = Path(package.__path__[0])
    names = [file.relative_to(folder).with_suffix("") for file in folder.glob(files)]
    modules = [importlib.import_module(".".join([package.__name__, *n.parts])) for n in names]
    return [
        page
        for module in modules
        for page in (*getattr(module, "PAGES", ()), *filter(None, [getattr(module, "PAGE", None)]))
    ]


def registered_addresses():
    return [f"/{pattern.removeprefix('index')}" for pattern in the_app()._page_routes]


def test_route_table_holds_every_exported_page_once():
    the_app()
    own_pages = pages_of(campus_app, "**/*_page.py")
    exported = [f"/{page.route.strip('/')}" for page in (*own_pages, *pages_of(site_pages))]
    assert sorted(registered_addresses()) == sorted(exported)
    assert len(exported) == len(set(exported))
    assert set(CONSTANTS.values()) <= set(exported)


@pytest.mark.parametrize(("address", "title"), TITLES.items())
def test_each_screen_has_its_title(address, title):
    assert the_app()._unevaluated_pages[page_at(address)].title == title


def test_screen_titles_are_unique_except_payment_return():
    pages = the_app()._unevaluated_pages
    returns = {page_at(address) for address in ("/forms/response", "/cashfree-response")}
    titles = [page.title for pattern, page in pages.items() if pattern not in returns]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize(("address", "handlers"), STARTS.items())
def test_each_screen_runs_its_load_handlers(address, handlers):
    started = [handler.fn for handler in the_app().get_load_events(address)]
    cart_checks = [PaidCartState.open] if address in SHOW_CART else []
    expected = (BannerState.open_screen, *cart_checks, *handlers)
    assert started == [handler.fn for handler in expected]


def test_lists_menus_and_pages_without_handlers_load_on_connect():
    (page_load,) = (each for each in the_app()._middlewares if isinstance(each, PageLoad))
    addresses = ["/", "/campus", "/about", "/about2", "/menu/1", "/offers", "/terms"]
    loaded = {page_at(each) for each in [*addresses, "/tara/privacy", "/tara/terms"]}
    assert page_load._loads_on_connect == loaded | {"404"}


# Builders


@pytest.mark.parametrize("restaurant_id", [1, 8])
def test_menu_link_points_to_menu_page(restaurant_id):
    assert routes.menu(restaurant_id) == f"/menu/{restaurant_id}"
    assert page_at(routes.menu(restaurant_id)) == "menu/[restaurant_id]"


def test_reserved_menu_has_query_parameter():
    # Source: specification 2.6.
    assert routes.reserved_menu(2) == "/menu/2?preReserved=true"


def test_group_order_link_has_its_token_in_the_query():
    assert routes.group_order(2) == "/together/2"
    assert routes.group_order(2, "a-token") == "/together/2?with=a-token"


@pytest.mark.parametrize(
    ("campus", "address"), [(Campus.NORTH, "/about"), (Campus.SOUTH, "/about2"), (None, "/campus")]
)
def test_restaurants_returns_list_of_campus(campus, address):
    assert routes.restaurants(campus) == address


def test_order_confirmation_escapes_its_parameters():
    address = routes.order_confirmation(order_id="AS_482", token="a&b=c#d e/é")
    assert address == "/order-confirmation?order_id=AS_482&token=a%26b%3Dc%23d+e%2F%C3%A9"
