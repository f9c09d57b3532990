"""The events of the desk's menus. Source: specification 12.9."""

import base64
import inspect

import pytest

from campus_app.catalogue.csv.menu_tables import table_in
from campus_app.operators.rules.desk import DeskRole
from campus_app.operators.screens.desk_menus_state import DeskMenus
from campus_app.operators.screens.desk_state import DeskState
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.constants import MAXIMUM_DISHES
from campus_app.shared.rules.messages import DeskMenuMessage
from tests.helpers.databases import sqlite_only
from tests.helpers.desk import cookie_of, enrol_desk

pytestmark = [pytest.mark.anyio, sqlite_only]

MENU = "/desk/menus/3"
_OWN = {name for part in DeskMenus.__mro__[:2] for name in vars(part)}
_EVENTS = sorted(_OWN & set(DeskState.event_handlers))
"""The events of menus alone."""


@pytest.fixture
async def tab(services, open_tab):
    """A device of support on the menu of restaurant 3."""
    device = await enrol_desk(services, DeskRole.SUPPORT, "Ravi")
    tab = open_tab(cookies=cookie_of(device))
    await tab.visit(MENU)
    return tab


def row(tab, dish_id):
    return next(each for each in tab.get(DeskState.draft_rows) if each["id"] == dish_id)


def price(services, dish_id="310"):
    return str(services.catalogue.menu(3).by_id[dish_id].price)


async def send(tab, text, name="menu.csv", size=24_000):
    """Send a file in parts."""
    encoded = base64.b64encode(text.encode()).decode()
    parts = [encoded[start : start + size] for start in range(0, len(encoded), size)] or [""]
    for place, part in enumerate(parts):
        await tab.call(DeskState.receive_part, name, place, len(parts), part)


async def publish(tab, note=""):
    await tab.call(DeskState.publish_menu, {"note": note})


async def test_list_shows_source_version_and_author(tab, services):
    await tab.call(DeskState.set_cell, "310", "price", "90")
    await publish(tab, "Monsoon")
    await tab.visit("/desk/menus")
    (line,) = [each for each in tab.get(DeskState.menus) if each["id"] == 3]
    shown = (line["isOfDesk"], line["version"], line["by"], line["note"], line["href"])
    assert shown == (True, "Version 1", "Ravi", "Monsoon", MENU)
    assert len(tab.get(DeskState.menus)) == 8


async def test_cell_is_written_checked_and_published(tab, services):
    await tab.call(DeskState.set_cell, "310", "price", "80/140")
    assert row(tab, "310")["faults"] == {"price": "'80/140' is not an amount"}
    assert tab.get(DeskState.draft)["faults"] == 1
    await publish(tab)
    assert tab.get(DeskState.problem) == DeskMenuMessage.HAS_FAULTS
    assert price(services) == "80.00"
    await tab.call(DeskState.set_cell, "310", "price", " 90 ")
    assert row(tab, "310")["faults"] == {}
    await publish(tab)
    assert (price(services), tab.get(DeskState.problem)) == ("90.00", "")
    assert not tab.get(DeskState.draft)["isChanged"]


@pytest.mark.parametrize(
    ("column", "value"), [("id", "1"), ("faults", "x"), ("price", None), ("name", "x" * 1001)]
)
async def test_cell_is_not_written_when_it_is_no_text_of_the_table(tab, column, value):
    before = tab.get(DeskState.draft_rows)
    await tab.call(DeskState.set_cell, "310", column, value)
    assert tab.get(DeskState.draft_rows) == before


async def test_preview_shows_menu_and_difference(tab):
    await tab.call(DeskState.set_cell, "310", "price", "90")
    await tab.call(DeskState.set_cell, "309", "description", "Crisp.")
    await tab.call(DeskState.remove_dish, "311")
    await tab.call(DeskState.preview_menu)
    preview = tab.get(DeskState.menu_preview)
    groups = {each["title"]: each["lines"] for each in preview["groups"]}
    assert groups["Dearer"] == [{"name": "Masala Dosa", "what": "₹80 → ₹90 (+₹10)"}]
    assert groups["Changed"] == [{"name": "Plain Dosa", "what": "Description"}]
    assert [each["name"] for each in groups["Gone"]] == ["Mysore Masala Dosa"]
    shown = {dish["id"]: dish["price"] for part in preview["sections"] for dish in part["dishes"]}
    assert (shown["310"], "311" in shown) == ("₹90", False)


async def test_sheet_is_read_in_parts_and_its_doubts_are_asked(tab, services):
    lines = "".join(f"Dish {number},{number}\n" for number in range(1, 60))
    await send(tab, f"Item,Rate\nMasala Dosa,80/140\n{lines}", size=100)
    assert row(tab, "310")["options"] == ["80", "140"]
    assert tab.get(DeskState.draft)["asked"] == 1
    assert tab.get(DeskState.sheet)["name"] == "menu.csv"
    await tab.call(DeskState.set_cell, "310", "price", "140")
    assert tab.get(DeskState.draft)["asked"] == 0
    await publish(tab)
    assert price(services) == "140.00"
    assert "Dish 7" in [dish.name for dish in services.catalogue.menu(3).dishes]


async def test_parts_are_dropped_when_they_do_not_follow_each_other(tab):
    before = tab.get(DeskState.draft_rows)
    for place, count, text in [
        (1, 2, "QQ=="),
        (0, 9_999, "QQ=="),
        (0, 1, "x" * 24_001),
        (0, 1, "?"),
    ]:
        await tab.call(DeskState.receive_part, "a.csv", place, count, text)
    assert tab.get(DeskState.draft_rows) == before
    assert tab.get(DeskState.sheet) == {}


async def test_file_that_is_no_sheet_is_refused_with_its_reason(tab):
    await send(tab, "")
    assert tab.get(DeskState.problem) == DeskMenuMessage.EMPTY
    await tab.call(DeskState.refuse_file)
    assert tab.get(DeskState.problem) == DeskMenuMessage.TOO_LARGE


async def test_columns_and_unit_are_corrected(tab):
    await send(tab, "What,How\nNaan,3000\nRoti,1200\nDal,9000\n")
    assert tab.get(DeskState.draft)["count"] == 49  # the unit is asked first
    await tab.call(DeskState.set_unit, "paise")
    assert row(tab, "naan")["price"] == "30"
    await tab.call(DeskState.set_unit, "rupees")
    assert row(tab, "naan")["price"] == "3000"
    await tab.call(DeskState.set_target, 0, "price")
    assert tab.get(DeskState.problem) == DeskMenuMessage.NEEDS_COLUMNS
    targets = [each["target"] for each in tab.get(DeskState.sheet)["columns"]]
    assert targets == ["price", ""]


async def test_new_dish_gets_an_id_of_its_name(tab):
    await tab.call(DeskState.add_dish)
    await tab.call(DeskState.set_cell, "new-1", "name", "Masala Dosa")
    await tab.call(DeskState.set_trending, "masala-dosa", True)
    new = row(tab, "masala-dosa")
    assert (new["isTrending"], new["faults"]) == (True, {"price": "Write the price."})


async def test_long_table_is_shown_in_pages(tab):
    lines = "".join(f"Dish {number},20\n" for number in range(MAXIMUM_DISHES))
    await send(tab, f"Item,Rate\n{lines}")
    assert (len(tab.get(DeskState.draft_rows)), tab.get(DeskState.draft)["pages"]) == (100, 20)
    await tab.call(DeskState.turn_page, 1)
    assert tab.get(DeskState.draft_rows)[0]["name"] == "Dish 100"
    await tab.call(DeskState.add_dish)
    assert tab.get(DeskState.draft)["count"] == MAXIMUM_DISHES


async def test_draft_is_kept_when_another_has_published(tab, services):
    await tab.call(DeskState.set_cell, "310", "price", "90")
    versions = services.menu_versions
    current = versions.current(3)
    rows = table_in(current.content)[1:]
    await versions.publish(3, rows, current.base, note="", by=Actor("Asha"))
    await publish(tab)
    assert tab.get(DeskState.problem) == DeskMenuMessage.CHANGED
    assert tab.get(DeskState.menu)["isOutdated"]
    await tab.call(DeskState.keep_draft)
    await publish(tab)
    assert (price(services), versions.current(3).number) == ("90.00", 2)


async def test_undo_and_source_are_of_the_menu_that_is_shown(tab, services):
    await tab.call(DeskState.undo_menu)
    assert tab.get(DeskState.problem) == DeskMenuMessage.NOTHING_TO_UNDO
    await tab.call(DeskState.set_cell, "310", "price", "90")
    await publish(tab)
    await tab.call(DeskState.undo_menu)
    assert price(services) == "80.00"
    await tab.call(DeskState.set_menu_source, "file")
    assert not tab.get(DeskState.menu)["isOfDesk"]
    assert tab.get(DeskState.menu)["canUseDesk"]


async def test_unknown_menu_is_said(services, open_tab):
    device = await enrol_desk(services, DeskRole.OWNER, "Asha")
    tab = open_tab(cookies=cookie_of(device))
    await tab.visit("/desk/menus/99")
    assert tab.get(DeskState.menu) == {"isUnknown": True}
    await publish(tab)
    assert services.menu_versions.current(3).number == 0


@pytest.mark.parametrize("event", _EVENTS)
async def test_sales_change_and_see_no_menu(event, services, open_tab):
    device = await enrol_desk(services, DeskRole.SALES, "Meena")
    tab = open_tab(cookies=cookie_of(device))
    await tab.visit(MENU)
    handler = getattr(DeskState, event)
    _, *names = inspect.signature(handler.fn).parameters
    values = {"form": {}, "column": "price", "place": 0, "count": 1, "source": "desk"}
    await tab.call(handler, *(values.get(name, "310") for name in names))
    assert tab.get(DeskState.is_refused)
    assert (tab.get(DeskState.menu), tab.get(DeskState.draft_rows)) == ({}, [])


_HOSTILE = [None, 7, -1, 1e300, True, "x", "\x00", "x" * 30_000, [], {}, {"note": [1]}]


@pytest.mark.parametrize("event", _EVENTS)
async def test_event_with_hostile_values_raises_nothing_at_a_menu(event, tab, services, caplog):
    await send(tab, "Item,Rate\nNaan,30\n")
    handler = getattr(DeskState, event)
    _, *names = inspect.signature(handler.fn).parameters
    for value in _HOSTILE:
        await tab.call(handler, *([value] * len(names)))
    assert [each for each in caplog.records if each.levelname == "ERROR"] == []
    if event != "publish_menu":
        assert services.menu_versions.current(3).number == 0
