"""The test data is valid, and has the properties that other tests require."""

import csv
import re
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from tests.helpers.settings import DATA

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "assets" / "images"

RESTAURANT_IDS = [str(number) for number in range(1, 9)]
CUISINES = {"Indian", "Chinese", "American", "South Indian"}
CAMPUSES = {"north", "south"}
MINUTES_A_DAY = 24 * 60
MINIMUM_ORDER_PAISE = 200_00
PICTURE_LIMIT_BYTES = 20_000


def rows(name):
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def menu(restaurant_id):
    return rows(f"menu_{restaurant_id}.csv")


def all_dishes():
    return [(number, dish) for number in RESTAURANT_IDS for dish in menu(number)]


def minute_of_day(clock_time):
    hours, minutes = clock_time.split(":")
    return int(hours) * 60 + int(minutes)


def open_minutes(restaurant):
    opening, closing = minute_of_day(restaurant["open"]), minute_of_day(restaurant["close"])
    if closing <= opening:
        closing += MINUTES_A_DAY
    return {minute % MINUTES_A_DAY for minute in range(opening, closing)}


def violations(records, is_valid):
    return [record for record in records if not is_valid(record)]


def test_eight_restaurants_are_numbered_in_order():
    restaurants = rows("restaurants.csv")

    assert [restaurant["id"] for restaurant in restaurants] == RESTAURANT_IDS
    assert len({restaurant["name"] for restaurant in restaurants} - {""}) == 8


def test_each_filter_tab_shows_at_least_two_restaurants():
    listed = [restaurant["categories"].split("|") for restaurant in rows("restaurants.csv")]
    shown = Counter(cuisine for cuisines in listed for cuisine in cuisines)

    assert set(shown) == CUISINES
    assert min(shown.values()) >= 2
    assert violations(listed, lambda cuisines: len(cuisines) == len(set(cuisines))) == []


def test_each_restaurant_serves_both_campuses():
    assert all(set(r["campuses"].split("|")) == CAMPUSES for r in rows("restaurants.csv"))


def test_only_restaurant_2_takes_reservations():
    bookable = {
        restaurant["id"]: (restaurant["takes_reservations"], restaurant["seats_per_slot"])
        for restaurant in rows("restaurants.csv")
    }

    assert bookable.pop("2") == ("true", "24")
    assert set(bookable.values()) == {("false", "0")}


def test_contacts_use_reserved_domains_and_numbers():
    restaurants = rows("restaurants.csv")

    for restaurant in restaurants:
        number = restaurant["id"]
        assert re.fullmatch(rf"vendor{number}@[a-z]+\.example", restaurant["vendor_email"])
        assert restaurant["vendor_phone"] == f"+91{int(number):010}"
    assert len({restaurant["vendor_email"] for restaurant in restaurants}) == 8


def test_opening_hours_of_the_specification_are_present():
    shipped = {(restaurant["open"], restaurant["close"]) for restaurant in rows("restaurants.csv")}

    assert {("10:30", "20:30"), ("09:00", "22:30"), ("07:00", "21:00")} <= shipped


def test_two_restaurants_are_open_at_every_minute():
    restaurants = rows("restaurants.csv")
    open_count = Counter(minute for r in restaurants for minute in open_minutes(r))

    assert [minute for minute in range(MINUTES_A_DAY) if open_count[minute] < 2] == []


@pytest.mark.parametrize(
    ("restaurant_id", "opening", "closing"),
    [
        pytest.param("2", "11:00", "24:00", id="slots and Saturday offer"),
        pytest.param("5", "11:00", "22:00", id="Wednesday offer"),
    ],
)
def test_restaurant_with_offer_is_open_while_offer_applies(restaurant_id, opening, closing):
    restaurant = next(r for r in rows("restaurants.csv") if r["id"] == restaurant_id)
    offer_minutes = set(range(minute_of_day(opening), minute_of_day(closing)))

    assert offer_minutes <= open_minutes(restaurant)


def test_menu_has_25_to_60_dishes_in_five_to_eight_categories():
    for restaurant_id in RESTAURANT_IDS:
        dishes = menu(restaurant_id)
        categories = {dish["category"] for dish in dishes}
        assert 25 <= len(dishes) <= 60
        assert 5 <= len(categories) <= 8
        assert "" not in categories


def test_cart_can_total_exactly_the_minimum_order():
    for restaurant_id in RESTAURANT_IDS:
        prices = {int(Decimal(dish["price"]) * 100) for dish in menu(restaurant_id)}
        totals = {0}
        for total in range(1, MINIMUM_ORDER_PAISE + 1):
            if any(total - price in totals for price in prices):
                totals.add(total)
        assert MINIMUM_ORDER_PAISE in totals


def test_restaurant_1_has_60_dishes_below_and_above_100_rupees():
    prices = [Decimal(dish["price"]) for dish in menu("1")]

    assert len(prices) == 60
    assert sum(price >= 100 for price in prices) >= 6
    assert sum(price < 100 for price in prices) >= 6


def test_restaurant_7_has_several_dishes_under_100_rupees():
    assert sum(Decimal(dish["price"]) < 100 for dish in menu("7")) >= 5


def test_each_restaurant_has_four_to_six_trending_dishes():
    trending = [(row["restaurant_id"], row["dish_id"]) for row in rows("trending.csv")]
    dishes = {(restaurant_id, dish["id"]) for restaurant_id, dish in all_dishes()}
    counts = Counter(restaurant_id for restaurant_id, _ in trending)

    assert set(trending) <= dishes
    assert len(trending) == len(set(trending))
    assert set(counts) == set(RESTAURANT_IDS)
    assert all(4 <= count <= 6 for count in counts.values())


def test_each_restaurant_has_its_own_image():
    images = [restaurant["image"] for restaurant in rows("restaurants.csv")]

    assert violations(images, lambda image: (IMAGES / image).is_file()) == []
    assert violations(images, lambda image: Path(image).name == image) == []
    assert len(images) == len(set(images))


def test_images_are_under_20_kilobytes_and_default_exists():
    pictures = list(IMAGES.glob("*.svg"))

    assert IMAGES / "default.svg" in pictures
    assert violations(pictures, lambda path: path.stat().st_size < PICTURE_LIMIT_BYTES) == []
