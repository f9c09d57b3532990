"""The figures in a browser. Source: specification 13.1 to 13.6."""

import pytest
from playwright.sync_api import expect

from campus_app.operators.rules.desk import DeskRole
from campus_app.shared.translations import LANGUAGES, t
from kit.translations import use_locale
from tests.e2e.accessibility import check_accessibility
from tests.e2e.desk import at_desk, enter
from tests.e2e.kitchen import TABLET, order
from tests.helpers.product import eventually

FIGURES = "/desk/figures"
PROGRAM = "campus_app.operators.figures_program"


def test_figures_are_drawn_and_read_in_tables(visit, server):
    order(server, "desk-figures@example.com")  # other tests share the server, and order too
    page = enter(visit(server, **TABLET), server, DeskRole.OWNER)
    eventually(lambda: server.runs(PROGRAM), "a program waits")
    page.get_by_role("link", name=t("Figures")).click()
    page.wait_for_url(f"**{FIGURES}")
    expect(page.get_by_test_id("figure-orders")).not_to_have_text("0")
    expect(page.get_by_test_id("figure-revenue")).to_contain_text("₹")
    kitchens = page.get_by_role("region", name=t("By kitchen"))
    expect(kitchens.get_by_role("rowheader", name="Pehla Food Point")).to_be_visible()
    expect(page.locator(".desk-chart .recharts-bar-rectangle").first).to_be_visible()
    for key, title in (("j", "By day"), ("j", "By kitchen"), ("k", "By day")):
        page.keyboard.press(key)
        expect(page.get_by_role("region", name=t(title))).to_be_focused()
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name=t("Keys"))
    expect(keys.get_by_text(t("next line"))).to_be_visible()
    expect(keys.get_by_text(t("find an order"))).to_have_count(0)
    page.keyboard.press("Escape")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert download.value.suggested_filename.startswith("figures-")
    page.get_by_role("button", name=t("Today")).click()
    page.wait_for_url("**first=2026-11-18&last=2026-11-18")
    days = page.get_by_role("region", name=t("By day"))
    expect(days.get_by_role("row")).to_have_count(2)
    page.get_by_label(t("First day")).fill("2026-11-01")
    page.get_by_label(t("Last day")).fill("2026-11-02")
    page.keyboard.press("Enter")
    page.wait_for_url("**first=2026-11-01&last=2026-11-02")
    expect(page.get_by_test_id("figure-orders")).to_have_text("0")


@pytest.mark.parametrize("code", LANGUAGES)
def test_figures_are_accessible(visit, server, code):
    with use_locale(code):
        page = visit(server, **TABLET)
        enter(page, server, name={"en": "Asha", "hi": "आशा"}[code])
        page.goto(FIGURES)
        expect(at_desk(page).get_by_test_id("figure-orders")).to_be_visible()
        check_accessibility(page, "desk figures")
