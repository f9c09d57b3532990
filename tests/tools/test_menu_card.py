"""The generated menu card contains every dish with its price, for any names."""

from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.rules.menu import Menu
from campus_app.shared.rules.money import format_rupees
from tests.helpers.builders import RESTAURANT, THALI
from tests.helpers.settings import DATA
from tools.menu_card import menu_card

SVG = "{http://www.w3.org/2000/svg}"
CATALOGUE = CsvCatalogue(DATA)
HOSTILE = '</text><script>alert(1)</script>"onload="alert(1)" ]]> <!-- &lt; ₹ \x07'


def without_spaces(text):
    """Remove spaces: a long name is wrapped into several lines."""
    return "".join(text.split())


def texts(element, kind):
    return [each.text for each in element.iter(f"{SVG}text") if each.get("class") == kind]


def dishes(sides):
    """Return the dishes of a card: each name with its price."""
    groups = [group for side in sides for group in ElementTree.fromstring(side).iter(f"{SVG}g")]
    own = [[child for child in group if child.tag == f"{SVG}text"] for group in groups]
    found = [dict.fromkeys(("name", "price"), "") for _ in own]
    for dish, children in zip(found, own, strict=True):
        for child in children:
            kind = child.get("class")
            dish[kind] = dish.get(kind, "") + (child.text or "")
    return Counter((without_spaces(dish["name"]), dish["price"]) for dish in found if dish["price"])


@pytest.mark.parametrize("restaurant", CATALOGUE.restaurants(), ids=lambda each: each.name)
def test_menu_card_shows_every_dish_once_at_its_price(restaurant):
    menu = CATALOGUE.menu(restaurant.id)
    sides = menu_card(restaurant, menu)
    assert dishes(sides) == Counter(
        (without_spaces(dish.name), format_rupees(dish.price)) for dish in menu.dishes
    )
    sections = [name for side in sides for name in texts(ElementTree.fromstring(side), "section")]
    assert sections == [section.name for section in menu.categories()]


def test_menu_card_wraps_a_long_name_without_loss():
    name = "Chole Bhature Thali with Boondi Raita, Achaar and Gajar ka Halwa"
    sides = menu_card(RESTAURANT, Menu(1, (replace(THALI, name=name),)))
    assert dishes(sides) == Counter({(without_spaces(name), format_rupees(THALI.price)): 1})


def test_menu_card_escapes_names():
    hostile = replace(THALI, name=HOSTILE, category=HOSTILE)
    for side in menu_card(replace(RESTAURANT, name=HOSTILE), Menu(1, (hostile,))):
        tags = {each.tag.removeprefix(SVG) for each in ElementTree.fromstring(side).iter()}
        assert tags <= {"svg", "style", "rect", "text", "g", "line"}
