"""Offers that were published at the desk, on the screens of visitors.

Source: specification 14.3, 14.6; docs/invariants.md I10.
"""

import pytest

from campus_app.ordering.rules.offer_list import offer_json
from campus_app.ordering.rules.offers import OFFERS
from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.checkout_state import CheckoutState
from campus_app.ordering.screens.menu_metadata import structured_data
from campus_app.ordering.screens.offers_page import PAGE
from campus_app.ordering.screens.offers_state import OffersState
from campus_app.shared.rules.audit import Actor
from kit.translations import use_locale
from tests.helpers.builders import at
from tests.helpers.steps import banner, cart_totals, to_menu, to_summary

pytestmark = pytest.mark.anyio

WEDNESDAY, SATURDAY = map(offer_json, OFFERS)
LUNCH = SATURDAY | {
    "id": "lunch",
    "title": "Lunch: 15% off",
    "restaurantId": 1,
    "percent": 15,
    "weekdays": ["wednesday", "friday"],
    "from": "12:00",
    "until": "14:30",
}
"""Holds at the time of the tests' clock, Wednesday at 13:00."""


@pytest.fixture
def publish(services):
    """Publishes offers at the desk."""

    async def publish(*offers):
        versions = services.offers
        return await versions.publish(list(offers), versions.number, note="", by=Actor("Asha"))

    return publish


async def test_offers_screen_has_no_cards_while_the_built_ones_hold(tab):
    await tab.visit("/offers")
    assert (tab.get(OffersState.version), tab.get(OffersState.cards)) == (0, [])


async def test_offers_screen_shows_published_offers(tab, publish):
    await publish(WEDNESDAY, LUNCH)
    await tab.visit("/offers")
    assert tab.get(OffersState.version) == 1
    wednesday, lunch = tab.get(OffersState.cards)
    assert (wednesday["testId"], wednesday["figure"]) == ("offer-wednesday", "1+1")
    shown = ("restaurant", "subtitle", "timing", "day", "figure", "unit", "href")
    assert [lunch[name] for name in shown] == [
        *("Pehla Food Point", "15% off, 12PM to 2:30PM", "Wednesday, Friday, 12PM to 2:30PM"),
        *("WED · FRI", "15", "%", "/menu/1"),
    ]
    assert tab.get(OffersState.active) == {"wednesday": True, "lunch": True}
    assert tab.get(OffersState.words)["lunch"] == "ACTIVE NOW, UNTIL 14:30"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"from": "14:00"}, "STARTS TODAY 14:00"),
        (
            {"weekdays": ["wednesday"], "from": "11:00", "until": "12:00"},
            "STARTS 25 NOVEMBER 11:00",
        ),
        ({"firstDay": "2026-12-01"}, "STARTS 2 DECEMBER 12:00"),
        ({"from": "12:00", "until": "12:00"}, "ACTIVE NOW, UNTIL 12:00"),
        (
            {"weekdays": ["wednesday", "thursday"], "from": "00:00", "until": "00:00"},
            "ACTIVE NOW",
        ),
    ],
)
async def test_offers_screen_says_until_when_or_from_when(changes, words, tab, publish):
    await publish(LUNCH | changes)
    await tab.visit("/offers")
    assert tab.get(OffersState.words) == {"lunch": words}


async def test_offer_that_is_over_is_not_shown(tab, publish, clock):
    await publish(LUNCH | {"lastDay": "2026-11-18"})
    clock.set(at(14, 29))
    await tab.visit("/offers")
    assert tab.get(OffersState.refresh_ms) == 60_000 + 50
    clock.set(at(14, 30))
    await tab.call(OffersState.refresh)
    assert tab.get(OffersState.cards) == []


async def test_lists_of_restaurants_name_published_offers(tab, publish):
    await tab.visit("/about")
    assert (tab.get(OffersState.version), tab.get(OffersState.titles)) == (0, "")
    await publish(WEDNESDAY, LUNCH)
    await tab.call(OffersState.refresh_titles)
    assert tab.get(OffersState.titles) == "Wednesday: buy one, get one free. Lunch: 15% off."


async def test_built_offers_are_hidden_until_published_ones_arrive(tab, publish):
    hidden = "visibility:hidden"
    assert hidden not in PAGE.initial_data()
    await publish(LUNCH)
    assert hidden in PAGE.initial_data()


async def test_metadata_of_a_menu_names_its_published_offers_in_english(tab, services, publish):
    await publish(LUNCH)
    restaurant = services.catalogue.restaurant(1)
    with use_locale("hi"):
        (offer,) = structured_data(restaurant, None, "https://site.example")["makesOffer"]
    assert offer["name"] == "Lunch: 15% off"
    assert offer["description"] == (
        "At Pehla Food Point, every Wednesday, Friday, 12PM to 2:30PM."
        " 15% off everything you order."
    )


async def test_open_menu_announces_a_published_offer_and_its_end(tab, publish):
    await to_menu(tab, {"104": 4}, 1)
    assert cart_totals(tab)[1] == "₹0"
    await publish(LUNCH)
    await tab.call(CartState.reprice)
    assert banner(tab) == "Lunch: 15% off. It applies from now on, and your total is new."
    assert (cart_totals(tab)[1], tab.get(CartState.offer)) == ("₹66", "Lunch: 15% off")
    await publish(LUNCH | {"percent": 20, "title": "Lunch: 20% off"})
    await tab.call(CartState.reprice)
    assert banner(tab) == "Lunch: 20% off. It applies from now on, and your total is new."
    assert cart_totals(tab)[1] == "₹88"
    await publish()
    await tab.call(CartState.reprice)
    assert banner(tab) == "Lunch: 20% off: this offer has ended, and your total is new."
    assert (cart_totals(tab)[1], tab.get(CartState.offer)) == ("₹0", "")


async def test_open_menu_is_silent_when_only_hours_change(tab, publish):
    await publish(LUNCH)
    await to_menu(tab, {"104": 4}, 1)
    await publish(LUNCH | {"until": "16:00"})
    await tab.call(CartState.reprice)
    assert banner(tab) == ""


async def test_summary_asks_again_when_an_offer_was_published_meanwhile(tab, publish):
    await to_summary(tab, {"104": 4})
    before = tab.get(CheckoutState.bill)["grand_total"]
    await publish(LUNCH)
    tab.redirects.clear()
    await tab.call(CheckoutState.next)
    assert tab.redirects == []
    assert banner(tab) == "Lunch: 15% off. It applies from now on, and your total is new."
    bill = tab.get(CheckoutState.bill)
    assert (bill["discount"], bill["discount_name"]) == ("₹66", "Lunch: 15% off")
    assert bill["grand_total"] != before
    await tab.call(CheckoutState.next)
    assert tab.redirects
