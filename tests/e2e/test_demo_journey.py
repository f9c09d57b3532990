"""What travels with a demo request: shown in step 2, left out on request, sent without a cookie."""

import json

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import check_accessibility
from tests.e2e.assistant_page import (
    DESKTOP,
    dialog,
    open_dialog,
    open_page,
    request_demo,
    requests_of,
    to_variants,
)
from tests.helpers.product import eventually

ADDRESS = "/?utm_source=autumn&utm_campaign=clinics&utm_id=9&conversations=25000&agents=2&share=60"
FIGURES = "Your figures: 25,000 conversations a month, 2 agents today, 60% for TARA"
CALL = "The call that you heard last: An appointment at a clinic (English)"
ARRIVAL = "Where you came from: autumn, clinics"
MORE = "The button that opened this form and the language of this page are sent too."


@pytest.fixture
def page(visit, server):
    return visit(server, **DESKTOP, reduced_motion="reduce")


@pytest.fixture
def email(customer):
    return customer.replace("students", "company")


def journey_of(server, email):
    """Return what travelled with the only request of an address."""
    (row,) = eventually(lambda: requests_of(server, email), "the request is stored")
    return json.loads(row["journey"])


def hear_a_call(page):
    page.get_by_role("button", name="Hear TARA").first.click()
    page.wait_for_function("() => sessionStorage.getItem('demoCall')")


def box(page, name):
    return dialog(page).get_by_role("checkbox", name=name, exact=True)


def test_figures_call_and_arrival_travel_with_the_request(page, server, email):
    open_page(page, ADDRESS)
    hear_a_call(page)
    open_dialog(page)
    to_variants(page, **{"Business Email": email})
    for name in (FIGURES, CALL, ARRIVAL):
        expect(box(page, name)).to_be_checked()
    expect(dialog(page).get_by_text(MORE)).to_be_visible()
    check_accessibility(page, "demo request, what travels", within="dialog.demo")
    request_demo(page)
    expect(dialog(page).get_by_role("heading", name="Thank you.")).to_be_visible()
    assert journey_of(server, email) == {
        "language": "en",
        "consent": "1",
        "figures": {
            "conversations": 25_000,
            "agents": 2,
            "cost": 25_547,
            "attrition": 45,
            "replacement": 0,
            "share": 60,
        },
        "call": "en-clinic",
        "tried": False,
        "referrer": "",
        "campaign": {"utm_source": "autumn", "utm_campaign": "clinics"},
    }
    assert page.context.cookies() == []


def test_part_is_not_sent_when_its_box_is_unchecked_by_keyboard(page, server, email):
    open_page(page, ADDRESS)
    hear_a_call(page)
    open_dialog(page)
    to_variants(page, **{"Business Email": email})
    for name in (FIGURES, CALL, ARRIVAL):
        box(page, name).focus()
        page.keyboard.press("Space")
        expect(box(page, name)).not_to_be_checked()
    dialog(page).get_by_role("button", name="Previous").click()
    dialog(page).get_by_role("button", name="Next Step").click()
    expect(box(page, FIGURES)).not_to_be_checked()
    request_demo(page)
    expect(dialog(page).get_by_role("heading", name="Thank you.")).to_be_visible()
    journey = journey_of(server, email)
    assert (journey["figures"], journey["call"], journey["campaign"]) == ({}, "", {})
    assert journey["consent"] == "1"


def test_figures_are_changed_in_the_calculator_and_shown_again(page):
    open_page(page, ADDRESS)
    open_dialog(page)
    to_variants(page)
    dialog(page).get_by_role("button", name="Change the figures").click()
    expect(dialog(page)).to_be_hidden()
    expect(page.get_by_role("heading", name="What your calls cost")).to_be_focused()
    page.get_by_role("spinbutton", name="Agents today").fill("40")
    page.wait_for_function("() => location.search.includes('agents=40')")
    open_dialog(page)
    dialog(page).get_by_role("button", name="Next Step").click()
    expect(box(page, FIGURES.replace("2 agents", "40 agents"))).to_be_checked()


def test_step_two_has_no_box_when_nothing_was_used(page):
    open_page(page)
    open_dialog(page)
    to_variants(page)
    expect(dialog(page).get_by_role("checkbox")).to_have_count(0)
    expect(dialog(page).get_by_text(MORE)).to_be_visible()


def test_arrival_is_kept_when_the_language_changes(page):
    open_page(page, "/?utm_source=autumn")
    page.get_by_role("link", name="हिन्दी").first.click()
    expect(page.locator("html")).to_have_attribute("lang", "hi-IN")
    arrival = json.loads(page.evaluate("sessionStorage.getItem('demoArrival')"))
    assert arrival == {"referrer": "", "campaign": {"utm_source": "autumn"}}


def test_host_of_the_page_that_led_here_is_kept_alone(page, server):
    page.route(
        "http://news.example/**",
        lambda route: route.fulfill(
            body=f"<a href='{server.url}/'>TARA</a>", content_type="text/html"
        ),
    )
    page.goto("http://news.example/a/private?path")
    page.get_by_role("link").click()
    page.wait_for_function("() => sessionStorage.getItem('demoArrival')")
    arrival = json.loads(page.evaluate("sessionStorage.getItem('demoArrival')"))
    assert arrival == {"referrer": "news.example", "campaign": {}}


def test_request_is_added_to_and_withdrawn_by_keyboard(page, server, email):
    # Source: specification V10.16, V10.17.
    open_page(page)
    open_dialog(page)
    to_variants(page, **{"Business Email": email})
    request_demo(page)
    (row,) = eventually(lambda: requests_of(server, email), "the request is stored")
    mail = eventually(lambda: server.mails_about(row["id"][:8]), "the confirmation")[0]
    text = mail.get_body(("plain",)).get_content()
    (link,) = [line for line in text.splitlines() if "/tara/request/" in line]
    page.goto(link)
    check_accessibility(page, "request link")
    page.get_by_label("What shall we know before we contact you?").fill("Please call after six.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("We have added your sentence.")
    page.get_by_role("button", name="Withdraw and delete").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your request is deleted.")
    assert requests_of(server, email) == []
    page.goto(link)
    expect(page.get_by_role("heading", level=1)).to_have_text("This link leads to no request")
    check_accessibility(page, "request link, withdrawn")
