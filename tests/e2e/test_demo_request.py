"""The demo request: three steps by pointer and keyboard, and network failures."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.assistant_page import (
    CALLS,
    DESKTOP,
    dialog,
    fill_in,
    open_dialog,
    open_page,
    request_demo,
    requests_of,
    still_page,
    to_variants,
    unsent,
)
from tests.e2e.journey import connect_at_once, freeze_clock
from tests.helpers.product import eventually

THANKS = "Thank you. We have your request."


@pytest.fixture
def page(visit, server):
    return still_page(visit, server)


@pytest.fixture(scope="module")
def unchanged(module_visit, module_server):
    return still_page(module_visit, module_server)


@pytest.fixture
def opened(unchanged):
    """The dialog at its first step, for tests that send nothing; a draft may be in it."""
    opened = open_dialog(unchanged)
    opened.get_by_label("Phone Number").fill("")
    yield opened
    unchanged.keyboard.press("Escape")
    expect(dialog(unchanged)).to_be_hidden()


@pytest.fixture
def email(customer):
    return customer.replace("students", "company")


def heading(page, name):
    return dialog(page).get_by_role("heading", name=name)


# The steps


def test_demo_request_is_stored_and_confirmed(page, server, email):
    open_dialog(page)
    to_variants(page, **{"Business Email": email, "Phone Number": "+91 98765 43210"})
    request_demo(page)
    expect(heading(page, THANKS)).to_be_focused()
    expect(dialog(page)).to_contain_text("We will contact you within 24 hours.")
    (row,) = requests_of(server, email)
    assert dialog(page).locator("dd").all_inner_texts() == [row["id"][:8], "TARA PRO", email]
    assert row["selected_variant"] == "02"
    assert row["phone"] == "+91 98765 43210"
    assert row["source"] == "cta"
    assert not row["is_suspected"]
    mail = eventually(lambda: server.mails_about(row["id"][:8]), "the confirmation")[0]
    assert mail["To"] == f"Priya Raman <{email}>"
    assert unsent(page) == []


def test_each_button_opens_dialog_and_plan_button_preselects_its_plan(page):
    for button, variant in {
        "Join Waitlist & Request a Demo": None,
        "Try Demo Version": None,
        "Join Waitlist": "None of these yet",
        "Choose TARA BASE": "TARA BASE",
        "Choose TARA PRO": "TARA PRO",
        "Choose TARA ENTERPRISE": "TARA ENTERPRISE",
    }.items():
        opened = open_dialog(page, button)
        expect(opened.get_by_role("heading", level=2)).to_be_focused()
        to_variants(page)
        chosen = opened.get_by_role("radio", checked=True)
        if variant is None:
            expect(chosen).to_have_count(0)
            expect(opened.get_by_role("button", name="Request Demo")).to_be_disabled()
        else:
            expect(chosen).to_have_accessible_name(variant)
            expect(opened.get_by_role("button", name="Request Demo")).to_be_enabled()
        opened.get_by_role("button", name="Previous").click()
        opened.get_by_role("button", name="Close").click()
        expect(opened).to_be_hidden()


def test_variant_is_required_and_previous_keeps_input(page):
    opened = open_dialog(page)
    to_variants(page)
    send = opened.get_by_role("button", name="Request Demo")
    expect(send).to_be_disabled()
    opened.get_by_role("radio", name="TARA ENTERPRISE").check()
    expect(send).to_be_enabled()
    opened.get_by_role("button", name="Previous").click()
    expect(heading(page, "Contact and company")).to_be_focused()
    expect(opened.get_by_label("Full Name")).to_have_value("Priya Raman")
    opened.get_by_role("button", name="Next Step").click()
    expect(opened.get_by_role("radio", name="TARA ENTERPRISE")).to_be_checked()


def test_required_field_shows_error_beside_it(opened):
    page = opened.page
    for label, words in {
        "Full Name": "Enter your full name.",
        "Job Title": "Enter your job title.",
        "Business Email": "Enter an address with an @",
        "Company Name": "Enter the company name.",
        "Location (City)": "Enter the city.",
    }.items():
        fill_in(page, **{label: "   "})
        opened.get_by_role("button", name="Next Step").click()
        field = opened.get_by_label(label)
        expect(field).to_be_focused()
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(re.compile(re.escape(words)))
        field.type("x@y.example")
        expect(field).to_have_attribute("aria-invalid", "false")
        opened.get_by_role("button", name="Next Step").click()
        expect(heading(page, "Pick a variant")).to_be_visible()
        opened.get_by_role("button", name="Previous").click()


def test_select_field_is_required(opened):
    page = opened.page
    for label in ("Company Size", "Industry"):
        fill_in(page)
        opened.get_by_label(label).select_option("")
        opened.get_by_role("button", name="Next Step").click()
        expect(opened.get_by_label(label)).to_be_focused()


def test_first_step_shows_error_when_server_would_refuse(opened):
    page = opened.page
    for label, value, words in (
        ("Business Email", "a@b", "Enter an address with an @"),
        ("Business Email", "a..b@company.example", "Enter an address with an @"),
        ("Phone Number", "abc", "Enter a phone number"),
        ("Phone Number", "12345", "Enter a phone number"),
        ("Phone Number", "1" * 16, "Enter a phone number"),
    ):
        fill_in(page, **{label: value})
        expect(opened.locator("[aria-invalid=true]")).to_have_count(0)
        opened.get_by_role("button", name="Next Step").click()
        field = opened.get_by_label(label)
        expect(field).to_be_focused()
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(re.compile(words))
        expect(heading(page, "Pick a variant")).to_be_hidden()


def test_first_step_ends_when_server_would_accept(opened):
    page = opened.page
    for label, value in (
        ("Business Email", "o'x+tag@sub.company.example"),
        ("Phone Number", " (044) 2345-678/9. "),
        ("Phone Number", "\u202a+91 98765 43210\u202c"),
        ("Phone Number", "९८७६५४३२१०"),
    ):
        to_variants(page, **{label: value})
        dialog(page).get_by_role("button", name="Previous").click()


def test_selects_offer_the_specified_options(opened):
    sizes = opened.get_by_label("Company Size").locator("option").all_inner_texts()
    assert sizes[1:] == [
        *("1-10 employees", "11-50 employees", "51-200 employees", "201-1000 employees"),
        "1000+ employees",
    ]
    industries = opened.get_by_label("Industry").locator("option").all_inner_texts()
    assert industries[1:] == [
        *("Technology", "Healthcare", "Finance", "E-commerce", "Education"),
        *("Manufacturing", "Real Estate", "Hospitality", "Other"),
    ]


# Opening and closing


def test_dialog_closes_and_returns_focus(page):
    button = page.get_by_role("button", name="Try Demo Version")
    opened = open_dialog(page, "Try Demo Version")
    opened.get_by_role("button", name="Close").click()
    expect(opened).to_be_hidden()
    expect(button).to_be_focused()
    open_dialog(page, "Try Demo Version")
    page.mouse.click(10, 400)
    expect(opened).to_be_hidden()
    expect(button).to_be_focused()
    open_dialog(page, "Try Demo Version")
    page.keyboard.press("Escape")
    expect(opened).to_be_hidden()
    expect(button).to_be_focused()


@pytest.fixture
def visitor(page):
    """A visitor who came to the page from another one, which Back shows again."""
    page.goto("/tara/privacy")
    open_page(page)
    return page


def expect_back_to_leave(page):
    """Go back once: the page before this one opens."""
    page.go_back()
    page.wait_for_url("**/tara/privacy")


def at_own_entry(page):
    """Wait until the history entry of an open dialog is the current one."""
    page.wait_for_function("() => history.state?.isDialog")


def at_entry_of_page(page):
    page.wait_for_function("() => !history.state?.isDialog")


def test_back_closes_dialog_and_stays_when_dialog_is_open(visitor):
    button = visitor.get_by_role("button", name="Try Demo Version")
    opened = open_dialog(visitor, "Try Demo Version")
    opened.get_by_label("Full Name").fill("Priya Raman")
    at_own_entry(visitor)
    visitor.go_back()
    expect(opened).to_be_hidden()
    expect(button).to_be_focused()
    expect(button).to_be_in_viewport()
    assert visitor.evaluate("location.pathname") == "/"
    open_dialog(visitor, "Try Demo Version")
    expect(opened.get_by_label("Full Name")).to_have_value("Priya Raman")
    at_own_entry(visitor)
    visitor.go_back()
    expect(opened).to_be_hidden()
    expect_back_to_leave(visitor)


def test_back_leaves_page_when_dialog_was_closed(visitor):
    opened = dialog(visitor)
    for close in (
        lambda: opened.get_by_role("button", name="Close").click(),
        lambda: visitor.keyboard.press("Escape"),
        lambda: visitor.mouse.click(10, 400),
    ):
        open_dialog(visitor)
        at_own_entry(visitor)
        close()
        expect(opened).to_be_hidden()
        at_entry_of_page(visitor)
    expect_back_to_leave(visitor)


def test_back_leaves_page_when_dialog_was_open_at_reload(visitor):
    open_dialog(visitor)
    at_own_entry(visitor)
    visitor.reload()
    expect(visitor.locator("html")).to_have_attribute("data-view", "page")
    at_entry_of_page(visitor)
    expect(dialog(visitor)).to_be_hidden()
    expect_back_to_leave(visitor)


def test_forward_shows_page_when_back_closed_dialog(visitor):
    opened = open_dialog(visitor)
    at_own_entry(visitor)
    visitor.go_back()
    expect(opened).to_be_hidden()
    visitor.go_forward()
    at_own_entry(visitor)
    expect(opened).to_be_hidden()
    open_dialog(visitor)
    at_own_entry(visitor)
    visitor.go_back()
    expect(opened).to_be_hidden()
    expect_back_to_leave(visitor)


def test_back_closes_player_when_demo_dialog_led_to_it(visitor, email):
    open_dialog(visitor)
    to_variants(visitor, **{"Business Email": email})
    request_demo(visitor)
    entry = visitor.evaluate("navigation.currentEntry.key")
    dialog(visitor).get_by_role("button", name="Listen to TARA").click()
    opened = visitor.get_by_role("dialog", name="Listen to TARA")
    expect(opened).to_be_visible()
    visitor.wait_for_function(
        "(before) => history.state?.isDialog && navigation.currentEntry.key !== before", arg=entry
    )
    visitor.go_back()
    expect(opened).to_be_hidden()
    expect(dialog(visitor)).to_be_hidden()
    expect_back_to_leave(visitor)


def test_back_closes_dialog_when_its_link_opened_another_tab(visitor):
    opened = open_dialog(visitor)
    to_variants(visitor)
    with visitor.context.expect_page() as opening:
        opened.get_by_role("link", name="Privacy").click()
    opening.value.close()
    at_own_entry(visitor)
    visitor.go_back()
    expect(opened).to_be_hidden()
    expect_back_to_leave(visitor)


def test_drag_ending_on_backdrop_keeps_dialog_open(page):
    opened = open_dialog(page)
    opened.get_by_label("Full Name").fill("Priya Raman")
    opened.get_by_label("Full Name").hover()
    page.mouse.down()
    page.mouse.move(5, 400)
    page.mouse.up()
    expect(opened).to_be_visible()


def test_draft_survives_close_and_reload(page):
    opened = open_dialog(page)
    to_variants(page)
    opened.get_by_role("radio", name="TARA BASE").check()
    page.keyboard.press("Escape")
    open_dialog(page)
    expect(heading(page, "Contact and company")).to_be_visible()
    expect(opened.get_by_label("Company Name")).to_have_value("Southern College")
    open_page(page)
    open_dialog(page)
    expect(opened.get_by_label("Business Email")).to_have_value("priya@company.example")
    expect(opened.get_by_label("Industry")).to_have_value("Education")
    opened.get_by_role("button", name="Next Step").click()
    expect(opened.get_by_role("radio", name="TARA BASE")).to_be_checked()


def test_callers_questions_are_stored_and_kept_with_the_draft(page, server, email):
    opened = open_dialog(page)
    to_variants(page, **{"Business Email": email})
    asked = opened.get_by_label("What do your callers ask for?")
    asked.fill("Fees and dates.\nNext: hostel rooms")
    page.keyboard.press("Escape")
    open_page(page)
    open_dialog(page)
    opened.get_by_role("button", name="Next Step").click()
    expect(asked).to_have_value("Fees and dates.\nNext: hostel rooms")
    request_demo(page)
    expect(heading(page, THANKS)).to_be_visible()
    (row,) = requests_of(server, email)
    assert row["use_case"] == "Fees and dates. Next: hostel rooms"
    dialog(page).get_by_role("button", name="Close").last.click()
    open_dialog(page)
    expect(asked).to_have_value("")


def test_callers_questions_are_optional_and_limited(page):
    opened = open_dialog(page)
    to_variants(page)
    asked = opened.get_by_label("What do your callers ask for?")
    expect(asked).not_to_have_attribute("required", re.compile(".*"))
    expect(asked).to_have_attribute("maxlength", "2000")
    opened.get_by_role("radio", name="TARA BASE").check()
    expect(opened.get_by_role("button", name="Request Demo")).to_be_enabled()


def test_waitlist_request_names_no_plan(page, server, email):
    opened = open_dialog(page, "Join Waitlist")
    to_variants(page, **{"Business Email": email})
    expect(opened.get_by_role("radio", checked=True)).to_have_accessible_name("None of these yet")
    opened.get_by_role("button", name="Request Demo").click()
    expect(heading(page, THANKS)).to_be_focused()
    (row,) = requests_of(server, email)
    assert (row["selected_variant"], row["source"]) == ("none", "waitlist")
    assert opened.locator("dd").all_inner_texts()[1] == "None of these yet"


def test_consent_is_directly_above_the_button_and_opens_privacy_page(opened):
    page = opened.page
    to_variants(page)
    consent = opened.get_by_text("By sending this you agree that we store these details")
    expect(consent).to_contain_text("and contact you about TARA.")
    button = opened.get_by_role("button", name="Request Demo")
    gap = button.bounding_box()["y"] - consent.bounding_box()["y"]
    assert 0 < gap < 150
    expect(opened.get_by_role("checkbox")).to_have_count(0)
    with page.context.expect_page() as opening:
        consent.get_by_role("link", name="Privacy").click()
    expect(opening.value.get_by_role("heading", level=1)).to_have_text("Privacy")
    assert opening.value.evaluate("window.opener") is None
    opening.value.close()
    opened.get_by_role("button", name="Previous").click()
    expect(opened.get_by_label("Full Name")).to_have_value("Priya Raman")


def test_form_is_empty_after_successful_request(page, email):
    open_dialog(page)
    to_variants(page, **{"Business Email": email})
    request_demo(page)
    expect(heading(page, THANKS)).to_be_visible()
    dialog(page).get_by_role("button", name="Close").last.click()
    opened = open_dialog(page)
    expect(opened.get_by_label("Full Name")).to_have_value("")
    open_page(page)
    opened = open_dialog(page)
    expect(opened.get_by_label("Full Name")).to_have_value("")


def test_second_request_from_plan_button_preselects_the_plan_again(page, server, email):
    for _ in range(2):
        page.get_by_role("button", name="Choose TARA PRO").click()
        to_variants(page, **{"Business Email": email})
        expect(dialog(page).get_by_role("radio", name="TARA PRO")).to_be_checked()
        request_demo(page)
        expect(heading(page, THANKS)).to_be_visible()
        dialog(page).get_by_role("button", name="Close").last.click()
    assert [row["selected_variant"] for row in requests_of(server, email)] == ["02", "02"]


def test_demo_request_can_be_sent_by_keyboard(page, server, email):
    page.get_by_role("button", name="Join Waitlist & Request a Demo").focus()
    page.keyboard.press("Enter")
    expect(dialog(page).get_by_role("heading", level=2)).to_be_focused()
    for words in ("Priya Raman", "Head", email, "", "College", "5", "Ed", "Chennai"):
        page.keyboard.press("Tab")
        page.keyboard.type(words)
    expect(dialog(page).get_by_label("Company Size")).to_have_value("51-200 employees")
    page.keyboard.press("Enter")
    expect(heading(page, "Pick a variant")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    expect(dialog(page).get_by_role("radio", name="TARA PRO")).to_be_checked()
    page.keyboard.press("Enter")
    expect(heading(page, THANKS)).to_be_focused()
    assert [row["job_title"] for row in requests_of(server, email)] == ["Head"]


def test_focus_stays_inside_dialog(opened):
    page = opened.page
    for _ in range(30):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "document.activeElement === document.body"
            " || Boolean(document.activeElement.closest('dialog'))"
        )


# Network failures


def test_double_click_sends_one_request(page, server, email):
    held = []

    def hold(route):
        held.append(route)

    page.route(CALLS, hold)
    open_dialog(page)
    to_variants(page, **{"Business Email": email})
    dialog(page).get_by_role("radio", name="TARA PRO").check()
    dialog(page).get_by_role("button", name="Request Demo").dblclick()
    sending = dialog(page).get_by_role("button", name="Submitting...")
    expect(sending).to_be_disabled()
    eventually(lambda: page.wait_for_timeout(50) or held, "the request is held")
    freeze_clock(page)  # the page repeats an unanswered request after a while
    held[0].continue_()
    expect(heading(page, THANKS)).to_be_visible()
    assert len(held) == 1
    assert len(requests_of(server, email)) == 1


def test_retry_after_lost_response_creates_no_duplicate(page, server, email):
    lost = []

    def lose(route):
        lost.append(route.fetch().status)
        route.abort()

    page.route(CALLS, lose)
    open_dialog(page)
    to_variants(page, **{"Business Email": email})
    request_demo(page)
    expect(heading(page, "Kept on this device for now")).to_be_visible()
    page.unroute(CALLS)
    dialog(page).get_by_role("button", name="Try again now").click()
    expect(heading(page, THANKS)).to_be_visible()
    assert lost[0] == 201  # the page may also have tried again by itself
    assert len(requests_of(server, email)) == 1


@pytest.mark.parametrize(
    "failure",
    [
        pytest.param(lambda route: route.abort(), id="out of reach"),
        pytest.param(lambda route: route.fulfill(status=503, json={}), id="503"),
        pytest.param(lambda route: route.fulfill(status=429, json={}), id="429"),
        pytest.param(lambda route: route.fulfill(status=200, body="<html>"), id="no JSON"),
    ],
)
def test_failed_request_is_stored_and_sent_after_reload(page, server, email, failure):
    page.route(CALLS, failure)
    open_dialog(page)
    to_variants(page, **{"Business Email": email})
    request_demo(page)
    expect(heading(page, "Kept on this device for now")).to_be_focused()
    expect(dialog(page)).to_contain_text("Your request has not reached us yet.")
    expect(dialog(page).get_by_role("link", name="hello@davinci.example")).to_be_visible()
    assert [each["fields"]["email"] for each in unsent(page)] == [email]
    page.unroute(CALLS)
    page.reload()
    eventually(lambda: requests_of(server, email), "the stored request")
    page.wait_for_function("() => localStorage.getItem('demoUnsent') === '[]'")


def test_stored_request_is_sent_when_browser_is_online_again(page, server, email):
    open_dialog(page)
    to_variants(page, **{"Business Email": email})
    page.context.set_offline(True)
    request_demo(page)
    expect(heading(page, "Kept on this device for now")).to_be_visible()
    page.context.set_offline(False)
    # Browsers may say that they are online before a request succeeds, and say it again.
    eventually(
        lambda: connect_at_once(page) or heading(page, THANKS).is_visible(),
        "the page thanks for the request",
    )
    assert len(requests_of(server, email)) == 1


def test_error_is_shown_when_request_can_not_be_sent_or_stored(page, email):
    page.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"
    )
    open_page(page)
    page.route(CALLS, lambda route: route.abort())
    open_dialog(page)
    to_variants(page, **{"Business Email": email})
    request_demo(page)
    expect(heading(page, "Not sent, and not kept")).to_be_visible()
    expect(dialog(page).get_by_role("link", name="hello@davinci.example")).to_be_visible()
    page.unroute(CALLS)
    dialog(page).get_by_role("button", name="Try again now").click()
    expect(heading(page, THANKS)).to_be_focused()


def test_rejected_request_shows_errors_and_keeps_input(page):
    response = {"error": {"code": "validation_error", "message": "no", "fields": {"x": "Too odd."}}}
    page.route(CALLS, lambda route: route.fulfill(status=422, json=response))
    open_dialog(page)
    to_variants(page)
    request_demo(page)
    expect(heading(page, "Something in it can’t be right")).to_be_focused()
    expect(dialog(page).get_by_role("listitem").filter(has_text="Too odd.")).to_be_visible()
    assert unsent(page) == []
    dialog(page).get_by_role("button", name="Edit").click()
    expect(dialog(page).get_by_label("Full Name")).to_have_value("Priya Raman")


def test_request_times_out_in_the_browser(page, email):
    page.route(CALLS, lambda route: None)
    open_dialog(page)
    to_variants(page, **{"Business Email": email})
    with page.expect_request(CALLS):  # its timer has been started
        request_demo(page)
    expect(dialog(page).get_by_role("button", name="Submitting...")).to_be_disabled()
    page.clock.fast_forward(10_000)
    expect(heading(page, "Kept on this device for now")).to_be_visible()


def test_plain_form_is_sent_when_javascript_is_disabled(visit, server, email):
    page = visit(server, **DESKTOP, java_script_enabled=False)
    page.goto("/")
    form = page.locator("form.plain-demo")
    for label, value in {
        "Full Name": "Priya Raman",
        "Job Title": "Head",
        "Business Email": email,
        "Company Name": "College",
        "Location (City)": "Chennai",
    }.items():
        form.get_by_label(label).fill(value)
    form.get_by_label("Company Size").select_option("1000+ employees")
    form.get_by_label("Industry").select_option("Real Estate")
    form.get_by_role("radio", name="TARA ENTERPRISE").check()
    form.get_by_label("What do your callers ask for?").fill("Viewings\nand prices")
    expect(form.get_by_text("By sending this you agree")).to_be_visible()
    expect(form.get_by_role("link", name="Privacy")).to_have_attribute("href", "/tara/privacy")
    form.get_by_role("button", name="Request Demo").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you.")
    (row,) = requests_of(server, email)
    assert (row["company_size"], row["selected_variant"]) == ("1000+ employees", "03")
    assert row["use_case"] == "Viewings and prices"
    expect(page.locator("main")).to_contain_text(row["id"][:8])


def test_phone_is_not_blocked_when_javascript_is_disabled(visit, server):
    page = visit(server, java_script_enabled=False)
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Say goodbye to boring")
