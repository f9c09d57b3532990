"""The metadata of a menu page: what link previews and search engines read."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from html import unescape

import pytest
from PIL import Image

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.rules.menu import Diet
from campus_app.ordering.screens.menu_metadata import (
    PREVIEW_SIZE,
    described_menus,
    preview_picture,
    structured_data,
    with_metadata,
)
from campus_app.shared import current
from kit.http.locale import PageFolders
from kit.translations import language, use_locale
from tests.helpers.product import ROOT
from tests.helpers.settings import DATA

pytestmark = pytest.mark.anyio

ORIGIN = "https://food-points.example"
PAGE = (
    "<html><head><title>Menu · FOOD_points</title>"
    '<meta content="The menu" name="description"/><meta content="favicon.ico" property="og:image"/>'
    "</head><body></body></html>"
)


@pytest.fixture(scope="module")
def catalogue():
    return CsvCatalogue(DATA)


@pytest.fixture
def described(catalogue):
    """Returns the page of a restaurant with its metadata."""

    def described(restaurant_id=1, **changes):
        restaurant = replace(catalogue.restaurant(restaurant_id), **changes)
        return with_metadata(PAGE, restaurant, catalogue.menu(restaurant_id), ORIGIN)

    return described


def properties(page):
    found = re.findall(r'<meta property="([^"]*)" content="([^"]*)"/>', page)
    names = [name for name, _ in found]
    assert len(set(names)) == len(names)
    return {name: unescape(content) for name, content in found}


def data_of(page):
    (script,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page)
    return json.loads(script)


def test_link_preview_has_name_picture_and_hours(described):
    page = described()
    about = properties(page)
    assert about["og:title"] == "Pehla Food Point"
    assert about["og:description"].startswith("Indian, open 10:30–20:30.")
    assert about["og:image"] == f"{ORIGIN}/images/previews/01-thali.jpg"
    assert about["og:url"] == f"{ORIGIN}/menu/1"
    assert "<title>Pehla Food Point · FOOD_points</title>" in page
    assert page.count('og:image"') == 1
    assert page.count('name="description"') == 1


def test_preview_pictures_exist_in_the_stated_size(catalogue):
    for restaurant in CsvCatalogue(ROOT / "data").restaurants():
        with Image.open(ROOT / "assets" / preview_picture(restaurant).lstrip("/")) as picture:
            assert (picture.format, picture.size) == ("JPEG", PREVIEW_SIZE)


def test_restaurant_without_a_drawn_preview_has_the_products_picture(described):
    about = properties(described(image="99-new.svg"))
    assert about["og:image"] == f"{ORIGIN}/images/app-512.png"
    assert "og:image:width" not in about


def test_metadata_is_in_the_language_of_the_page(described):
    with use_locale("hi"):
        about = properties(described())
    assert about["og:url"] == f"{ORIGIN}/menu/1?language=hi"
    assert about["og:locale"] == "hi_IN"
    assert "10:30–20:30" in about["og:description"]
    assert not about["og:description"].startswith("Indian")


def test_hostile_names_are_text(described):
    for name in ('A "quoted" & <b>bold</b>', "</script><script>alert(1)", "<!--"):
        page = described(name=name)
        assert properties(page)["og:title"] == name
        assert data_of(page)["name"] == name
        assert "<b>bold" not in page
        assert "<script>alert" not in page
        assert page.count("<script") == 1


def test_structured_data_has_every_dish_with_its_price_and_diet(catalogue, described):
    data = data_of(described(2))
    dishes = [
        dish for section in data["hasMenu"]["hasMenuSection"] for dish in section["hasMenuItem"]
    ]
    menu = catalogue.menu(2)
    assert [(dish["name"], dish["offers"]["price"]) for dish in dishes] == [
        (dish.name, f"{dish.price:.2f}") for section in menu.categories() for dish in section.dishes
    ]
    vegetarian = {dish.name for dish in menu.dishes if dish.marks.diet is Diet.VEGETARIAN}
    assert {dish["name"] for dish in dishes if "suitableForDiet" in dish} == vegetarian
    assert vegetarian


def test_structured_data_has_hours_offer_and_reservations(described):
    data = data_of(described(2))
    hours = data["openingHoursSpecification"]
    assert (hours["opens"], hours["closes"], len(hours["dayOfWeek"])) == ("09:00", "00:00", 7)
    assert data["acceptsReservations"] is True
    assert [offer["name"] for offer in data["makesOffer"]] == ["Saturday evening: 10% off"]
    assert data_of(described(1))["makesOffer"] == []


def test_structured_data_follows_schema_org(catalogue, tmp_path):
    # The validator also reports a wrong name, so that it is known to look.
    for restaurant in catalogue.restaurants():
        data = structured_data(restaurant, catalogue.menu(restaurant.id), ORIGIN)
        (tmp_path / f"menu_{restaurant.id}.json").write_text(json.dumps(data))
    (tmp_path / "wrong.json").write_text(json.dumps(data | {"servesCuisines": ["Indian"]}))
    validate = [sys.executable, "-m", "tools.browser_checks", "structured-data", tmp_path]
    done = subprocess.run(validate, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, "in 9 documents" in done.stdout) == (1, True)
    assert set(re.findall(r"^(\S*):\d+: ", done.stderr, re.MULTILINE)) == {"wrong.json"}


@pytest.fixture
def render(services, monkeypatch, tmp_path):
    """Renders built pages of menus in a folder, as the server does for closed restaurants."""
    monkeypatch.setattr(current, "services", lambda: services)
    (tmp_path / "menu").mkdir()
    (tmp_path / "menu" / "0.html").write_text(PAGE)
    return described_menus(PageFolders(tmp_path, ["en", "hi"], language), ORIGIN)


async def test_menu_of_a_closed_restaurant_has_a_link_preview(render, services):
    await services.statuses.set_override(1, is_open=False, message="")
    page = render("/menu/1")
    assert properties(page)["og:title"] == "Pehla Food Point"
    assert data_of(page)["hasMenu"]


def test_other_paths_have_no_metadata(render):
    for path in ("/menu/99", "/menu/0", "/menu/1/x", "/menu", "/about", ""):
        assert render(path) is None


def test_unreadable_menu_has_a_link_preview_without_dishes(
    new_services, data_dir, render, monkeypatch
):
    (data_dir / "menu_1.csv").write_text("")
    services = new_services(data_dir=data_dir)
    monkeypatch.setattr(current, "services", lambda: services)
    page = render("/menu/1")
    assert properties(page)["og:title"] == "Pehla Food Point"
    assert "hasMenu" not in data_of(page)
