"""Usability points that no other test covers. Source: docs/usability.md."""

import pytest
from playwright.sync_api import expect

from tests.e2e.journey import LUNCH, add, card, open_page, store_cart, to_details

THUMB = 44
"""Minimum size of touch targets in pixels. Source: docs/usability.md U13."""


def test_fields_have_types_and_autocomplete(page, server):
    to_details(page, server)
    for label, kind, autocomplete in (
        ("Full name", "text", "name"),
        ("Email", "email", "email"),
        ("Phone number", "tel", "tel"),
        ("Address", "textarea", "street-address"),
    ):
        field = page.get_by_label(label)
        assert field.evaluate("it => it.type") == kind
        expect(field).to_have_attribute("autocomplete", autocomplete)


@pytest.mark.parametrize(
    ("label", "why"),
    [
        ("Email", "Order updates go here."),
        ("Phone number", "The delivery agent calls this number."),
    ],
)
def test_personal_fields_explain_why_they_are_needed(page, server, label, why):
    to_details(page, server)
    expect(page.get_by_label(label)).to_have_accessible_description(why)


def test_phone_number_is_kept_as_typed(page, server):
    to_details(page, server)
    phone = page.get_by_label("Phone number")
    phone.fill("098765-43210")
    phone.blur()
    expect(phone).to_have_value("098765-43210")


@pytest.mark.parametrize("address", ["/menu/1", "/pre-reserve"])
def test_stepper_buttons_are_large_enough_for_touch(page, server, address):
    store_cart(page, server)
    open_page(page, address)
    buttons = page.locator(".stepper button")
    expect(buttons.first).to_be_visible()
    for box in buttons.evaluate_all("them => them.map((it) => it.getBoundingClientRect())"):
        assert min(box["width"], box["height"]) >= THUMB


def test_full_price_is_shown_before_personal_data_is_asked(page, server):
    open_page(page, "/menu/1")
    add(page, *LUNCH)
    for figure in ("subtotal", "discount", "total"):
        expect(page.get_by_test_id(figure)).to_be_visible()
    page.get_by_role("button", name="PROCEED TO CART").click()
    for figure in ("delivery-fee", "convenience-fee", "donation", "pay-online", "pay-later"):
        expect(page.get_by_test_id(figure)).to_be_visible()
    expect(page.get_by_role("textbox", name="Full name")).to_have_count(0)


def test_status_change_keeps_the_focus(page, server):
    open_page(page, "/about")
    link = card(page, 1).get_by_role("link")
    link.focus()
    server.set_override(3, is_open=False, message="No gas")
    expect(card(page, 3)).to_contain_text("DELIVERY UNAVAILABLE")
    expect(link).to_be_focused()
