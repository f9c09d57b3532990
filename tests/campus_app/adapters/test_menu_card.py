"""The printed card: it says exactly what the menu says, whatever that is."""

from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.adapters.csv_catalogue import CsvCatalogue
from campus_app.adapters.menu_card import menu_card
from campus_app.domain.customer import tidy_text
from campus_app.domain.menu import Menu
from campus_app.domain.money import format_rupees, rupees
from tests.support.builders import RESTAURANT, THALI
from tests.support.settings import DATA

SVG = "{http://www.w3.org/2000/svg}"
CATALOGUE = CsvCatalogue(DATA)
HOSTILE = (
    '</text><script>alert(\'&amp;\')</script>"onload="alert(1)" ]]> <!-- &lt; ₹ \u202e \x07 \0'
)


def closed_up(text):
    """A long name stands on several lines: only where it is broken is not the menu's."""
    return "".join(text.split())


def texts(card, kind):
    root = ElementTree.fromstring(card)
    return [each.text or "" for each in root.iter(f"{SVG}text") if each.get("class") == kind]


def dishes(card):
    """Return the dishes of a card: each name with the price on its line."""
    found = []
    for group in ElementTree.fromstring(card).iter(f"{SVG}g"):
        kinds = [(each.get("class"), each.text or "") for each in group.findall(f"{SVG}text")]
        prices = [text for kind, text in kinds if kind == "price"]
        if prices:
            name = "".join(text for kind, text in kinds if kind == "name")
            found.append((closed_up(name), *prices))
    return Counter(found)


def menu_of(*names, category="Thalis"):
    return Menu(
        1,
        tuple(
            replace(THALI, id=f"{number}", name=name, category=category)
            for number, name in enumerate(names)
        ),
    )


@pytest.mark.parametrize("restaurant", CATALOGUE.restaurants(), ids=lambda each: each.name)
def test_every_dish_is_on_the_card_at_the_price_at_which_it_is_sold(restaurant):
    menu = CATALOGUE.menu(restaurant.id)
    card = menu_card(restaurant, menu)
    assert dishes(card) == Counter(
        (closed_up(item.name), format_rupees(item.price)) for item in menu.items
    )
    assert texts(card, "section")
    assert set(texts(card, "section")) == {section.name for section in menu.sections()}
    assert texts(card, "title") == [restaurant.name]
    assert f"{len(menu.items)} dishes" in "".join(texts(card, "small"))


def test_nothing_of_the_card_lies_outside_of_it():
    menu = Menu(1, tuple(replace(THALI, id=f"{n}", category=f"{n % 7}") for n in range(300)))
    root = ElementTree.fromstring(menu_card(RESTAURANT, menu))
    height = int(root.get("height"))
    ends = []
    for column in root.findall(f"{SVG}g"):
        top = int(column.get("transform").removesuffix(")").split()[1])
        ends += [
            top + int(group.get("transform").removesuffix(")").split()[1])
            for group in column.findall(f"{SVG}g")
        ]
    assert len(ends) == 300
    assert max(ends) < height


def test_a_long_name_is_broken_into_lines_and_none_of_it_is_lost():
    name = "Chole Bhature Thali with Boondi Raita, Achaar and Gajar ka Halwa"
    card = menu_card(RESTAURANT, menu_of(name))
    assert dishes(card) == Counter({(closed_up(name), "₹180"): 1})
    assert len(texts(card, "name")) > 1


def test_a_card_needs_nothing_from_another_site():
    card = menu_card(RESTAURANT, menu_of("Tea"))
    addresses = card.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "http" not in addresses
    assert "src:url(" in addresses


def test_hostile_names_stay_text():
    restaurant = replace(RESTAURANT, name=HOSTILE, tags=(HOSTILE, '"'))
    card = menu_card(restaurant, menu_of(HOSTILE, category=HOSTILE))
    root = ElementTree.fromstring(card)
    assert {each.tag.removeprefix(SVG) for each in root.iter()} == {
        "svg",
        "style",
        "rect",
        "text",
        "g",
        "line",
    }
    assert root.get("aria-label") == f"Menu card of {tidy_text(HOSTILE)}"
    assert root.get("onload") is None
    assert texts(card, "title") == [tidy_text(HOSTILE)]
    assert dishes(card) == Counter({(closed_up(tidy_text(HOSTILE)), "₹180"): 1})


@given(st.text(min_size=1), st.text(min_size=1), st.decimals("0.01", "9999999.99", places=2))
def test_whatever_a_dish_is_called_the_card_is_sound(name, category, price):
    item = replace(THALI, name=name, category=category, price=rupees(price))
    card = menu_card(replace(RESTAURANT, name=name), Menu(1, (item,)))
    expected = closed_up(tidy_text(name)), format_rupees(rupees(price))
    assert dishes(card) == Counter([expected])
