"""Menus over HTTP: the CSV file, and JSON for the menu screen."""

import csv
import re

import pytest

from campus_app.catalogue.api.catalogue import ALLERGEN_NAMES, facts_of
from campus_app.catalogue.rules.menu import Allergen, DishMarks
from kit.translations import use_locale
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import MENU_HEADER, sell
from tests.helpers.settings import DATA

pytestmark = [pytest.mark.anyio, sqlite_only]

INVALID_IDS = ["0", "9", "-1", "x", "1x", "%31%00", "१", "9" * 5_000, "1.0", "..%2f1", " 1"]


@pytest.fixture
def services(new_services, data_dir):
    return new_services(data_dir=data_dir)


async def test_menu_csv_has_the_dishes_on_sale(api):
    # Source: specification C3.5.
    for number in range(1, 9):
        response = await api.get(f"/data/menu_{number}.csv")
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/csv")
        assert response.text.splitlines()[0] == MENU_HEADER
        file = DATA / f"menu_{number}.csv"
        stored = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
        served = list(csv.DictReader(response.text.splitlines()))
        assert served == [{name: row[name] for name in served[0]} for row in stored]


@pytest.mark.parametrize("address", ["/data/menu_{}.csv", "/api/menus/{}"])
async def test_menu_is_not_found_when_id_is_unknown(api, address):
    for number in INVALID_IDS:
        response = await api.get(address.format(number))
        assert response.status_code == 404, number
        assert response.headers["content-type"] == "application/json"
        assert "error" in response.json()


async def test_no_other_data_file_is_served(api):
    """The same folder contains the vendors' contacts."""
    names = ("restaurants.csv", "menu_1.csv.bak", "menu_.csv", "menu_..%2frestaurants.csv", "")
    for name in (*names, "menu_1%2f..%2f..%2frestaurants.csv"):
        response = await api.get(f"/data/{name}")
        assert response.status_code == 404, name
        assert "vendor" not in response.text


async def test_menu_is_not_found_when_its_file_is_missing(api, data_dir):
    (data_dir / "menu_1.csv").unlink()
    assert (await api.get("/data/menu_1.csv")).status_code == 404
    response = await api.get("/api/menus/1")
    assert response.status_code == 404
    assert response.json()["error"]["message"] == "Failed to load menu (Status: 404)"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param("", "Menu data is empty", id="8.7: empty"),
        pytest.param("a,b\n1,2\n", "Failed to parse menu data", id="8.8: unreadable"),
        pytest.param(MENU_HEADER, "No menu items found", id="8.9: no items"),
    ],
)
async def test_menu_json_has_specified_message_when_file_is_invalid(
    api, data_dir, content, message
):
    (data_dir / "menu_1.csv").write_text(content)
    response = await api.get("/api/menus/1")
    assert response.status_code == 500
    assert response.json()["error"] == {"code": "menu_unavailable", "message": message}


async def test_menu_csv_has_the_documented_columns_whatever_the_file_has(api, data_dir):
    (data_dir / "menu_1.csv").write_text(
        "name_hi;price;id;category;name;description;shelf\n"
        'चाय;20,50;901;Hot;Tea;"With milk, and sugar";A\n'
        ";-1;902;Hot;Faulty;;A\n"
    )
    response = await api.get("/data/menu_1.csv")
    assert response.text == f'{MENU_HEADER}\n901,Tea,"With milk, and sugar",20.50,Hot\n'


TEXTS = {
    "hi": [
        ("गरम", "Tea", "चाय", "दूध के साथ।", "Hot With milk."),
        ("गरम", "Coffee", "", "With milk.", "Hot"),
        ("Cold", "Lassi", "", "मीठी।", "Cold"),
        ("Cold", "Water", "", "", "Cold"),
    ],
    "en": [
        ("Hot", "Tea", None, "With milk.", None),
        ("Hot", "Coffee", None, "With milk.", None),
        ("Cold", "Lassi", None, "", None),
        ("Cold", "Water", None, "", None),
    ],
}


@pytest.mark.parametrize("code", TEXTS)
async def test_menu_json_has_texts_in_the_language_of_the_page(api, data_dir, code):
    # Source: specification 10.19, 10.65.
    (data_dir / "menu_1.csv").write_text(
        f"{MENU_HEADER},category_hi,description_hi,name_hi\n"
        "901,Tea,With milk.,20,Hot,गरम,दूध के साथ।, चाय \n902,Coffee,With milk.,30,Hot,,,\n"
        "903,Lassi,,30,Cold,,मीठी।,\n904,Water,,30,Cold,,,\n"
    )
    with use_locale(code):
        response = await api.get("/api/menus/1")
    sections = response.json()["sections"]
    names = ("name", "localName", "description", "englishWords")
    assert [
        (section["name"], *(dish.get(name) for name in names))
        for section in sections
        for dish in section["dishes"]
    ] == TEXTS[code]
    assert [section["id"] for section in sections] == ["section-1", "section-2"]
    assert response.headers["vary"].startswith("Accept-Language, Cookie")
    assert (re.search("[\u0900-\u097f]", response.text) is not None) == (code == "hi")
    assert (await api.get("/data/menu_1.csv")).text.splitlines()[0] == MENU_HEADER


async def test_menu_json_groups_dishes_by_section(api, data_dir):
    sell(data_dir, 1, ['901,"Tea, hot",With milk.,20.5,Hot', "902,Café,,1250,Cold"])
    (data_dir / "trending.csv").write_text("restaurant_id,dish_id\n1,902\n")
    (data_dir / "diet.csv").write_text(
        "restaurant_id,dish_id,diet,allergens,spice\n1,901,veg,nuts|milk,2\n"
    )
    content = (await api.get("/api/menus/1")).json()
    assert content["restaurant"]["name"] == "Pehla Food Point"
    assert content["restaurant"]["hasTables"] is False
    assert (await api.get("/api/menus/2")).json()["restaurant"]["hasTables"] is True
    trending, *categories = content["sections"]
    assert (trending["name"], [dish["id"] for dish in trending["dishes"]]) == ("Trending", ["902"])
    assert trending["dishes"][0]["price"] == "₹1,250"
    assert [(each["id"], each["number"], each["count"]) for each in content["sections"]] == [
        ("section-1", "01", 1),
        ("section-2", "02", 1),
        ("section-3", "03", 1),
    ]
    hot, cold = (section["dishes"] for section in categories)
    assert (trending["dishes"][0]["testId"], cold[0]["testId"]) == ("item-902", "repeated-item-902")
    assert hot == [
        {
            "id": "901",
            "testId": "item-901",
            "name": "Tea, hot",
            "description": "With milk.",
            "price": "₹20.50",
            "paise": 2050,
            "diet": "veg",
            "spice": "2",
            "facts": "Hot. Contains milk, nuts",
        }
    ]
    assert (cold[0]["spice"], cold[0]["facts"]) == ("0", "")


async def test_menu_json_declares_allergens_in_the_language_of_the_page(api):
    with use_locale("hi"):
        menu = (await api.get("/api/menus/1")).json()
    facts = [dish["facts"] for section in menu["sections"] for dish in section["dishes"]]
    assert any(facts)
    assert not any(re.search("[A-Za-z]", each) for each in facts)


async def test_each_allergen_has_a_name(services):
    for allergen in Allergen:
        assert facts_of(DishMarks(allergens=(allergen,))) == f"Contains {ALLERGEN_NAMES[allergen]}"


async def test_menu_json_has_no_vendor_contacts(api):
    text = (await api.get("/api/menus/1")).text
    assert "vendor" not in text
    assert "@" not in text
    assert "+91" not in text


async def test_menu_json_lists_photographs_of_the_printed_menu(api):
    content = (await api.get("/api/menus/3")).json()["restaurant"]["menuImages"]
    assert content == [
        {"src": "/menus/3/front.webp", "takenOn": "23 November 2026"},
        {"src": "/menus/3/back.webp", "takenOn": "23 November 2026"},
    ]


async def test_menu_json_is_304_when_etag_matches(api, data_dir):
    address = "/api/menus/1"
    first = await api.get(address)
    assert first.headers["cache-control"] == "no-cache"
    asked = {"if-none-match": first.headers["etag"]}
    again = await api.get(address, headers=asked)
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    for tag in ("", "*", "W/", '"', "x" * 5_000, b"\xff"):
        assert (await api.get(address, headers={"if-none-match": tag})).status_code == 200, tag
    sell(data_dir, 1, {"901": "20"})
    changed = await api.get(address, headers=asked)
    assert changed.status_code == 200
    assert changed.headers["etag"] != first.headers["etag"]
