"""The contact details: errors beside their fields, and the confirmation before the next step."""

import json

import pytest
from playwright.sync_api import expect

from campus_app.shared.translations import LANGUAGES, t
from kit.translations import use_locale
from tests.e2e.journey import (
    at_details,
    at_waiting_room,
    confirm_details,
    give_details,
    hold_messages_after,
    release,
    session_storage,
    to_checkout,
    to_details,
    unfold_instructions,
    wait_until_hydrated,
)
from tests.e2e.network import PageSocket
from tests.e2e.test_small_windows import SMALLEST

MISSING = "Please fill in all the details."
CHECK_AGAIN = "Check your details, then press NEXT again"
IS_BELOW = "(it, other) => other.getBoundingClientRect().bottom <= it.getBoundingClientRect().top"
"""Looked at in one moment: the focus may scroll the page between two."""


def error_of(page, label):
    """Return the error of a field: the element that the field refers to."""
    ids = page.get_by_label(label, exact=True).get_attribute("aria-describedby").split()
    return page.locator(f"[id='{ids[-1]}']")


def press_next(page):
    page.get_by_role("button", name="NEXT").click()


@pytest.mark.parametrize("code", LANGUAGES)
def test_form_is_below_its_heading_and_its_error_on_phones(code, visit, server):
    with use_locale(code):
        page = visit(server)
        to_details(page, server)
        field = page.locator("label[for=fullName]")
        above = [page.get_by_role("heading", level=1), page.locator(".notice.bad")]
        page.get_by_role("button", name=t("NEXT")).click()
        expect(above[1]).to_have_text(t(MISSING))
        for size in (SMALLEST, {"width": 390, "height": 844}):
            page.set_viewport_size(size)
            for each in above:
                assert field.evaluate(IS_BELOW, each.element_handle()), (size, each)
        page.reload()
        at_details(page)
        assert field.evaluate(IS_BELOW, above[0].element_handle())


def test_sign_of_the_folded_instructions_is_not_part_of_their_name(page, server):
    to_details(page, server)
    for sign in ("+", "\u2212"):
        shown = page.locator(".instructions summary").evaluate(
            "summary => getComputedStyle(summary, '::before').content"
        )
        assert shown == f'"{sign}" / ""'
        unfold_instructions(page)


def test_each_missing_field_shows_error_and_first_gets_focus(page, server):
    to_details(page, server)
    page.get_by_label("Phone number").fill("")
    press_next(page)
    expect(page.get_by_role("alert").filter(has_text=MISSING)).to_be_visible()
    for label, message in {
        "Full name": "Name is required",
        "Email": "Email is required",
        "Phone number": "Phone number is required",
        "Address": "Address is required",
    }.items():
        expect(error_of(page, label)).to_have_text(message)
        expect(page.get_by_label(label)).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Full name")).to_be_focused()
    assert page.url.endswith("/personal-info")


def test_prefix_comes_back_when_the_phone_number_is_cleared(page, server):
    to_details(page, server)
    phone = page.get_by_label("Phone number")
    phone.fill("")
    page.get_by_label("Email").focus()
    expect(phone).to_have_value("+91 ")
    page.reload()
    expect(phone).to_have_value("+91 ")


def test_edit_clears_error_of_its_field_only(page, server):
    to_details(page, server)
    press_next(page)
    expect(error_of(page, "Full name")).to_have_text("Name is required")
    page.get_by_label("Full name").press_sequentially("A")
    expect(error_of(page, "Full name")).to_have_text("")
    expect(page.get_by_label("Full name")).to_have_attribute("aria-invalid", "false")
    expect(error_of(page, "Address")).to_have_text("Address is required")


def test_valid_details_are_shown_for_confirmation_before_second_next(page, server):
    to_details(page, server)
    give_details(page, Email="aarav@students.example", Phone_number="9800000001")
    press_next(page)
    notice = page.get_by_role("status").filter(has_text=CHECK_AGAIN)
    for detail in ("Aarav Sharma", "Hostel 4, B block, room 212"):
        expect(notice).to_contain_text(detail)
    expect(notice).to_contain_text("aarav@students.example")
    expect(notice).to_contain_text("+91 98000 00001")
    expect(notice).to_contain_text("spam")
    assert page.url.endswith("/personal-info")
    press_next(page)
    at_waiting_room(page)


def test_html_in_details_is_escaped(page, server):
    to_details(page, server)
    give_details(page, Full_name="<img src=x onerror=alert(1)> {{7*7}}", Address="</script>'\"; --")
    confirm_details(page)
    at_waiting_room(page)
    expect(page.locator(".pay-panel")).to_contain_text("</script>'\"; --")


def test_input_typed_before_hydration_is_kept(page, server, customer):
    held = hold_messages_after(page, "/personal-info")
    to_checkout(page, server)
    page.get_by_role("button", name="NEXT").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Who is it for?")
    page.get_by_label("Full name").fill("Quick Typist")
    page.get_by_label("Email").fill(customer)
    release(page, held)
    expect(page.locator(".bill .grand dd")).to_have_text("₹65")
    expect(page.get_by_label("Full name")).to_have_value("Quick Typist")
    expect(page.get_by_label("Email")).to_have_value(customer)
    expect(page.get_by_label("Email")).to_be_focused()


def test_tapped_suggestion_is_in_the_field_and_survives_a_reload(page, server):
    to_details(page, server)
    give_details(page, Email="aarav@gmial.com")
    press_next(page)
    suggestion = page.get_by_role("button", name="Did you mean aarav@gmail.com?")
    suggestion.tap()
    expect(page.get_by_label("Email")).to_have_value("aarav@gmail.com")
    expect(suggestion).to_have_count(0)
    expect(page.locator(".notice.tip")).to_contain_text("aarav@gmail.com")
    expect(page.get_by_role("button", name="NEXT")).to_be_focused()
    page.reload()
    at_details(page)
    expect(page.get_by_label("Email")).to_have_value("aarav@gmail.com")
    expect(page.get_by_label("Address")).to_have_value("Hostel 4, B block, room 212")
    press_next(page)
    at_waiting_room(page)


def test_suggestion_overwrites_no_other_text_of_the_visitor(page, server):
    to_details(page, server)
    give_details(page, Email="aarav@gmial.com")
    press_next(page)
    suggestion = page.get_by_role("button", name="Did you mean aarav@gmail.com?")
    suggestion.tap()
    expect(page.get_by_label("Email")).to_have_value("aarav@gmail.com")
    page.get_by_label("Email").fill("aarav@students.example")
    page.reload()
    wait_until_hydrated(page)
    expect(page.get_by_label("Email")).to_have_value("aarav@students.example")


def test_tick_is_kept_when_the_connection_is_lost_and_back(page, server, customer):
    socket = PageSocket(page)
    to_details(page, server)
    give_details(page, Email=customer)
    socket.disconnect()
    expect(page.locator(".connection-banner.shown")).to_be_visible()  # it moves the page
    unfold_instructions(page)
    page.get_by_label("No cutlery, please").check()
    socket.reconnect()
    confirm_details(page)
    at_waiting_room(page)
    assert json.loads(session_storage(page, "checkoutDraft"))["noCutlery"] is True
