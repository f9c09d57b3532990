"""Steps of a visitor on the assistant's page."""

import json
import re
import sqlite3
from contextlib import closing

from playwright.sync_api import expect

DESKTOP = {"viewport": {"width": 1280, "height": 800}, "is_mobile": False, "has_touch": False}
PERSON = {
    "Full Name": "Priya Raman",
    "Job Title": "Head of Admissions",
    "Business Email": "priya@company.example",
    "Company Name": "Southern College",
    "Location (City)": "Chennai",
}
CHOICES = {"Company Size": "51-200 employees", "Industry": "Education"}
CALLS = "**/api/demo-requests"
LOAD_SCRIPTS = "words => document.fonts.load('1em \"TARA Scripts\"', words).then(() => 1)"


def open_page(page, address="/"):
    """Open the page and wait until it is hydrated."""
    page.goto(address)
    expect(page.locator("html")).to_have_attribute("data-view", re.compile("page|block"))
    page.wait_for_function("() => 'isHydrated' in window")


def still_page(visit, server, address="/"):
    """Open the page on a desktop, without the hero's motion, which costs as much as all else."""
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    open_page(page, address)
    return page


def greeting(page, name):
    """Return the button that opens the player in a language, once its fonts have moved it."""
    greetings = page.locator("#greetings")
    greetings.scroll_into_view_if_needed()
    expect(greetings).to_have_attribute("data-near", "")  # the words get their fonts
    page.evaluate(LOAD_SCRIPTS, greetings.inner_text())
    return greetings.get_by_role("button", name=re.compile(f"{name}$"))


def dialog(page):
    return page.get_by_role("dialog", name="Request Enterprise Demo")


def open_dialog(page, button="Join Waitlist & Request a Demo"):
    page.get_by_role("button", name=button, exact=True).click()
    expect(dialog(page)).to_be_visible()
    return dialog(page)


def fill_in(page, **changes):
    """Fill in the first step of the form."""
    form = dialog(page)
    for label, value in (PERSON | changes).items():
        form.get_by_label(label).fill(value)
    for label, value in CHOICES.items():
        form.get_by_label(label).select_option(value)


def to_variants(page, **changes):
    fill_in(page, **changes)
    dialog(page).get_by_role("button", name="Next Step").click()
    expect(dialog(page).get_by_role("heading", name="Pick a variant")).to_be_focused()


def request_demo(page, variant="TARA PRO"):
    """Choose a variant and send the request."""
    dialog(page).get_by_role("radio", name=variant).check()
    dialog(page).get_by_role("button", name="Request Demo").click()


def requests_of(server, email):
    """Return the demo requests with this e-mail address."""
    with closing(sqlite3.connect(f"file:{server.database}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        statement = "select * from demo_requests where email = ? order by created_at_ms"
        return [dict(row) for row in connection.execute(statement, (email,))]


def unsent(page):
    return json.loads(page.evaluate("localStorage.getItem('demoUnsent') ?? '[]'"))
