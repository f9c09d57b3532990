"""`check-menus` finds no fault in the shop's own data, `data/`."""

import codecs
import re

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.csv.checks import check_files
from campus_app.catalogue.csv.menu_images import PRICES_FILE, pictured_prices
from tests.helpers.product import ROOT

SHOP = ROOT / "data"


def test_shop_data_has_no_faults():
    files = list(check_files(SHOP, images=ROOT / "assets" / "images"))
    assert [fault for file in files for fault in file.faults] == []


def test_shop_files_open_as_utf8_in_spreadsheets():
    """Excel reads a file without a byte order mark in the encoding of the computer."""
    contents = {file.name: file.read_bytes() for file in SHOP.glob("*.csv")}
    marked = {name for name, raw in contents.items() if raw.startswith(codecs.BOM_UTF8)}
    assert marked == {name for name, raw in contents.items() if not raw.isascii()}


def test_shop_has_dishes_at_each_restaurant():
    catalogue = CsvCatalogue(SHOP)
    assert all(catalogue.menu(restaurant.id).dishes for restaurant in catalogue.restaurants())


def test_shop_dishes_have_texts_in_devanagari():
    # Source: specification 10.19, 10.65.
    catalogue = CsvCatalogue(SHOP)
    dishes = [dish for each in catalogue.restaurants() for dish in catalogue.menu(each.id).dishes]
    local = {dish.id: dish.texts_in("hi") for dish in dishes}
    texts = [each for of in local.values() for each in (of.name, of.category)]
    descriptions = [local[dish.id].description for dish in dishes if dish.description]
    letters = re.compile(r"[\u0900-\u097f\d ,:;.-]+", re.ASCII)
    assert [each for each in (*texts, *descriptions) if not letters.fullmatch(each)] == []
    assert [each for each in descriptions if not each.endswith("।") or each[-2].isdigit()] == []
    assert not any(local[dish.id].description for dish in dishes if not dish.description)


def test_shop_pictured_prices_are_all_readable():
    """Unreadable rows and repeated dishes would be skipped."""
    file, header = SHOP / PRICES_FILE, "restaurant_id,dish_id,price"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else [header]
    assert lines[0] == header
    assert len(pictured_prices(SHOP)) == len(lines) - 1
