"""Usability points that no other test covers. Source: docs/usability.md."""

from playwright.sync_api import expect

from tests.e2e.journey import card, open_page, to_details


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


def test_personal_fields_explain_themselves_and_keep_a_number_as_typed(page, server):
    to_details(page, server)
    phone = page.get_by_label("Phone number")
    email = page.get_by_label("Email")
    expect(email).to_have_accessible_description("Order updates go here.")
    expect(phone).to_have_accessible_description("The delivery agent calls this number.")
    phone.fill("098765-43210")
    phone.blur()
    expect(phone).to_have_value("098765-43210")


def test_status_change_keeps_the_focus(page, server):
    open_page(page, "/about")
    link = card(page, 1).get_by_role("link")
    link.focus()
    server.set_override(3, is_open=False, message="No gas")
    expect(card(page, 3)).to_contain_text("DELIVERY UNAVAILABLE")
    expect(link).to_be_focused()
