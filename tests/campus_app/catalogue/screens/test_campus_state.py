"""The campus of an order. Source: specification 2.18."""

import pytest

from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.ordering.screens.checkout_state import CAMPUS_MISSING, CheckoutState
from campus_app.ordering.screens.customer_state import CustomerState
from campus_app.ordering.screens.waiting_room_state import WaitingRoomState
from campus_app.ordering.sql.tables import OrderRow
from tests.helpers.builders import CUSTOMER, QUANTITIES
from tests.helpers.sessions import Redirect
from tests.helpers.steps import banner, to_menu, to_summary, to_waiting_room
from tests.helpers.tables import count

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("campus", "address"),
    [
        pytest.param("north", "/about", id="north: /about"),
        pytest.param("south", "/about2", id="south: /about2"),
    ],
)
async def test_choose_stores_campus_and_redirects_to_its_restaurants(campus, address, tab):
    await tab.visit("/campus")
    await tab.call(CampusState.choose, campus)
    assert tab.local["selectedCampus"] == campus
    assert tab.redirects == [Redirect(address)]


INVALID_CAMPUSES = ["", "west", "NORTH", 5, None, True, ["south"], {"south": 1}]


@pytest.mark.parametrize("handler", [CampusState.choose, CampusState.select])
async def test_choose_changes_nothing_when_campus_is_unknown(handler, open_tab):
    tab = open_tab({})
    await tab.visit("/campus")
    for campus in INVALID_CAMPUSES:
        await tab.call(handler, campus)
        assert not tab.local.get("selectedCampus"), campus
        assert tab.redirects == []


async def test_screen_stores_no_campus_when_none_was_chosen(open_tab):
    """Source: specification S14."""
    for address in ("/campus", "/offers", "/menu/1", "/pre-reserve", "/terms"):
        tab = open_tab({})
        await tab.visit(address)
        assert not tab.local.get("selectedCampus"), address


@pytest.mark.parametrize(("address", "campus"), [("/about", "north"), ("/about2", "south")])
async def test_restaurant_list_stores_its_campus_when_opened_directly(address, campus, tab):
    await tab.visit(address)
    assert tab.local["selectedCampus"] == campus


@pytest.mark.parametrize(("kept", "place"), [("north", "North Campus"), ("south", "South Campus")])
async def test_summary_shows_delivery_campus_from_browser_storage(kept, place, tab):
    tab.local["selectedCampus"] = kept
    await to_summary(tab)
    assert tab.get(CheckoutState.delivered_to) == place
    assert tab.get(CheckoutState.campus) == place
    assert tab.get(CheckoutState.lacks_campus) is False


@pytest.mark.parametrize("kept", [None, "west", ["south"]], ids=repr)
async def test_summary_asks_for_campus_when_browser_has_none(kept, open_tab):
    tab = open_tab({"selectedCampus": kept} if kept is not None else {})
    await to_menu(tab, QUANTITIES)
    await tab.visit("/checkout")
    assert tab.get(CheckoutState.lacks_campus) is True
    assert tab.get(CheckoutState.bill) == {}
    await tab.call(CampusState.select, "south")
    assert tab.local["selectedCampus"] == "south"
    assert tab.redirects == []
    await tab.call(CheckoutState.open)
    assert tab.get(CheckoutState.lacks_campus) is False
    assert tab.get(CheckoutState.bill)["delivery_fee"] == "₹25"


@pytest.mark.parametrize("address", ["/personal-info", "/waiting-room"])
async def test_later_steps_redirect_to_summary_when_no_campus_is_chosen(address, open_tab):
    tab = open_tab({})
    await to_menu(tab, QUANTITIES)
    await tab.visit(address)
    assert tab.redirects == [Redirect("/checkout", replaces=True)]
    assert banner(tab) == CAMPUS_MISSING


@pytest.mark.parametrize("handler", [CheckoutState.next, CustomerState.next, WaitingRoomState.pay])
async def test_no_order_is_stored_when_campus_is_missing(handler, tab, services):
    await to_waiting_room(tab)
    tab.local["selectedCampus"] = ""
    await tab.visit("/waiting-room")
    arguments = [CUSTOMER] if handler is CustomerState.next else []
    await tab.call(handler, *arguments)
    assert await count(services.database, OrderRow) == 0


async def test_next_shows_new_bill_when_another_tab_changed_campus(tab):
    await to_summary(tab)
    await tab.call(CampusState.select, "south")
    await tab.call(CheckoutState.next)
    assert tab.redirects == []
    assert banner(tab).startswith("Your campus has changed: delivery to South Campus costs ₹25.")
    assert tab.get(CheckoutState.campus) == "South Campus"
    assert tab.get(CheckoutState.bill)["delivery_fee"] == "₹25"


async def test_change_campus_shows_bill_of_other_campus(tab):
    await to_summary(tab)
    await tab.call(CheckoutState.change_campus, "south")
    assert tab.local["selectedCampus"] == "south"
    assert tab.get(CheckoutState.campus) == "South Campus"
    assert tab.get(CheckoutState.bill)["delivery_fee"] == "₹25"
    assert banner(tab) == ""
    await tab.call(CheckoutState.next)
    assert tab.redirects == [Redirect("/personal-info")]
