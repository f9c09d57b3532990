"""The effects of operators' commands in browsers."""

from playwright.sync_api import expect

from tests.e2e.journey import open_page

HTML = "<img src=x onerror=\"document.title='forged'\"> No <b>gas</b> & no light"


def ops(server, *words):
    done = server.run_ops(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_close_and_open_commands_update_browsers_and_escape_message(server, visit):
    pages = [visit(server), visit(server)]
    for page in pages:
        open_page(page, "/about")
        expect(page.get_by_test_id("restaurant-3")).to_contain_text("OPEN")
    assert "The running server has published it to all pages." in ops(
        server, "close", "3", "--message", HTML
    )
    for page in pages:
        page.clock.run_for(5_000)
        card = page.get_by_test_id("restaurant-3")
        expect(card).to_contain_text("DELIVERY UNAVAILABLE")
        expect(card).to_contain_text(HTML)
        expect(card.locator("b")).to_have_count(0)
        expect(card.locator("img[src=x]")).to_have_count(0)
        assert "forged" not in page.title()
    ops(server, "open", "3")
    for page in pages:
        page.clock.run_for(5_000)
        expect(page.get_by_test_id("restaurant-3")).to_contain_text("OPEN")
        expect(page.get_by_test_id("restaurant-3").get_by_role("link")).to_have_count(1)
