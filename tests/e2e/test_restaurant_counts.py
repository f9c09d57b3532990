"""The product with 3 and with 30 restaurants."""

import os
import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from campus_app.shared.translations import t
from tests.e2e.conftest import WEDNESDAY, require_build
from tests.e2e.journey import (
    LUNCH,
    add,
    at_confirmation,
    at_waiting_room,
    card,
    choose_campus,
    confirm_details,
    give_details,
    next_to_details,
    open_page,
    open_payment,
    open_restaurant,
    pay,
    proceed,
    wait_until_hydrated,
)
from tests.e2e.server import Server
from tests.helpers.pages import web_folder
from tests.helpers.product import ROOT
from tests.helpers.shop import shop_with

SHOPS = {3: "Pehla Food Point", 30: "Pehla Food Point 25"}
"""The number of restaurants, and the name of the one that is ordered from."""


class Shop(Server):
    """An installation with pages built from its own data."""

    def __init__(self, folder, restaurants):
        super().__init__(folder / "installation", WEDNESDAY)
        self.data = shop_with(restaurants, folder / "data")
        self._web = web_folder(folder / ".web")

    def build(self):
        """Build the pages, in English only."""
        command = [sys.executable, "-m", "reflex", "export", "--frontend-only", "--no-zip"]
        environment = {**os.environ, **self._environment(), "REFLEX_USE_NPM": "1"}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def _environment(self):
        return super()._environment() | {"REFLEX_WEB_WORKDIR": str(self._web)}


@pytest.fixture(scope="module", params=SHOPS, ids="{} restaurants".format)
def shop(request, tmp_path_factory):
    require_build()
    shop = Shop(tmp_path_factory.mktemp("shop"), request.param)
    shop.build()
    shop.start()
    yield request.param, shop
    shop.stop()


def test_order_completes_with_any_number_of_restaurants(shop, visit):
    number, server = shop
    page = visit(server)
    for address in ("/", "/terms", "/offers", "/pre-reserve"):
        page.goto(address)
        expect(page.get_by_role("heading", level=1).first).to_be_visible()
    open_page(page, "/campus")
    expect(page.get_by_text(re.compile(rf"of {number} kitchens open")).first).to_be_visible()

    choose_campus(page)
    wait_until_hydrated(page)
    expect(page.locator("[data-testid^=restaurant-]")).to_have_count(number)
    expect(page.get_by_text(f"{number} KITCHENS, 2 CAMPUSES")).to_be_visible()
    for id_ in range(1, number + 1):
        expect(card(page, id_).get_by_role("heading")).to_be_visible()

    open_restaurant(page, SHOPS[number])
    add(page, *LUNCH)
    proceed(page)
    next_to_details(page)
    give_details(page, Email=f"of.{number}@students.example")
    confirm_details(page)
    at_waiting_room(page)
    order = open_payment(page)
    pay(page)
    at_confirmation(page)
    expect(page.get_by_text(order).first).to_be_visible()
    expect(page.get_by_text(t("ORDER CONFIRMED"))).to_be_visible()
