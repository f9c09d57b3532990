"""Finding a dish: on a menu and in all kitchens."""

import json
import re

import pytest
from playwright.sync_api import expect

from campus_app.shared.translations import t
from kit.translations import COOKIE, use_locale
from tests.e2e.accessibility import check_accessibility
from tests.e2e.journey import add, card, freeze_clock, local_storage, open_page, proceed
from tests.e2e.network import go_back_slowly
from tests.helpers.product import ROOT, eventually

SPELLING = (ROOT / "assets" / "js" / "campus_app" / "catalogue" / "spelling.js").read_text(
    encoding="utf-8"
)
NORMALIZE = """async ([source, texts]) => {
  const { normalize } = await import('data:text/javascript;charset=utf-8,' + encodeURIComponent(source));
  return texts.map((text) => normalize(text));
}"""
DESKTOP = {"viewport": {"width": 1280, "height": 900}, "is_mobile": False, "has_touch": False}


def search(page, query):
    page.get_by_role("searchbox").fill(query)


def found(page):
    """The names of the dishes on the screen, in their order."""
    return page.locator(".dish-card h3, .found-dish h2")


def message(page):
    return page.locator(".filter-result [role=status]")


def dish_ids(page):
    return page.locator(".dish-card").evaluate_all("all => all.map((each) => each.dataset.testid)")


# Words


HINDI = {
    "मसाला डोसा": "Masala Dosa",
    "पनीर": "Paneer",
    "इडली": "Idli",
    "बिरयानी": "Biryani",
    "समोसा": "Samosa",
    "दाल": "Daal",
    "नमकीन": "Namkeen",
    "चाय": "Chai",
    "कॉफ़ी": "Coffee",
    "छोले": "Chhole",
    "राजमा चावल": "Rajma Chawal",
    "पिज़्ज़ा": "Pizza",
    "पिज्जा": "Pizza",
    "लस्सी": "Lassi",
    "रायता": "Raita",
    "आलू मटर": "Aloo Matar",
    "पकोड़ा": "Pakora",
    "अंडा": "Anda",
    "  CAFÉ,  au lait!": "cafe au lait",
    "२ पीस": "2 pees",
}
"""Words in Devanagari or with accents, and another spelling of the same words."""


@pytest.fixture(scope="module")
def normalize(browser):
    """Normalize each of several texts in a browser."""
    page = browser.new_page()
    yield lambda texts: page.evaluate(NORMALIZE, [SPELLING, list(texts)])
    page.close()


def test_hindi_and_latin_spellings_are_normalized_to_the_same_words(normalize):
    words = dict(zip(HINDI, normalize(HINDI), strict=True))
    assert words == dict(zip(HINDI, normalize(HINDI.values()), strict=True))
    assert all(words.values())


def test_text_without_known_letters_has_no_words(normalize):
    texts = ("", " ", "!?", "தோசை", "\u0000", "्", "़", "😀", "ə")
    words = dict(zip(texts, normalize(texts), strict=True))
    assert set(words.values()) <= {"", "a"}, words


# On a menu


FINDS = {
    "a name": ("masala dosa", "Masala Dosa"),
    "in another order": ("dosa masala", "Masala Dosa"),
    "beginnings of words": ("dos mas", "Masala Dosa"),
    "capitals": ("MASALA", "Masala Dosa"),
    "two letters swapped": ("mysroe masala", "Mysore Masala Dosa"),
    "a letter missing": ("pesaratu", "Pesarattu with Upma"),
    "a letter too many": ("thattte idli", "Thatte Idli"),
    "a wrong letter, in a description": ("gunpowdar", "Podi Uttapam"),
    "in Hindi": ("मसाला डोसा", "Masala Dosa"),
    "in Hindi, of a name in two words": ("घी पोडी", "Ghee Podi Idli"),
}


def test_search_finds_dishes_as_one_types(page):
    open_page(page, "/menu/3")
    search(page, "mysroe")  # until its words are there, a search is literal
    expect(found(page).first).to_contain_text("Mysore")
    for case, (query, first) in FINDS.items():
        search(page, "")
        expect(message(page)).to_have_text("")
        search(page, query)
        expect(message(page)).to_contain_text("found.")
        expect(found(page).first).to_have_text(first)
        count = found(page).count()
        words = t("1 dish found.") if count == 1 else t("{count} dishes found.", count=count)
        expect(message(page)).to_have_text(words)
        assert len(set(dish_ids(page))) == count, case


def test_search_finds_nothing_for_other_words(page):
    open_page(page, "/menu/3")
    for query in ("kumquat", "!!", "<script>", "தோசை"):
        search(page, query)
        expect(message(page)).to_contain_text(t("No dish found."))
        expect(found(page)).to_have_count(0)
    page.get_by_role("button", name=t("Show all")).click()
    expect(page.get_by_role("searchbox")).to_have_value("")
    expect(page.get_by_role("tab").first).to_have_text(t("Trending"))


def test_found_dish_is_ordered_and_stays_in_the_cart(page):
    open_page(page, "/menu/1")
    search(page, "rajma")
    add(page, "Rajma Chawal", "Rajma Chawal")
    search(page, "paneer butter")
    add(page, "Paneer Butter Masala")
    search(page, "")
    expect(page.get_by_test_id("item-104").get_by_test_id("quantity")).to_have_text("2")
    expect(page.get_by_test_id("subtotal")).to_have_text("₹380")
    proceed(page)


def test_veg_only_hides_other_dishes_and_is_remembered_for_the_day(page):
    open_page(page, "/menu/8")
    marks = page.locator(".dish-card .diet-mark")
    shown = marks.count()
    vegetarian = page.locator(".dish-card .diet-mark:not(.non-veg)").count()
    assert 0 < vegetarian < shown
    page.get_by_role("checkbox", name="Veg only").check()
    expect(marks).to_have_count(vegetarian)
    expect(page.locator(".dish-card .diet-mark.non-veg")).to_have_count(0)
    expect(message(page)).to_have_text(
        re.compile(r"^\d+ dishes found\. \d+ dishes without the green mark are hidden\.$")
    )
    for number, header in enumerate(page.locator(".menu-section > header p").all()):
        assert number < 20
        count = header.locator("xpath=../..").locator(".dish-card").count()
        expect(header).to_contain_text(f"/{count} DISH")
    page.reload()
    expect(page.get_by_role("checkbox", name="Veg only")).to_be_checked()
    expect(marks).to_have_count(vegetarian)
    page.evaluate("localStorage.setItem('vegOnly', '2026-01-01')")
    page.reload()
    expect(page.get_by_role("checkbox", name="Veg only")).not_to_be_checked()
    expect(marks).to_have_count(shown)


def test_veg_only_and_search_say_how_many_they_hide(page):
    open_page(page, "/menu/8")
    search(page, "बिरयानी")  # until its words are there, a search is literal, and finds nothing
    expect(message(page)).to_contain_text("dishes found.")
    every = found(page).count()
    page.get_by_role("checkbox", name="Veg only").check()
    expect(found(page).first).to_have_text("Kathal Biryani")
    eventually(lambda: found(page).count() < every, "fewer dishes")
    hidden = every - found(page).count()
    expect(message(page)).to_contain_text(f"{hidden} dishes without the green mark are hidden.")


def prices(page):
    return [
        float(price.removeprefix("₹").replace(",", ""))
        for price in page.locator(".dish-card .price").all_text_contents()
    ]


def test_dishes_are_sorted_by_price(page):
    open_page(page, "/menu/1")
    order = page.get_by_role("combobox", name=t("Order of the dishes"))
    order.select_option("cheapest")
    expect(page.get_by_role("heading", level=2, name="All dishes")).to_be_visible()
    expect(message(page)).to_have_text("60 dishes found.")
    assert prices(page) == sorted(prices(page))
    order.select_option("dearest")
    eventually(lambda: prices(page) == sorted(prices(page), reverse=True), "the dearest first")
    order.select_option("menu")
    expect(page.get_by_role("tab").first).to_have_text("Trending")


def test_query_is_kept_by_a_reload_and_the_back_button(page):
    open_page(page, "/menu/1")
    search(page, "rajma")
    page.wait_for_url("**/menu/1?find=rajma")
    page.reload()
    expect(page.get_by_role("searchbox")).to_have_value("rajma")
    expect(found(page).first).to_contain_text("Rajma")
    page.get_by_role("link", name="04/TERMS").click()
    page.wait_for_url("**/terms")
    page.go_back()
    expect(page.get_by_role("searchbox")).to_have_value("rajma")
    expect(found(page).first).to_contain_text("Rajma")


def test_hostile_query_in_the_address_is_text(page):
    for query in ("%00", "%ff", "xyzzy%20" * 600, "%3Cimg%20src=x%20onerror=alert(1)%3E"):
        open_page(page, f"/menu/1?find={query}")
        expect(message(page)).to_contain_text(t("No dish found."))


def test_search_works_by_keyboard(visit, server):
    page = visit(server, **DESKTOP)
    open_page(page, "/menu/1")
    box = page.get_by_role("searchbox", name="Search dishes")
    box.focus()
    page.keyboard.type("dal")
    expect(found(page).first).to_contain_text("Dal")
    page.keyboard.press("Tab")
    expect(page.get_by_role("checkbox", name="Veg only")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_role("checkbox", name="Veg only")).to_be_checked()
    page.keyboard.press("Tab")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Show all")).to_be_focused()
    page.keyboard.press("Enter")
    expect(box).to_have_value("")
    expect(box).to_be_focused()


def test_text_that_was_typed_before_hydration_is_searched(page):
    page.route("**/assets/*.js", lambda route: None)
    page.goto("/menu/1", wait_until="commit")
    page.get_by_role("searchbox").focus()
    page.keyboard.type("rajma")
    page.unroute("**/assets/*.js")  # which also sends what was held
    expect(found(page).first).to_contain_text("Rajma")
    page.keyboard.type(" c")
    expect(page.get_by_role("searchbox")).to_have_value("rajma c")


HINDI_TEXTS = {
    "104": "राजमा चावल,चावल,धीमी आँच पर पका राजमा।",
    "101": ",थाली,",
    "136": ",नाश्ता,",
    "151": ",नाश्ता,",
}
"""The Hindi name, category and description of some dishes."""


@pytest.fixture
def hindi_menu(server):
    """Give some dishes of restaurant 1 their Hindi texts, and a new price to one of them."""
    file = server.menu_file(1)
    header, *rows = file.read_text(encoding="utf-8").splitlines()
    columns = "name_hi,category_hi,description_hi"
    lines = [f"{row},{HINDI_TEXTS.get(row[:3], ',,')}" for row in rows]
    file.write_text("\n".join([f"{header},{columns}", *lines, ""]), encoding="utf-8")
    server.change_price(1, "Rajma Chawal", "111")  # waits until the changed menu counts


@pytest.mark.usefixtures("hindi_menu")
def test_hindi_categories_and_descriptions_are_shown_and_searched(visit, server):
    # Source: specification 10.65.
    page = visit(server, reduced_motion="reduce", locale="hi-IN", **DESKTOP)
    with use_locale("hi"):
        open_page(page, "/menu/1")
        tabs = page.get_by_role("tab")
        expect(tabs.first).to_have_text(t("Trending"))
        for name, dish in (("थाली", "item-101"), ("चावल", "item-104"), ("Curries", "item-109")):
            page.get_by_role("tab", name=name, exact=True).click()
            expect(page.get_by_role("tab", name=name, selected=True)).to_be_visible()
            section = page.get_by_role("region", name=name, exact=True)
            expect(section.get_by_test_id(re.compile(f"{dish}$"))).to_be_in_viewport()
        both = page.get_by_role("tab", name="नाश्ता")
        for tab, dish in zip((both.first, both.last), ("item-136", "item-151"), strict=True):
            tab.click()
            expect(page.get_by_role("tab", selected=True)).to_have_count(1)
            expect(tab).to_have_attribute("aria-selected", "true")
            expect(page.get_by_test_id(dish)).to_be_in_viewport()
        rajma = page.get_by_test_id("item-104")
        expect(rajma).to_contain_text("धीमी आँच पर पका राजमा।")
        expect(rajma).not_to_contain_text("Slow-cooked")
        expect(page.get_by_test_id("item-101")).to_contain_text("Dal, two sabzis")
        for query in ("आँच", "dheemi", "slow-cooked", "basmati", "चावल"):
            search(page, query)
            expect(page.get_by_test_id("item-104")).to_be_visible()
        check_accessibility(page, "menu in Hindi with Hindi categories")
        open_page(page, "/about")
        for query in ("धीमी आँच", "slow-cooked"):
            search(page, query)
            expect(page.locator(".found-dish").first).to_contain_text("राजमा चावल")


@pytest.mark.usefixtures("hindi_menu")
def test_hindi_name_is_shown_and_searched_on_a_menu_in_hindi(visit, server):
    english = visit(server)
    open_page(english, "/menu/1")
    expect(english.get_by_test_id("item-104")).not_to_contain_text("राजमा")

    page = visit(server, reduced_motion="reduce", is_mobile=False, has_touch=False)
    page.context.add_cookies([{"name": COOKIE, "value": "hi", "url": server.url}])
    with use_locale("hi"):
        open_page(page, "/menu/1")
        rajma = page.get_by_test_id("item-104")
        expect(rajma.locator(".local-name")).to_have_text("राजमा चावल")
        expect(rajma.get_by_role("heading")).to_contain_text("Rajma Chawal")
        expect(page.get_by_test_id("item-101").locator(".local-name")).to_be_hidden()
        search(page, "राजमा")
        expect(found(page).first).to_contain_text("Rajma Chawal")
        check_accessibility(page, "menu in Hindi, searched")
        open_page(page, "/about")
        search(page, "राजमा चावल")
        expect(page.locator(".found-dish").first).to_contain_text("राजमा चावल")


# In all kitchens


def test_all_kitchens_are_searched_at_once(page, server):
    server.set_override(3, is_open=False)
    open_page(page, "/about")
    expect(card(page, 3)).to_contain_text("UNAVAILABLE")
    search(page, "dosa")
    rows = page.locator(".found-dish")
    expect(rows.first).to_be_visible()
    places = rows.locator(".dish-note").all_inner_texts()
    closed = [number for number, place in enumerate(places) if "OPEN" not in place]
    assert closed == list(range(len(places) - len(closed), len(places)))
    masala = rows.filter(has_text="Masala Dosa").filter(has_text="Dosa Depot").first
    expect(masala).to_contain_text("₹")
    expect(page.get_by_role("list", name="Restaurants")).to_have_count(0)
    with page.expect_response("**/api/log-restaurant-selection") as logged:
        masala.get_by_role("link").click()
    assert logged.value.status == 202
    expect(page.get_by_text("This kitchen takes no orders now.").first).to_be_visible()
    page.go_back()
    expect(page.get_by_role("searchbox")).to_have_value("dosa")  # not that of the menu
    search(page, "")
    expect(page.get_by_role("list", name="Restaurants")).to_be_visible()


def test_first_30_dishes_are_shown_and_the_others_counted(page):
    open_page(page, "/about")
    search(page, "m")
    expect(page.get_by_role("list", name="Restaurants")).to_be_visible()
    search(page, "ma")
    expect(found(page)).to_have_count(30)
    count = int(message(page).inner_text().split()[0])
    assert count > 30
    expect(page.get_by_text(f"{count - 30} more: type more of the name.")).to_be_visible()


def test_letter_may_be_wrong_only_if_nothing_matches_without(page):
    open_page(page, "/about")
    search(page, "chai")
    expect(found(page).first).to_contain_text("Chai")
    expect(found(page).filter(has_text="Chicken")).to_have_count(0)
    search(page, "panner")
    expect(found(page).first).to_contain_text("Paneer")


def test_categories_and_kitchens_are_searched(page):
    open_page(page, "/menu/5")
    search(page, "garlic bread")
    expect(message(page)).to_contain_text("found.")
    assert found(page).count() > 1
    open_page(page, "/about")
    search(page, "slice theory")
    expect(message(page)).to_contain_text("found.")
    assert found(page).count() > 10


def test_dish_with_a_long_name_is_found_on_its_menu(page):
    open_page(page, "/about")
    search(page, "kangri")
    page.locator(".found-dish").get_by_role("link").first.click()
    page.wait_for_url("**/menu/6?find=*")
    expect(found(page).first).to_contain_text("Kangri")


def test_address_of_the_next_screen_has_no_query(page):
    open_page(page, "/terms")
    page.get_by_role("link", name="02/FOOD_points").click()
    page.wait_for_url("**/about")
    open_page(page, "/about")
    freeze_clock(page)
    search(page, "dal")
    go_back_slowly(page, "/terms", "**/assets/_terms_*.js")
    expect(page.get_by_role("searchbox")).to_have_count(0)
    assert page.url.endswith("/terms")


def test_found_dish_leads_to_its_menu(page):
    open_page(page, "/about")
    search(page, "rajma chawal")
    page.locator(".found-dish").filter(has_text="Pehla").first.get_by_role("link").click()
    page.wait_for_url("**/menu/1?find=*")
    expect(page.get_by_role("searchbox")).to_have_value("Rajma Chawal")
    add(page, "Rajma Chawal")
    page.go_back()
    expect(page.get_by_role("searchbox")).to_have_value("rajma chawal")
    expect(found(page).first).to_contain_text("Rajma Chawal")


def test_menus_are_loaded_when_the_visitor_turns_to_the_search(page):
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    open_page(page, "/about")
    page.wait_for_load_state("networkidle")
    assert [url for url in requested if "/api/menus/" in url] == []
    page.get_by_role("searchbox", name="Search all kitchens").focus()
    eventually(
        lambda: page.evaluate("1") and sum("/api/menus/" in url for url in requested) == 8,
        "eight menus",
    )
    search(page, "idli")
    expect(found(page).first).to_contain_text("Idli")
    assert sum("/api/menus/" in url for url in requested) == 8


def test_menus_that_cannot_be_loaded_are_said_and_tried_again(page):
    open_page(page, "/about")
    page.route("**/api/menus/*", lambda route: route.abort())
    search(page, "idli")
    expect(message(page)).to_have_text("The menus can’t be reached just now.")
    page.unroute("**/api/menus/*")
    page.route("**/api/menus/1", lambda route: route.abort())
    search(page, "idl")
    expect(found(page).first).to_contain_text("Idli")
    expect(message(page)).to_contain_text("Some menus can’t be reached just now.")
    page.unroute("**/api/menus/1")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(message(page)).not_to_contain_text("can’t be reached")


def test_veg_only_holds_for_all_kitchens(page):
    open_page(page, "/menu/8")
    page.get_by_role("checkbox", name="Veg only").check()
    assert json.loads(f'"{local_storage(page, "vegOnly")}"')
    open_page(page, "/about")
    search(page, "biryani")
    expect(page.get_by_role("checkbox", name="Veg only")).to_be_checked()
    expect(found(page).filter(has_text="Chicken")).to_have_count(0)
    expect(message(page)).to_contain_text("without the green mark")


@pytest.mark.parametrize("address", ["/menu/8", "/about"])
def test_search_is_accessible(visit, server, address):
    page = visit(server, reduced_motion="reduce", is_mobile=False, has_touch=False)
    open_page(page, address)
    search(page, "biryani")
    expect(found(page).first).to_contain_text("Biryani")
    page.get_by_role("checkbox", name="Veg only").check()
    expect(message(page)).to_contain_text("hidden")
    check_accessibility(page, f"{address}, search")


def test_allergens_and_spice_are_shown_explained_and_searched(page):
    # Source: specification 10.16.
    open_page(page, "/menu/6")
    card = page.get_by_test_id("item-608")
    expect(card).to_contain_text("Hot. Contains gluten")
    expect(card.locator(".chillies")).to_have_attribute("data-spice", "2")
    explained = page.locator(".marks-explained")
    expect(explained).to_have_count(1)
    expect(explained).to_contain_text("the allergens that the kitchen declares")
    search(page, "nuts")
    shown = page.locator(".dish-card .dish-facts")
    expect(shown.first).to_contain_text("nuts")
    assert all("nuts" in each for each in shown.all_inner_texts())


def test_other_words_of_visitors_find_the_menus_word(page):
    open_page(page, "/about")
    for query, word in {
        "बर्गर": "Burger",
        "अंडा करी": "Egg Curry",
        "eggs": "Egg",
        "french fries": "Fries",
        "milkshake": "Shake",
        "नूडल्स": "Noodles",
    }.items():
        search(page, query)
        # Dishes of open kitchens come first, also those that match by their description alone.
        expect(found(page).filter(has_text=word).first).to_be_visible()
