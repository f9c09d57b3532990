"""The prerendered page of a menu, filled from the build's template."""

import json
import os

import pytest

from campus_app.catalogue.api.catalogue import shown_menu
from campus_app.ordering.screens.menu_template import LOOPS
from campus_app.ordering.screens.prerendered_menu import PrerenderedMenus
from campus_app.shared import current
from campus_app.shared.rules import routes
from kit.reflex.page_templates import template_from
from kit.translations import language, use_locale

pytestmark = pytest.mark.anyio

# What the build renders from example data: next to each other, one element for each case of LOOPS
# (menu_template.py). A dish is veg, meat or neither; a section has several dishes or one; the first
# tab has the tab stop. The words "many" and "one" show which example was used. The id of the second
# section has spaces as in menu.jsx, where each section has a key of its own.
DISH = '<li class="dish-card" data-testid="{look}"><h3>⟦dish.name⟧</h3></li>'
DISHES = "".join(DISH.format(look=look) for look in ("veg", "meat", "neither"))
SECTIONS = (
    f'<section class="menu-section" id="⟦section.id⟧">many ⟦section.name⟧{DISHES}</section>',
    f'<section class="menu-section" id="⟦ section.id ⟧">one ⟦section.name⟧{DISHES}</section>',
)
TABS = (
    '<button class="tab" tabindex="0">⟦section.name⟧</button>',
    '<button class="tab" tabindex="-1">⟦section.name⟧</button>',
)
EXAMPLE = (
    "<html><head></head><body><h1>⟦restaurant.name⟧</h1>",
    *TABS,
    "<div>",
    *SECTIONS,
    "</div></body></html>",
)


def dish(name, diet=""):
    return {"name": name, "diet": diet}


def section(number, name, *dishes):
    about = {"id": f"section-{number}", "name": name, "count": len(dishes)}
    return about | {"dishes": list(dishes)}


MENU = {
    "restaurant": {"id": "1", "name": "Dum & </script>", "hasTables": False},
    "sections": [
        section(1, "Trending", dish("Tea", "veg"), dish("Fish <curry>", "non_veg"), dish("Bun")),
        section(2, "Rice", dish("Pulao")),
        section(3, "Breads", dish("Naan")),
    ],
}
AFTER_THE_MENU = "</script></body></html>"
MARKED = "<meta name=first>"
ORIGIN = "https://food-points.example"


@pytest.fixture
def prerendered(tmp_path, services, monkeypatch):
    """Return the prerenderer with templates and the menu above for restaurant 1."""
    monkeypatch.setattr(current, "services", lambda: services)
    for code in ("en", "hi"):
        for address in routes.MENU_TEMPLATES:
            file = tmp_path / code / f"{address.strip('/')}.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            example = "".join(EXAMPLE).replace("<h1>", f"<h1>{code} {file.stem} ")
            file.write_text(template_from(example, LOOPS))
    return PrerenderedMenus(tmp_path, lambda _restaurant_id: MENU, lambda: MARKED, ORIGIN)


def test_each_section_and_dish_uses_its_template(prerendered):
    page = prerendered.page("/menu/1")
    assert "<h1>en example Dum &amp; &lt;/script&gt;</h1>" in page
    assert (
        '<button class="tab" tabindex="0">Trending</button>'
        '<button class="tab" tabindex="-1">Rice</button>'
        '<button class="tab" tabindex="-1">Breads</button>'
    ) in page
    assert (
        '<section class="menu-section" id="section-1">many Trending'
        '<li class="dish-card" data-testid="veg"><h3>Tea</h3></li>'
        '<li class="dish-card" data-testid="meat"><h3>Fish &lt;curry&gt;</h3></li>'
        '<li class="dish-card" data-testid="neither"><h3>Bun</h3></li></section>'
        '<section class="menu-section" id="section-2">one Rice'
        '<li class="dish-card" data-testid="neither"><h3>Pulao</h3></li></section>'
        '<section class="menu-section" id="section-3">one Breads'
        '<li class="dish-card" data-testid="neither"><h3>Naan</h3></li></section>'
    ) in page
    assert "⟦" not in page


def test_menu_is_embedded_in_a_script_without_closing_tag(prerendered):
    page = prerendered.page("/menu/1")
    assert f"{MARKED}</head>" in page
    (script,) = [part for part in page.split("<script>") if part.startswith("window.openMenu=")]
    assert script.endswith(AFTER_THE_MENU)
    menu = script.removeprefix("window.openMenu=").removesuffix(AFTER_THE_MENU)
    assert "<" not in menu
    assert json.loads(menu) == MENU


def test_names_of_our_sections_are_translated_in_the_html_and_not_in_the_data(prerendered):
    with use_locale("hi"):
        page = prerendered.page("/menu/1")
    assert "<h1>hi example" in page
    assert ">Trending<" not in page
    assert "Rice" in page
    assert '"Trending"' in page, "the screen translates the English name of the embedded menu"


def test_restaurant_with_tables_uses_the_tables_template(prerendered, monkeypatch):
    monkeypatch.setitem(MENU["restaurant"], "hasTables", True)
    assert "<h1>en example-with-tables" in prerendered.page("/menu/1")


def test_other_paths_are_not_prerendered(prerendered):
    for path in ("/menu/99", "/menu/1/x", "/menu/", "/menu", "/about", "", "/menus/1"):
        assert prerendered.page(path) is None


async def test_buttons_of_closed_menu_are_hidden_until_hydration(prerendered, services):
    hidden = f"{MARKED}<style>:root{{--first-stepper:hidden}}</style></head>"
    assert hidden not in prerendered.page("/menu/1")
    await services.statuses.set_override(1, is_open=False, message="")
    assert hidden in prerendered.page("/menu/1")


def test_page_is_rendered_once_for_each_version_of_menu_and_language(
    prerendered, new_services, monkeypatch, data_dir
):
    services = new_services(data_dir=data_dir)
    monkeypatch.setattr(current, "services", lambda: services)
    rendered = []
    prerendered._menu_data = lambda _restaurant_id: rendered.append(language()) or MENU
    for code in ("en", "hi", "en", "hi"):
        with use_locale(code):
            assert prerendered.page("/menu/1")
    assert rendered == ["en", "hi"]
    with (data_dir / "menu_1.csv").open("a") as file:
        file.write("999,New dish,,10,Rice\n")
    assert prerendered.page("/menu/1")
    assert rendered == ["en", "hi", "en"]


def test_template_that_a_build_has_replaced_is_rendered_again(prerendered, tmp_path):
    assert "en example" in prerendered.page("/menu/1")
    file = tmp_path / "en" / "menu" / "example.html"
    file.write_text(file.read_text().replace("en example", "built again"))
    later = file.stat().st_mtime + 60
    os.utime(file, (later, later))
    assert "built again" in prerendered.page("/menu/1")


@pytest.mark.parametrize(("code", "name"), [("hi", "गरम"), ("en", "Hot")])
def test_sections_have_their_names_in_the_language_of_the_menu(
    prerendered, new_services, monkeypatch, data_dir, code, name
):
    # Source: specification 10.65.
    services = new_services(data_dir=data_dir)
    monkeypatch.setattr(current, "services", lambda: services)
    monkeypatch.setattr(prerendered, "_menu_data", shown_menu)
    header = "id,name,description,price,category,category_hi,description_hi"
    (data_dir / "menu_1.csv").write_text(f"{header}\n901,Tea,With milk.,20,Hot,गरम,दूध के साथ।\n")
    with use_locale(code):
        page = prerendered.page("/menu/1")
    assert f'tabindex="0">{name}</button>' in page
    embedded = page.partition("window.openMenu=")[2]
    assert f'"id":"section-1","number":"01","name":"{name}"' in embedded
    assert ("दूध" in embedded) == (code == "hi")


@pytest.mark.parametrize("problem", ["no template", "a value is missing"])
def test_built_page_is_served_when_template_can_not_be_rendered(
    prerendered, tmp_path, caplog, problem
):
    file = tmp_path / "en" / "menu" / "example.html"
    if problem == "no template":
        file.unlink()
    else:
        file.write_text(file.read_text().replace("⟦dish.name⟧", "⟦dish.no_such_value⟧"))
    assert [prerendered.page("/menu/1"), prerendered.page("/menu/1")] == [None, None]
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    with use_locale("hi"):
        assert prerendered.page("/menu/1") is not None
