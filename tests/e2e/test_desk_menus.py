"""Menus at the desk: the table, sheets of restaurants, publishing. Source: specification 12.6."""

import io
import re

import pytest
import xlsxwriter
from playwright.sync_api import expect

from campus_app.operators.rules.desk import DeskRole
from campus_app.shared.translations import LANGUAGES, t
from kit.translations import use_locale
from tests.e2e.accessibility import check_accessibility
from tests.e2e.desk import at_desk, enter
from tests.e2e.journey import connect_at_once, hold_messages_after, open_page, release
from tests.e2e.kitchen import TABLET
from tests.e2e.pushes import GOAL_MS
from tests.helpers import product_devices
from tests.helpers.product import eventually

MENUS = "/desk/menus"
SHEET = """ANNAPURNA CANTEEN,,,
S.No,Item,Rate (Rs.),Available
,DOSAS,,
1,Masala Dosa,85,Yes
2,Benne Dosa,80/140,Yes
3,Neer Dosa,70,No
,DRINKS,,
4,Filter Coffee,Rs. 30/-,Yes
5,Mineral Water,MRP,Yes
"""


@pytest.fixture
def menus(server):
    """The menus of the shop, which come from their files again afterwards."""
    yield server
    product_devices.sell_file(server, 3)
    eventually(lambda: not revision(server).startswith("v"), "the file is sold")


@pytest.fixture
def desk(visit, menus):
    """A computer of support, on the desk's menu of restaurant 3."""
    return open_menu(enter(visit(menus, **TABLET), menus, DeskRole.SUPPORT, "Ravi"))


def revision(server):
    return server.get("/api/restaurants/status").json()["menus"].get("3", "")


def open_menu(page, restaurant_id=3):
    page.goto(f"{MENUS}/{restaurant_id}")
    at_desk(page)
    expect(page.get_by_test_id("menu-dishes")).to_be_visible()
    return page


def dish(page, dish_id):
    return page.get_by_test_id(f"dish-{dish_id}")


def write_price(page, name, price):
    field = page.get_by_role("textbox", name=t("Price of {name}", name=name), exact=True)
    field.fill(price)
    field.blur()


def press(page, name):
    page.get_by_role("button", name=t(name), exact=True).click()


def publish(page, note=""):
    page.get_by_label(t("Note on this version")).fill(note)
    press(page, "Publish")


def price_on_menu(server, restaurant_id, dish_id):
    lines = server.get(f"/data/menu_{restaurant_id}.csv").text.splitlines()
    return next(line for line in lines if line.startswith(f"{dish_id},"))


def choose_file(page, name, content):
    page.get_by_label(t("Import a file")).set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )


def workbook(rows, sheets=None):
    """Return a workbook; each of its sheets begins with the rows."""
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        for name, others in (sheets or {"Menu": []}).items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate([*rows, *others]):
                sheet.write_row(number, 0, row)
    return stream.getvalue()


def test_list_leads_to_a_menu_and_shows_its_source(desk):
    desk.get_by_role("link", name=t("Menus")).first.click()
    row = desk.get_by_test_id("desk-menu-3")
    expect(row).to_contain_text(t("File"))
    row.get_by_role("link").click()
    expect(dish(desk, "310")).to_be_visible()


def test_price_is_previewed_published_shown_to_students_and_undone(desk, visit, menus):
    student = visit(menus)
    open_page(student, "/menu/3")
    write_price(desk, "Masala Dosa", "92.50")
    press(desk, "Preview")
    difference = desk.get_by_test_id("menu-difference")
    expect(difference).to_contain_text("₹80 → ₹92.50 (+₹12.50)")
    expect(desk.get_by_test_id("menu-preview")).to_contain_text("₹92.50")
    publish(desk, "Monsoon prices")
    expect(student.get_by_test_id("item-310")).to_contain_text("₹92.50", timeout=GOAL_MS)
    history = desk.get_by_test_id("menu-history")
    expect(history).to_contain_text("Monsoon prices")
    expect(history).to_contain_text("Ravi")
    expect(desk.get_by_label(t("Note on this version"))).to_have_value("")
    expect(desk.get_by_test_id("menu-source")).to_have_text(t("Desk"))
    press(desk, "Undo last publish")
    expect(student.get_by_test_id("item-310")).to_contain_text("₹80", timeout=GOAL_MS)
    expect(history).to_contain_text(t("Undo of version {number}", number=1))


def test_fault_is_at_its_cell_and_the_menu_is_not_published(desk, menus):
    write_price(desk, "Masala Dosa", "80/140")
    row = dish(desk, "310")
    expect(row.get_by_text("'80/140' is not an amount")).to_be_visible()
    publish(desk, "Half and full")
    expect(desk.get_by_role("alert")).to_contain_text(t("The menu has faults."))
    expect(desk.get_by_label(t("Note on this version"))).to_have_value("Half and full")
    assert ",80," in price_on_menu(menus, 3, "310")


def test_sheet_is_imported_with_its_doubts_asked(desk, menus):
    choose_file(desk, "annapurna.csv", SHEET.encode())
    expect(desk.get_by_test_id("menu-sheet")).to_contain_text("annapurna.csv")
    expect(desk.get_by_text("Neer Dosa", exact=True)).to_be_visible()  # not available
    kept = dish(desk, "310").get_by_role("textbox", name=t("Price of {name}", name="Masala Dosa"))
    expect(kept).to_have_value("85")
    asked = dish(desk, "benne-dosa")
    expect(asked).to_contain_text("80/140")
    asked.get_by_role("button", name="₹140").click()
    expect(
        asked.get_by_role("textbox", name=t("Price of {name}", name="Benne Dosa"))
    ).to_have_value("140")
    write_price(desk, "Mineral Water", "20")
    publish(desk, "From the restaurant")
    expect(desk.get_by_role("status").filter(has_text=re.compile(r"\d"))).not_to_have_count(0)
    expect(desk.get_by_test_id("menu-history")).to_contain_text("From the restaurant")
    assert ",140,DOSAS" in price_on_menu(menus, 3, "benne-dosa")
    assert "Filter Coffee" in price_on_menu(menus, 3, "344")


def test_columns_of_a_workbook_are_corrected(desk):
    rows = [("What", "How", "Where"), ("Naan", 30, "Breads"), ("Roti", 12.5, "Breads")]
    choose_file(desk, "menu.xlsx", workbook(rows))
    sheet = desk.get_by_test_id("menu-sheet")
    expect(sheet).to_be_visible()
    third = sheet.get_by_label(t("What column {number} is", number=3))
    third.select_option("category")
    category = dish(desk, "naan").get_by_label(t("Category of {name}", name="Naan"), exact=True)
    expect(category).to_have_value("Breads")
    price = dish(desk, "roti").get_by_role("textbox", name=t("Price of {name}", name="Roti"))
    expect(price).to_have_value("12.50")


def test_unit_is_asked_when_prices_look_like_paise(desk):
    choose_file(desk, "menu.csv", b"Item,Rate\nNaan,3000\nRoti,1200\nDal,9000\n")
    expect(desk.get_by_text(t("These prices are high. Are they rupees or paise?"))).to_be_visible()
    expect(dish(desk, "naan")).to_have_count(0)
    press(desk, "Paise")
    price = dish(desk, "naan").get_by_role("textbox", name=t("Price of {name}", name="Naan"))
    expect(price).to_have_value("30")


PASTE = """(field, rows) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", rows);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""


def test_pasted_rows_are_imported(desk):
    field = desk.get_by_label(t("Or paste rows of a sheet, or a message"))
    field.evaluate(PASTE, "Item\tRate\nNaan\t30\nRoti\t10\n")
    expect(dish(desk, "roti")).to_be_visible()


def test_typed_rows_are_imported_when_the_button_is_pressed(desk):
    desk.get_by_label(t("Or paste rows of a sheet, or a message")).fill(
        "Item,Rate\nNaan,30\nRoti,10\n"
    )
    press(desk, "Read these rows")
    expect(dish(desk, "roti")).to_be_visible()
    missing = desk.get_by_test_id("menu-missing")
    expect(missing).to_contain_text("Plain Dosa")
    press(desk, "Keep these dishes")
    expect(missing).to_have_count(0)
    expect(dish(desk, "310")).to_be_visible()


def test_sheet_of_a_workbook_is_chosen(desk):
    sheets = {"Meals": [("Thali", 120), ("Dal", 60)], "Drinks": [("Tea", 15)]}
    choose_file(desk, "menu.xlsx", workbook([("Item", "Rate")], sheets))
    chosen = desk.get_by_label(t("This file has several sheets. Only this one is read:"))
    expect(chosen).to_have_value("0")
    expect(dish(desk, "thali")).to_be_visible()
    chosen.select_option("Drinks")
    expect(dish(desk, "tea")).to_be_visible()
    expect(dish(desk, "thali")).to_have_count(0)


def test_large_file_shows_how_much_has_arrived(desk):
    lines = "".join(f"Dish {number},30,{'x' * 400}\n" for number in range(1000))
    held = hold_messages_after(desk, '"received_rx_state_":4')
    open_menu(desk)
    choose_file(desk, "menu.csv", f"Item,Rate,Description\n{lines}".encode())
    expect(desk.get_by_text("Reading the file: 4 %")).to_be_visible()
    release(desk, held)
    expect(dish(desk, "dish-0")).to_be_visible(timeout=60_000)
    expect(desk.get_by_text("Reading the file")).to_have_count(0)


def test_table_is_kept_when_the_page_is_loaded_again_and_discarded_on_request(desk):
    write_price(desk, "Masala Dosa", "92.50")
    expect(dish(desk, "310")).to_have_attribute("data-changed", "true")
    desk.reload()
    at_desk(desk)
    price = desk.get_by_role("textbox", name=t("Price of {name}", name="Masala Dosa"))
    expect(price).to_have_value("92.50")
    press(desk, "Discard changes")
    expect(price).to_have_value("80")


@pytest.mark.parametrize(
    ("name", "content"),
    [("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1"), ("large.csv", b"a" * 3_000_000)],
)
def test_file_that_is_no_sheet_is_refused_with_advice(desk, name, content):
    choose_file(desk, name, content)
    expect(desk.get_by_role("alert")).not_to_be_empty()
    expect(dish(desk, "310")).to_be_visible()


def test_table_outlives_a_restart_of_the_server(own_server, visit):
    page = open_menu(enter(visit(own_server, **TABLET), own_server, DeskRole.SUPPORT, "Ravi"))
    write_price(page, "Masala Dosa", "95")
    expect(dish(page, "310")).to_have_attribute("data-changed", "true")  # the server has it
    own_server.kill()
    expect(page.get_by_test_id("connection")).to_have_text(t("Connecting"))
    own_server.start()
    connect_at_once(page)
    at_desk(page)
    price = page.get_by_role("textbox", name=t("Price of {name}", name="Masala Dosa"), exact=True)
    expect(price).to_have_value("95")
    page.reload()
    expect(price).to_have_value("95")
    publish(page)
    eventually(lambda: ",95" in price_on_menu(own_server, 3, "310"), "the new price is sold")


def test_second_who_publishes_is_told_and_keeps_the_changes(desk, visit, menus):
    other = open_menu(enter(visit(menus, **TABLET), menus, DeskRole.OWNER, "Asha"))
    write_price(desk, "Masala Dosa", "90")
    write_price(other, "Plain Dosa", "65")
    publish(desk)
    expect(desk.get_by_test_id("menu-source")).to_have_text(t("Desk"))
    expect(desk.get_by_test_id("menu-history")).to_contain_text("Ravi")
    publish(other)
    expect(other.get_by_role("alert")).to_contain_text(t("Someone else has changed this menu"))
    press(other, "Load it, keep my changes")
    expect(
        other.get_by_role("textbox", name=t("Price of {name}", name="Plain Dosa"))
    ).to_have_value("65")
    press(other, "Preview")
    expect(other.get_by_test_id("menu-difference")).to_contain_text("₹90 → ₹80 (−₹10)")


def test_change_of_the_file_is_shown_while_the_desk_is_the_source(desk, menus):
    write_price(desk, "Masala Dosa", "90")
    publish(desk)
    expect(desk.get_by_test_id("menu-source")).to_have_text(t("Desk"))
    file = menus.menu_file(3)
    file.write_text(file.read_text().replace("sambar.,60,", "sambar.,66,"))
    open_menu(desk)
    changes = desk.get_by_test_id("file-changes")
    expect(changes).to_contain_text("₹60 → ₹66 (+₹6)")
    press(desk, "Sell the file")
    expect(desk.get_by_test_id("menu-source")).to_have_text(t("File"))
    expect(changes).to_have_count(0)


def test_dish_is_added_removed_and_marked(desk, menus):
    press(desk, "Add a dish")
    row = dish(desk, "+1")
    row.get_by_role("textbox", name=t("Name of {name}", name=t("a new dish"))).click()
    for typed in ("<b>Poha</b>", "Tab", "40", "Tab"):  # before the first response arrives
        desk.keyboard.press(typed) if typed == "Tab" else desk.keyboard.type(typed)
    expect(row.get_by_role("textbox", name=t("Price of {name}", name="<b>Poha</b>"))).to_have_value(
        "40"
    )
    row.get_by_role("combobox", name=t("Diet of {name}", name="<b>Poha</b>")).select_option("veg")
    row.get_by_role("checkbox").check()
    dish(desk, "311").get_by_text(t("More"), exact=True).click()
    dish(desk, "311").get_by_role("button", name=t("Remove")).click()
    expect(dish(desk, "311")).to_have_count(0)
    press(desk, "Preview")
    expect(desk.get_by_test_id("menu-difference")).to_contain_text("<b>Poha</b>")
    publish(desk)
    expect(desk.get_by_test_id("menu-source")).to_have_text(t("Desk"))
    menu = menus.get("/api/menus/3").json()
    trending = [each["id"] for each in menu["sections"][0]["dishes"]]
    assert trending[-1] == "b-poha-b"
    assert "\n311," not in menus.get("/data/menu_3.csv").text


def test_sales_and_strangers_see_no_menu(visit, menus):
    refused = t("This device can’t open this page")
    page = visit(menus, **TABLET)
    page.goto(product_devices.create_desk_link(menus, DeskRole.SALES, "Meena"))
    page.wait_for_url("**/desk/leads")  # the only page of sales
    at_desk(page)
    stranger = visit(menus, **TABLET)
    for each in (page, stranger):
        for path in (MENUS, f"{MENUS}/3"):
            each.goto(path)
            expect(each.get_by_role("heading", name=refused)).to_be_visible()
            expect(each.get_by_role("textbox")).to_have_count(0)


@pytest.mark.parametrize("code", LANGUAGES)
def test_menus_of_the_desk_are_accessible(visit, menus, code):
    with use_locale(code):
        page = enter(visit(menus, **TABLET), menus, name={"en": "Asha", "hi": "आशा"}[code])
        page.goto(MENUS)
        expect(page.get_by_test_id("desk-menu-3")).to_be_visible()
        check_accessibility(page, "desk-menus")
        open_menu(page)
        write_price(page, "Masala Dosa", "80/140")
        expect(dish(page, "310").locator(".menu-fault")).to_be_visible()
        sheet = (
            "Item,Rate,Category\nMasala Dosa,85,Dosas\nPlain Dosa,80/140,Dosas\nRava,MRP,Dosas\n"
        )
        choose_file(page, "annapurna.csv", sheet.encode())
        expect(dish(page, "309").get_by_role("button", name="₹140")).to_be_visible()
        press(page, "Preview")
        expect(page.get_by_test_id("menu-preview")).to_be_visible()
        check_accessibility(page, "desk-menu-sheet")
