"""The events of the desk's menus. Source: specification 12.9."""

import asyncio
import base64
import inspect
import io
import time

import pytest
import xlsxwriter

from campus_app.catalogue.csv.menu_tables import rows_of_csv
from campus_app.operators.rules.desk import DeskRole
from campus_app.operators.screens.desk_menus_state import DeskMenus
from campus_app.operators.screens.desk_state import DeskState
from campus_app.operators.sql.tables import MenuDraftRow
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.constants import MAXIMUM_DISHES
from campus_app.shared.rules.messages import DeskMenuMessage
from kit.background import running
from kit.db.tables import table_of
from tests.helpers.databases import sqlite_only
from tests.helpers.desk import cookie_of, enrol_desk
from tests.helpers.tables import count

pytestmark = [pytest.mark.anyio, sqlite_only, pytest.mark.usefixtures("sent_at_once")]

MENU = "/desk/menus/3"
_OWN = {name for part in DeskMenus.__mro__[:3] for name in vars(part)}
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


async def send(tab, content, name="menu.csv", size=24_000):
    """Send a file in parts: a text, or what is base64 already."""
    is_text = isinstance(content, str)
    encoded = (base64.b64encode(content.encode()) if is_text else content).decode()
    parts = [encoded[start : start + size] for start in range(0, len(encoded), size)] or [""]
    for place, part in enumerate(parts):
        await tab.call(DeskState.receive_part, name, place, len(parts), part)


def two_sheets():
    """Return a workbook."""
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        for name, dishes in (
            ("Drinks", {"Filter Coffee": 30}),
            ("Meals", {"Thali": 120, "Dal": 60}),
        ):
            rows = [("Item", "Rate"), *dishes.items()]
            sheet = book.add_worksheet(name)
            for number, cells in enumerate(rows):
                sheet.write_row(number, 0, cells)
    return stream.getvalue()


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


async def test_allergens_are_written_as_people_write_lists(tab):
    await tab.call(DeskState.set_cell, "310", "allergens", "Milk, Nuts")
    assert (row(tab, "310")["allergens"], row(tab, "310")["faults"]) == ("milk|nuts", {})


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("שווארמה \u202eabc", "שווארמה abc"),
        ("பூரி\u200b पूरी", "பூரி पूरी"),
        ("\ufeffDo\x00sa\ud800", "Dosa"),
        ("Dosa\r\n310,Free,,1,x", "Dosa 310,Free,,1,x"),
        ('=HYPERLINK("http://x")', '=HYPERLINK("http://x")'),
    ],
)
async def test_name_is_one_visible_line_and_stays_one_cell(tab, services, written, stored):
    await tab.call(DeskState.set_cell, "310", "name", written)
    await publish(tab)
    assert services.catalogue.menu(3).by_id["310"].name == stored
    assert len(services.catalogue.menu(3).dishes) == 49


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
    for place, parts, text in [
        (1, 2, "QQ=="),
        (0, 9_999, "QQ=="),
        (0, 1, "x" * 24_001),
        (0, 1, "?"),
    ]:
        await tab.call(DeskState.receive_part, "a.csv", place, parts, text)
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


async def test_new_dish_gets_an_id_of_its_name_when_it_is_published(tab, services):
    await tab.call(DeskState.add_dish)
    await tab.call(DeskState.set_cell, "+1", "name", "Masala Dosa")
    await tab.call(DeskState.set_trending, "+1", True)
    new = row(tab, "+1")
    assert (new["isTrending"], new["faults"]) == (True, {"price": "Write the price."})
    await tab.call(DeskState.set_cell, "+1", "price", "40")
    await publish(tab)
    assert price(services, "masala-dosa") == "40.00"


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
    rows = rows_of_csv(current.content)[1:]
    await versions.publish(3, rows, current.base, note="", by=Actor("Asha"))
    await publish(tab)
    assert tab.get(DeskState.problem) == DeskMenuMessage.CHANGED
    assert tab.get(DeskState.menu)["isOutdated"]
    await tab.call(DeskState.keep_draft)
    await publish(tab)
    assert (price(services), versions.current(3).number) == ("90.00", 2)


async def test_draft_is_kept_when_the_page_connects_again_or_is_left(tab):
    await tab.call(DeskState.set_cell, "310", "price", "90")
    await tab.visit(MENU)
    assert row(tab, "310")["price"] == "90"
    await tab.call(DeskState.leave)
    assert tab.get(DeskState.draft_rows) == []
    await tab.visit(MENU)
    assert row(tab, "310")["price"] == "90"
    await tab.visit("/desk/menus/4")
    await tab.visit(MENU)
    assert row(tab, "310")["price"] == "90"


async def test_draft_of_a_device_outlives_its_sessions_for_a_day(services, open_tab, clock):
    cookies = cookie_of(await enrol_desk(services, DeskRole.SUPPORT, "Ravi"))

    async def reopened(cookies=cookies):
        tab = open_tab(cookies=cookies)
        await tab.visit(MENU)
        return tab

    tab = await reopened()
    await send(tab, "Item,Rate\nNaan,30/40\n")
    assert (await reopened()).get(DeskState.draft)["asked"] == 1
    await tab.call(DeskState.set_cell, row(await reopened(), "naan")["id"], "price", "40")
    (naan,) = (await reopened()).get(DeskState.draft_rows)
    assert (naan["name"], naan["price"], naan["asked"]) == ("Naan", "40", "")
    other = cookie_of(await enrol_desk(services, DeskRole.SUPPORT, "Asha"))
    assert row(await reopened(other), "310")["price"] == "80"
    clock.advance(days=1)
    assert row(await reopened(), "310")["price"] == "80"


@pytest.mark.parametrize("event", [DeskState.discard_draft, DeskState.publish_menu])
async def test_stored_draft_is_gone_when_discarded_or_published(tab, services, event):
    await tab.call(DeskState.set_cell, "310", "price", "90")
    assert await count(services.database, MenuDraftRow) == 1
    await tab.call(event, *([{"note": ""}] if event is DeskState.publish_menu else []))
    assert await count(services.database, MenuDraftRow) == 0


async def test_draft_that_can_not_be_read_is_left(tab, services, open_tab):
    (device,) = await services.desk_devices.devices()
    values = {"device_id": device.id, "restaurant_id": 3, "at": services.clock.now(), "base": ""}
    table = table_of(MenuDraftRow)
    for content in ("", "[]", '{"rows": [1], "doubts": {}}', '{"rows": [{}], "doubts": {}}'):
        await services.database.execute(table.delete())
        await services.database.execute(table.insert().values(**values, content=content))
        await tab.visit(MENU)
        assert row(tab, "310")["price"] == "80"


async def test_draft_is_marked_outdated_when_another_published_while_it_was_away(tab, services):
    await tab.call(DeskState.set_cell, "310", "price", "90")
    current = services.menu_versions.current(3)
    await services.menu_versions.publish(
        3, rows_of_csv(current.content)[1:], current.base, note="", by=Actor("Asha")
    )
    await tab.visit(MENU)
    assert tab.get(DeskState.menu)["isOutdated"]
    await tab.call(DeskState.discard_draft)
    assert not tab.get(DeskState.menu)["isOutdated"]


async def test_source_is_kept_when_the_page_shows_an_older_menu(tab, services):
    await tab.call(DeskState.set_cell, "310", "price", "90")
    await publish(tab)
    current = services.menu_versions.current(3)
    rows = [each | {"price": "91"} for each in rows_of_csv(current.content)]
    await services.menu_versions.publish(3, rows, current.base, note="", by=Actor("Asha"))
    await tab.call(DeskState.set_menu_source, "file")
    assert tab.get(DeskState.problem) == DeskMenuMessage.CHANGED
    assert price(services) == "91.00"


async def test_sheet_of_a_file_is_chosen_and_missing_dishes_are_kept(tab):
    await send(tab, base64.b64encode(two_sheets()), name="menu.xlsx")
    assert tab.get(DeskState.sheet)["sheets"] == ["Meals", "Drinks"]
    assert row(tab, "thali")["price"] == "120"
    await tab.call(DeskState.set_sheet, 1)
    assert [each["name"] for each in tab.get(DeskState.draft_rows)] == ["Filter Coffee"]
    assert tab.get(DeskState.sheet)["missingCount"] == 48
    await tab.call(DeskState.keep_missing)
    assert tab.get(DeskState.draft)["count"] == 49
    assert tab.get(DeskState.sheet)["missing"] == ""


async def test_new_category_has_its_own_hindi_name(tab):
    for dish_id in ("310", "311"):
        await tab.call(DeskState.set_cell, dish_id, "category", "Specials")
    await tab.call(DeskState.set_cell, "310", "category_hi", "ख़ास")
    assert row(tab, "311")["category_hi"] == "ख़ास"
    await tab.call(DeskState.set_cell, "311", "category", "Dosas")
    assert (row(tab, "311")["category_hi"], tab.get(DeskState.draft)["faults"]) == ("", 0)


async def test_events_answer_others_while_a_long_table_is_checked(tab):
    lines = "".join(f"Dish {number},20\n" for number in range(MAXIMUM_DISHES))
    await send(tab, f"Item,Rate\n{lines}")
    pauses: list[float] = []

    async def watch():
        while True:
            started = time.monotonic()
            await asyncio.sleep(0.001)
            pauses.append(time.monotonic() - started)

    async with running(watch()):
        await tab.call(DeskState.set_cell, "dish-5", "price", "90")
    assert len(pauses) > 10


async def test_revoked_device_writes_nothing_into_its_draft(tab, services):
    await tab.call(DeskState.set_cell, "310", "price", "90")
    (device,) = await services.desk_devices.devices()
    await services.desk_devices.revoke(device.id, Actor("Asha"))
    await tab.call(DeskState.set_cell, "310", "price", "91")
    await publish(tab)
    assert tab.get(DeskState.is_refused)
    assert services.menu_versions.current(3).number == 0


async def test_undo_and_source_are_of_the_menu_that_is_shown(tab, services):
    await tab.call(DeskState.undo_menu)
    assert tab.get(DeskState.problem) == DeskMenuMessage.NOTHING_TO_UNDO
    await tab.call(DeskState.set_cell, "310", "price", "90")
    await publish(tab)
    await tab.call(DeskState.set_cell, "311", "price", "96")
    for event in ((DeskState.undo_menu,), (DeskState.set_menu_source, "file")):
        await tab.call(*event)
        assert tab.get(DeskState.problem) == DeskMenuMessage.UNPUBLISHED
    await tab.call(DeskState.discard_draft)
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


_HOSTILE = [
    *(None, 7, -1, 1e300, float("nan"), True, [], {}, {"note": [1]}),
    *("x", "\x00", "²", "+1", "x" * 30_000),
]


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
