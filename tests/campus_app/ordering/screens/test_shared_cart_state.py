"""A cart from a link: nothing of the link is believed, and no cart is replaced unasked."""

import pytest

from campus_app.ordering.screens.browser_storage import cart_from, reservation_text
from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.new_cart_state import NewCartState
from campus_app.ordering.screens.shared_cart_state import SharedCartState
from tests.helpers.builders import QUANTITIES, RESERVED_QUANTITIES, reservation_request
from tests.helpers.steps import banner, stored_cart

pytestmark = pytest.mark.anyio

LINK = "/menu/1?dishes=104:2,112:1"  # QUANTITIES
LINK_LATER = "The dishes of this link are offered here as soon as the kitchen takes orders."
FROM_LINK = "These dishes come from a link. Nothing is ordered yet."


async def follow(tab, address=LINK):
    """Open a menu with dishes in its address, and follow the redirect that removes them."""
    await tab.visit(address)
    assert [(each.address, each.replaces) for each in tab.redirects] == [("/menu/1", True)]
    await tab.follow_redirect()


def cart(tab, clock):
    return cart_from(tab.get(CartState.cart), clock.now())


async def test_link_fills_an_empty_cart_and_is_removed_from_the_address(tab, open_tab, clock):
    await follow(tab)
    assert cart(tab, clock).quantities == QUANTITIES
    assert banner(tab) == FROM_LINK
    assert tab.redirects == []
    first = tab.get(CartState.cart)
    await tab.visit("/menu/1")
    assert tab.get(CartState.cart) == first
    other = open_tab()
    await follow(other)
    assert cart(other, clock).key != cart(tab, clock).key


async def test_other_cart_is_replaced_only_after_a_question(tab, clock):
    tab.local["cart"] = own = stored_cart({"501": 1}, 5)
    await follow(tab)
    assert tab.get(CartState.cart) == own
    await tab.visit("/menu/1")  # the question stays when the page reconnects
    assert tab.get(NewCartState.other_restaurant) == "Slice Theory Pizza"
    await tab.call(NewCartState.start)
    assert cart(tab, clock).quantities == QUANTITIES
    assert banner(tab) == FROM_LINK


async def test_kept_cart_stays_as_it_was(tab):
    tab.local["cart"] = own = stored_cart({"104": 1})
    await follow(tab)
    await tab.call(NewCartState.keep)
    assert tab.get(CartState.cart) == own
    assert tab.get(NewCartState.other_restaurant) == ""


async def test_question_is_not_answered_after_the_restaurant_has_closed(tab, services):
    tab.local["cart"] = own = stored_cart({"501": 1}, 5)
    await follow(tab)
    await services.statuses.set_override(1, is_open=False, message="")
    await tab.call(NewCartState.start)
    assert tab.get(CartState.cart) == own
    assert banner(tab) == "Pehla Food Point is not delivering right now."


async def test_dishes_that_are_not_sold_are_left_out_and_said(tab, clock):
    await follow(tab, "/menu/1?dishes=104:2,501:1,999:4")
    assert cart(tab, clock).quantities == {"104": 2}
    assert banner(tab) == f"{FROM_LINK} Some dishes of the link are no longer on the menu."


async def test_link_without_dishes_of_the_menu_changes_nothing(tab):
    await follow(tab, "/menu/1?dishes=501:1")
    assert tab.get(CartState.cart) == ""
    assert banner(tab) == "No dish of this link is on the menu any more."


@pytest.mark.parametrize("address", ["/menu/1", "/menu/1?dishes=", "/menu/99?dishes=104:2"])
async def test_menu_without_shared_dishes_is_opened_as_usual(tab, address):
    await tab.visit(address)
    assert tab.get(CartState.cart) == ""
    assert banner(tab) == ""


async def test_link_to_a_closed_restaurant_fills_no_cart_until_it_opens(tab, services, clock):
    await services.statuses.set_override(1, is_open=False, message="")
    await tab.visit(LINK)
    assert (tab.redirects, tab.get(CartState.cart)) == ([], "")
    assert banner(tab) == LINK_LATER
    assert tab.get(SharedCartState.waits_for_opening)
    await services.statuses.set_override(1, is_open=True, message="")
    await tab.call(SharedCartState.open)
    assert not tab.get(SharedCartState.waits_for_opening)
    assert [(each.address, each.replaces) for each in tab.redirects] == [("/menu/1", True)]
    await tab.follow_redirect()
    assert cart(tab, clock).quantities == QUANTITIES
    assert banner(tab) == FROM_LINK


async def test_sold_out_dishes_of_a_link_are_left_out_and_said(tab, services, clock):
    """Source: specification 10.20."""
    await services.statuses.set_sold_out(1, "104", is_sold_out=True)
    await follow(tab)
    assert cart(tab, clock).quantities == {"112": QUANTITIES["112"]}
    assert "Some dishes of the link are sold out." in banner(tab)


async def test_link_of_sold_out_dishes_only_fills_no_cart(tab, services):
    await services.statuses.set_sold_out(1, "104", is_sold_out=True)
    await follow(tab, "/menu/1?dishes=104:2")
    assert tab.get(CartState.cart) == ""
    assert banner(tab) == "Some dishes of the link are sold out."


async def test_unreadable_link_says_so(open_tab):
    for dishes in ("abc", "105:2,", "105:51", "105:0", "105:-1", "105", "%00", "<script>"):
        tab = open_tab()
        await follow(tab, f"/menu/1?dishes={dishes}")
        assert tab.get(CartState.cart) == ""
        assert banner(tab) == "This link can't be read. Please ask for it again."


async def test_unanswered_question_is_withdrawn_on_another_menu(tab):
    tab.local["cart"] = stored_cart({"501": 1}, 5)
    await follow(tab)
    await tab.visit("/menu/2")
    assert tab.get(NewCartState.other_restaurant) == ""


async def test_link_does_not_give_up_the_table(tab, services, clock):
    hold = await services.reservations.hold(reservation_request().reservation)
    tab.local["preReservation"] = reservation_text(
        hold, "Kulhad Café", clock.now(), is_ordering=True
    )
    tab.local["cart"] = own = stored_cart(RESERVED_QUANTITIES, 2)
    await tab.visit("/menu/2?dishes=203:3")
    assert [each.address for each in tab.redirects] == ["/menu/2?preReserved=true"]
    await tab.follow_redirect()
    await tab.call(NewCartState.keep)
    assert (tab.get(CartState.is_reserved), tab.get(CartState.cart)) == (True, own)
