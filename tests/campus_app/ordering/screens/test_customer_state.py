"""The contact details. Source: specification 5.1 to 5.8."""

import pytest

from campus_app.ordering.rules.customer import FIELDS
from campus_app.ordering.rules.instructions import Instructions
from campus_app.ordering.screens.browser_storage import draft_from
from campus_app.ordering.screens.customer_state import CustomerState
from campus_app.shared.rules.constants import MAXIMUM_NOTE_CHARACTERS, WAITING_ROOM_SECONDS
from campus_app.shared.rules.messages import CustomerMessage
from tests.helpers.builders import CUSTOMER, order_request
from tests.helpers.flows import DECLINE, pay, press
from tests.helpers.sessions import Redirect
from tests.helpers.steps import KEY, amounts_to_pay, to_details, to_payment, to_summary

pytestmark = pytest.mark.anyio

NO_ERRORS = dict.fromkeys(FIELDS, "")
NO_INSTRUCTIONS = {"specialInstructions": "", "deliveryInstructions": "", "noCutlery": ""}
EMPTY = NO_ERRORS | NO_INSTRUCTIONS | {"phoneNumber": "+91 "}
INSTRUCTIONS = {
    "specialInstructions": "No onion",
    "deliveryInstructions": "Gate 2",
    "noCutlery": "yes",
}


@pytest.fixture
async def tab(tab):
    """The tab of a visitor at the contact details."""
    await to_details(tab)
    return tab


def focused(tab):
    """Return the field that got the focus, if any."""
    return [word for event in tab.other_events for word in FIELDS if word in str(event.payload)]


# Validation


@pytest.mark.parametrize(
    ("field", "typed", "message"),
    [
        # All of them: tests of `customer_errors`.
        ("fullName", " \u200b ", "Name is required"),
        ("email", "aarav@students", "Please enter a valid email address"),
        ("phoneNumber", "+91 12345 67890", "Please enter a valid Indian phone number"),
    ],
)
async def test_next_shows_error_of_invalid_field(field, typed, message, tab):
    await tab.call(CustomerState.next, CUSTOMER | {field: typed})
    assert tab.get(CustomerState.errors) == NO_ERRORS | {field: message}
    assert tab.redirects == []


async def test_next_shows_all_errors_and_focuses_first_invalid_field(tab):
    await tab.call(CustomerState.next, CUSTOMER | {"email": "x", "address": ""})
    errors = tab.get(CustomerState.errors)
    assert [name for name, message in errors.items() if message] == ["email", "address"]
    assert focused(tab) == ["email"]


@pytest.mark.parametrize("field", FIELDS)
async def test_next_shows_alert_when_field_is_missing(field, tab):
    await tab.call(CustomerState.next, CUSTOMER | {field: ""})
    assert tab.get(CustomerState.alert) == "Please fill in all the details."


async def test_phone_field_starts_with_prefix_which_alone_is_invalid(tab):
    assert tab.get(CustomerState.values) == EMPTY
    await tab.call(CustomerState.next, CUSTOMER | {"phoneNumber": "+91 "})
    assert tab.get(CustomerState.errors)["phoneNumber"] == CustomerMessage.PHONE_REQUIRED


async def test_edit_clears_the_error_of_its_field(tab):
    await tab.call(CustomerState.next, {})
    await tab.call(CustomerState.edit, "email")
    errors = tab.get(CustomerState.errors)
    assert [name for name in FIELDS if not errors[name]] == ["email"]
    assert tab.get(CustomerState.alert) == ""


async def test_edit_changes_nothing_when_field_is_unknown(tab):
    await tab.call(CustomerState.next, {})
    before = dict(tab.get(CustomerState.errors))
    for name in ("", "password", "__class__", 5, None, ["email"], {"email": 1}):
        await tab.call(CustomerState.edit, name)
        assert tab.get(CustomerState.errors) == before


async def test_next_treats_forged_form_as_empty(tab):
    forms = [None, 5, "fullName=x", [], [["fullName", "x"]], {}, {"amount": 1, "isPaid": True}]
    for form in (*forms, *(dict.fromkeys(FIELDS, value) for value in (None, 5, ["x"], {"a": "x"}))):
        for field in FIELDS:
            await tab.call(CustomerState.edit, field)
        assert not any(tab.get(CustomerState.errors).values())
        await tab.call(CustomerState.next, form)
        assert all(tab.get(CustomerState.errors).values())
        assert tab.redirects == []


async def test_next_truncates_long_input_before_storing(tab):
    await tab.call(CustomerState.next, CUSTOMER | {"address": "x" * 100_000})
    assert tab.get(CustomerState.errors)["address"] == CustomerMessage.ADDRESS_TOO_LONG
    assert len(tab.session["checkoutDraft"]) < 2_000
    assert draft_from(tab.session["checkoutDraft"]).details["address"] == "x" * 400


# First and second NEXT


async def test_first_next_shows_all_details_to_confirm(tab):
    await tab.call(CustomerState.next, CUSTOMER | {"phoneNumber": "098000-00001"})
    assert tab.get(CustomerState.confirmed_name) == CUSTOMER["fullName"]
    assert tab.get(CustomerState.confirmed_address) == CUSTOMER["address"]
    assert tab.get(CustomerState.confirmed_campus) == "North Campus"
    assert tab.get(CustomerState.confirmed_email) == "aarav@students.example"
    assert tab.get(CustomerState.confirmed_phone) == "+91 98000 00001"
    assert tab.redirects == []


async def test_next_before_the_screen_has_opened_confirms_no_campus(open_tab):
    tab = open_tab()
    await tab.call(CustomerState.next, CUSTOMER)
    assert tab.get(CustomerState.confirmed_email) == CUSTOMER["email"]
    assert tab.get(CustomerState.confirmed_campus) == ""


async def test_next_needs_no_check_of_details_as_remembered_but_validates_them(tab):
    # Source: specification 10.57.
    await tab.call(CustomerState.next, CUSTOMER | {"isRemembered": "yes", "email": "x"})
    assert tab.get(CustomerState.errors)["email"]
    assert tab.redirects == []
    await tab.call(CustomerState.next, CUSTOMER | {"isRemembered": "yes"})
    assert tab.redirects == [Redirect("/waiting-room")]


# "again" is a mark of its own, after a failed payment only.
@pytest.mark.parametrize("forged", [True, 1, "true", ["yes"], {"yes": "yes"}, "again"], ids=repr)
async def test_next_checks_details_when_the_mark_is_forged(forged, tab):
    await tab.call(CustomerState.next, CUSTOMER | {"isRemembered": forged})
    assert tab.get(CustomerState.confirmed_email) == CUSTOMER["email"]
    assert tab.redirects == []


async def failed(tab, services):
    """Return to the contact details from a payment that was declined."""
    stored = await to_payment(tab, services)
    await press(services, stored, DECLINE)
    await tab.visit(stored.order.response_path)
    await tab.follow_redirect()
    assert tab.path == "/personal-info"
    return stored


async def test_failed_payment_is_tried_again_without_a_check(tab, services):
    # Source: specification 10.58.
    await failed(tab, services)
    await tab.call(CustomerState.next, CUSTOMER | {"isRemembered": "again"})
    assert tab.redirects == [Redirect("/waiting-room")]
    assert tab.get(CustomerState.payment_error) == ""


@pytest.mark.parametrize("is_paid", [False, True])
async def test_failed_payment_is_not_shown_for_another_cart(is_paid, tab, services):
    """Also once that order is paid in another tab. Source: specification 8.23."""
    stored = await failed(tab, services)
    assert tab.get(CustomerState.payment_error)
    if is_paid:
        await pay(services, stored)
        await tab.visit("/campus")
        assert tab.get(CustomerState.payment_error) == ""
    await to_summary(tab, key="another-key-of-a-cart")
    await tab.call(CustomerState.next, CUSTOMER | {"isRemembered": "again"})
    assert tab.get(CustomerState.confirmed_email) == CUSTOMER["email"]  # it is checked
    await tab.visit("/personal-info")
    assert tab.get(CustomerState.payment_error) == ""


async def test_details_changed_after_a_failed_payment_are_checked(tab, services):
    await failed(tab, services)
    await tab.call(
        CustomerState.next, CUSTOMER | {"email": "aarav@gmial.com", "isRemembered": "again"}
    )
    assert tab.get(CustomerState.likely_email) == "aarav@gmail.com"
    assert tab.redirects == []


async def test_form_is_accepted_when_it_leads_to_the_waiting_room(tab):
    await tab.call(CustomerState.next, CUSTOMER)
    assert tab.get(CustomerState.is_accepted) is False
    await tab.call(CustomerState.next, CUSTOMER)
    assert tab.get(CustomerState.is_accepted) is True
    assert tab.redirects == [Redirect("/waiting-room")]
    await tab.call(CustomerState.next, CUSTOMER | {"email": "x"})
    assert tab.get(CustomerState.is_accepted) is False


async def test_forget_details_empties_the_stored_form(tab):
    await tab.call(CustomerState.next, CUSTOMER)
    await tab.call(CustomerState.forget_details)
    assert CUSTOMER["email"] not in tab.session["checkoutDraft"]
    assert tab.get(CustomerState.confirmed_email) == ""
    await tab.visit("/personal-info")
    assert tab.get(CustomerState.values) == EMPTY


async def test_suggested_email_replaces_the_mistyped_one(tab):
    await tab.call(CustomerState.next, CUSTOMER | {"email": "aarav@gmial.com"})
    await tab.call(CustomerState.correct_email)
    assert tab.get(CustomerState.values)["email"] == "aarav@gmail.com"
    assert tab.get(CustomerState.mistyped_email) == "aarav@gmial.com"
    assert tab.get(CustomerState.confirmed_email) == "aarav@gmail.com"
    assert tab.get(CustomerState.likely_email) == ""
    assert draft_from(tab.session["checkoutDraft"]).details["email"] == "aarav@gmail.com"
    await tab.call(CustomerState.next, CUSTOMER | {"email": "aarav@gmail.com"})
    assert tab.redirects == [Redirect("/waiting-room")]


async def test_correct_email_does_nothing_when_none_is_suggested(tab):
    await tab.call(CustomerState.correct_email)
    await tab.call(CustomerState.next, CUSTOMER)
    await tab.call(CustomerState.correct_email)
    assert tab.get(CustomerState.confirmed_email) == CUSTOMER["email"]
    assert draft_from(tab.session["checkoutDraft"]).details["email"] == CUSTOMER["email"]


async def test_next_asks_for_confirmation_when_details_differ(tab):
    await tab.call(CustomerState.next, CUSTOMER)
    await tab.call(CustomerState.next, CUSTOMER | {"email": "asha@students.example"})
    assert tab.get(CustomerState.confirmed_email) == "asha@students.example"
    assert tab.redirects == []


async def test_edit_requires_a_new_confirmation(tab):
    await tab.call(CustomerState.next, CUSTOMER)
    for field in FIELDS:
        await tab.call(CustomerState.edit, field)
        assert tab.get(CustomerState.confirmed_email) == ""
        await tab.call(CustomerState.next, CUSTOMER)
        assert tab.redirects == []


async def test_confirmation_stays_shown_after_reload(tab):
    await tab.call(CustomerState.next, CUSTOMER)
    await tab.visit("/personal-info")
    assert tab.get(CustomerState.confirmed_email) == CUSTOMER["email"]
    await tab.call(CustomerState.next, CUSTOMER)
    assert tab.redirects == [Redirect("/waiting-room")]


async def test_confirmation_is_asked_again_when_details_changed_before_reload(tab):
    await tab.call(CustomerState.next, CUSTOMER)
    await tab.call(CustomerState.store_value, "fullName", "Asha Rao")
    await tab.visit("/personal-info")
    assert tab.get(CustomerState.confirmed_email) == ""
    await tab.call(CustomerState.next, CUSTOMER | {"fullName": "Asha Rao"})
    assert tab.redirects == []


async def test_countdown_starts_with_second_next(tab, clock):
    await tab.call(CustomerState.next, CUSTOMER)
    clock.advance(minutes=5)
    await tab.call(CustomerState.next, CUSTOMER)
    kept = draft_from(tab.session["checkoutDraft"])
    assert kept.pay_until == clock.now().timestamp() + WAITING_ROOM_SECONDS


# The draft


async def test_draft_values_are_restored_after_reload_but_not_in_other_tabs(tab, open_tab):
    await tab.call(CustomerState.store_value, "fullName", "Aarav")
    await tab.call(CustomerState.store_value, "phoneNumber", "+91 98")
    reloaded = open_tab(tab.local, tab.session)
    await reloaded.visit("/personal-info")
    assert reloaded.get(CustomerState.values) == EMPTY | {
        "fullName": "Aarav",
        "phoneNumber": "+91 98",
    }
    other = open_tab(tab.local)
    await to_details(other)
    assert other.get(CustomerState.values) == EMPTY


async def test_draft_keeps_invalid_values(tab):
    await tab.call(CustomerState.next, CUSTOMER | {"email": "x"})
    await tab.visit("/personal-info")
    assert tab.get(CustomerState.values) == EMPTY | CUSTOMER | {"email": "x"}


async def test_draft_ignores_unknown_fields_and_values_that_are_not_text(tab):
    before = tab.session["checkoutDraft"]
    values = [("fullName", value) for value in (5, None, ["Aarav"], {"a": 1})]
    names = [(name, "Aarav") for name in (5, None, ["fullName"])]
    for name, value in (*values, ("amount", "1"), ("payUntil", "1e999"), *names):
        await tab.call(CustomerState.store_value, name, value)
        assert tab.session["checkoutDraft"] == before


# Special instructions. Source: specification 10.18.


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Less\n\tspice \u202e\x00\u200b\r\n", "Less spice"),
        ("x" * 1_000, "x" * MAXIMUM_NOTE_CHARACTERS),
    ],
    ids=["one line without hidden characters", "at most 300 characters"],
)
@pytest.mark.parametrize("name", ["specialInstructions", "deliveryInstructions"])
async def test_note_is_normalised_and_survives_reload(name, typed, kept, tab, open_tab):
    await tab.call(CustomerState.store_value, name, typed, tab.get(CustomerState.cart_key))
    reloaded = open_tab(tab.local, tab.session)
    await reloaded.visit("/personal-info")
    assert reloaded.get(CustomerState.values) == EMPTY | {name: kept}


@pytest.mark.parametrize(("value", "kept"), [("yes", "yes"), ("", ""), ("no", ""), ("x" * 999, "")])
async def test_cutlery_is_left_out_only_for_a_ticked_box(value, kept, tab, open_tab):
    await tab.call(CustomerState.store_value, "noCutlery", value)
    reloaded = open_tab(tab.local, tab.session)
    await reloaded.visit("/personal-info")
    assert reloaded.get(CustomerState.values) == EMPTY | {"noCutlery": kept}


async def test_next_takes_the_instructions_of_the_form(tab):
    # Enter in a field submits the form before the field loses the focus.
    await tab.call(CustomerState.next, CUSTOMER | INSTRUCTIONS)
    kept = draft_from(tab.session["checkoutDraft"])
    assert kept.instructions(KEY) == Instructions("No onion", "Gate 2", no_cutlery=True)
    await tab.call(CustomerState.next, CUSTOMER | {"specialInstructions": "No onion"})
    assert draft_from(tab.session["checkoutDraft"]).instructions(KEY) == Instructions("No onion")


async def test_late_note_about_another_cart_is_ignored(tab):
    await tab.call(CustomerState.store_value, "specialInstructions", "No onion", "another-cart")
    assert draft_from(tab.session["checkoutDraft"]).note == ""


async def test_kitchens_note_stays_with_its_cart(tab):
    await tab.call(CustomerState.next, CUSTOMER | INSTRUCTIONS)
    await to_details(tab, key="the-key-of-another-cart")
    assert tab.get(CustomerState.values) == EMPTY | CUSTOMER | INSTRUCTIONS | {
        "specialInstructions": ""
    }
    await to_details(tab)
    assert tab.get(CustomerState.values)["specialInstructions"] == "No onion"


# Missing steps


async def test_details_show_the_bill(tab, services):
    order = (await services.ordering.prepare(order_request())).order
    assert amounts_to_pay(order.bill).items() <= tab.get(CustomerState.bill).items()
    assert tab.get(CustomerState.restaurant) == "Pehla Food Point"
