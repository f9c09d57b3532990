"""The contact details. Source: specification 5.1 to 5.8."""

import pytest

from campus_app.domain.constants import WAITING_ROOM_SECONDS
from campus_app.domain.customer import FIELDS
from campus_app.domain.messages import CustomerMessage, OrderMessage
from campus_app.states.browser_storage import draft_from
from campus_app.states.checkout import NO_CART, SUMMARY_FIRST
from campus_app.states.customer import CustomerState
from tests.campus_app.states.session import Move
from tests.campus_app.states.steps import notice, to_details, to_menu, to_summary
from tests.helpers.builders import CUSTOMER, at

pytestmark = pytest.mark.anyio

NO_ERRORS = dict.fromkeys(FIELDS, "")
EMPTY = NO_ERRORS | {"phoneNumber": "+91 "}


def focused(tab):
    """Return which field the focus was moved to, if one."""
    return [word for event in tab.other_events for word in FIELDS if word in str(event.payload)]


# What is wrong with the fields


@pytest.mark.parametrize(
    ("field", "typed", "message"),
    [
        ("fullName", "", "Name is required"),
        ("fullName", " \u200b ", "Name is required"),
        ("email", "", "Email is required"),
        ("email", "aarav@students", "Please enter a valid email address"),
        ("email", "aarav at students.example", "Please enter a valid email address"),
        ("phoneNumber", "", "Phone number is required"),
        ("phoneNumber", "+91 ", "Phone number is required"),
        ("phoneNumber", "+91 12345 67890", "Please enter a valid Indian phone number"),
        ("phoneNumber", "+91 98000 0000", "Please enter a valid Indian phone number"),
        ("address", "", "Address is required"),
    ],
)
async def test_each_field_says_what_is_wrong_with_it(field, typed, message, tab):
    await to_details(tab)
    await tab.call(CustomerState.next, CUSTOMER | {field: typed})
    assert tab.sees(CustomerState.errors) == NO_ERRORS | {field: message}
    assert tab.moves == []


async def test_everything_that_is_wrong_is_said_at_once_and_the_first_field_has_the_focus(tab):
    await to_details(tab)
    await tab.call(CustomerState.next, CUSTOMER | {"email": "x", "address": ""})
    errors = tab.sees(CustomerState.errors)
    assert [name for name, message in errors.items() if message] == ["email", "address"]
    assert focused(tab) == ["email"]


@pytest.mark.parametrize("field", FIELDS)
async def test_a_missing_field_shows_the_alert(field, tab):
    await to_details(tab)
    await tab.call(CustomerState.next, CUSTOMER | {field: ""})
    assert tab.sees(CustomerState.alert) == "Please fill in all the details."


async def test_the_phone_field_begins_with_its_prefix_and_that_alone_is_no_number(tab):
    await to_details(tab)
    assert tab.sees(CustomerState.values) == EMPTY
    await tab.call(CustomerState.next, CUSTOMER | {"phoneNumber": "+91 "})
    assert tab.sees(CustomerState.errors)["phoneNumber"] == CustomerMessage.PHONE_REQUIRED


async def test_a_field_error_clears_when_that_field_is_edited(tab):
    await to_details(tab)
    await tab.call(CustomerState.next, {})
    await tab.call(CustomerState.edit, "email")
    errors = tab.sees(CustomerState.errors)
    assert [name for name in FIELDS if not errors[name]] == ["email"]
    assert tab.sees(CustomerState.alert) == ""


@pytest.mark.parametrize("name", ["", "password", "__class__", 5, None, ["email"], {"email": 1}])
async def test_editing_what_is_no_field_clears_nothing(name, tab):
    await to_details(tab)
    await tab.call(CustomerState.next, {})
    before = dict(tab.sees(CustomerState.errors))
    await tab.call(CustomerState.edit, name)
    assert tab.sees(CustomerState.errors) == before


@pytest.mark.parametrize(
    "form",
    [
        None,
        5,
        "fullName=x",
        [],
        [["fullName", "x"]],
        {},
        dict.fromkeys(FIELDS),
        dict.fromkeys(FIELDS, 5),
        {name: ["x"] for name in FIELDS},
        {name: {"a": "x"} for name in FIELDS},
        {"amount": 1, "isPaid": True},
    ],
    ids=repr,
)
async def test_a_forged_form_is_an_empty_one(form, tab):
    await to_details(tab)
    await tab.call(CustomerState.next, form)
    assert all(tab.sees(CustomerState.errors).values())
    assert tab.moves == []


async def test_what_is_typed_without_end_is_cut_before_it_is_kept(tab):
    await to_details(tab)
    await tab.call(CustomerState.next, CUSTOMER | {"address": "x" * 100_000})
    assert tab.sees(CustomerState.errors)["address"] == CustomerMessage.ADDRESS_TOO_LONG
    assert len(tab.session["checkoutDraft"]) < 2_000


# The first NEXT and the second


async def test_the_first_next_shows_where_the_updates_go(tab):
    await to_details(tab)
    await tab.call(CustomerState.next, CUSTOMER | {"phoneNumber": "098000-00001"})
    assert tab.sees(CustomerState.confirmed_email) == "aarav@students.example"
    assert tab.sees(CustomerState.confirmed_phone) == "+91 98000 00001"
    assert tab.moves == []


async def test_the_second_next_goes_on_to_the_waiting_room(tab):
    await to_details(tab)
    await tab.call(CustomerState.next, CUSTOMER)
    await tab.call(CustomerState.next, CUSTOMER)
    assert tab.moves == [Move("/waiting-room")]


async def test_other_details_are_shown_once_more(tab):
    await to_details(tab)
    await tab.call(CustomerState.next, CUSTOMER)
    await tab.call(CustomerState.next, CUSTOMER | {"email": "asha@students.example"})
    assert tab.sees(CustomerState.confirmed_email) == "asha@students.example"
    assert tab.moves == []


@pytest.mark.parametrize("field", FIELDS)
async def test_an_edit_asks_to_confirm_again(field, tab):
    await to_details(tab)
    await tab.call(CustomerState.next, CUSTOMER)
    await tab.call(CustomerState.edit, field)
    assert tab.sees(CustomerState.confirmed_email) == ""
    await tab.call(CustomerState.next, CUSTOMER)
    assert tab.moves == []


async def test_what_is_to_be_confirmed_stays_shown_when_the_line_or_the_page_comes_back(tab):
    await to_details(tab)
    await tab.call(CustomerState.next, CUSTOMER)
    await tab.visit("/personal-info")
    assert tab.sees(CustomerState.confirmed_email) == CUSTOMER["email"]
    await tab.call(CustomerState.next, CUSTOMER)
    assert tab.moves == [Move("/waiting-room")]


async def test_details_that_were_told_since_then_are_shown_once_more(tab):
    await to_details(tab)
    await tab.call(CustomerState.next, CUSTOMER)
    await tab.call(CustomerState.leave, "fullName", "Asha Rao")
    await tab.visit("/personal-info")
    assert tab.sees(CustomerState.confirmed_email) == ""
    await tab.call(CustomerState.next, CUSTOMER | {"fullName": "Asha Rao"})
    assert tab.moves == []


async def test_the_countdown_begins_with_the_second_next(tab, clock):
    await to_details(tab)
    await tab.call(CustomerState.next, CUSTOMER)
    clock.advance(minutes=5)
    await tab.call(CustomerState.next, CUSTOMER)
    kept = draft_from(tab.session["checkoutDraft"])
    assert kept.pay_until == clock.now().timestamp() + WAITING_ROOM_SECONDS


async def test_a_kitchen_that_closed_meanwhile_does_not_go_on(tab, clock):
    await to_details(tab)
    await tab.call(CustomerState.next, CUSTOMER)
    clock.set(at(20, 30))
    await tab.call(CustomerState.next, CUSTOMER)
    assert tab.moves == []
    closed = OrderMessage.RESTAURANT_CLOSED.format(name="Pehla Food Point")
    assert notice(tab) == f"{closed} {OrderMessage.CART_KEPT}"


# What was typed is kept


async def test_what_was_typed_is_there_after_a_reload(tab, open_tab):
    await to_details(tab)
    await tab.call(CustomerState.leave, "fullName", "Aarav")
    await tab.call(CustomerState.leave, "phoneNumber", "+91 98")
    reloaded = open_tab(tab.local, tab.session)
    await reloaded.visit("/personal-info")
    assert reloaded.sees(CustomerState.values) == EMPTY | {
        "fullName": "Aarav",
        "phoneNumber": "+91 98",
    }


async def test_what_was_typed_is_not_there_in_another_tab(tab, open_tab):
    await to_details(tab)
    await tab.call(CustomerState.leave, "fullName", "Aarav")
    other = open_tab(tab.local)
    await to_details(other)
    assert other.sees(CustomerState.values) == EMPTY


async def test_details_with_errors_are_kept_too(tab):
    await to_details(tab)
    await tab.call(CustomerState.next, CUSTOMER | {"email": "x"})
    await tab.visit("/personal-info")
    assert tab.sees(CustomerState.values) == CUSTOMER | {"email": "x"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fullName", 5),
        ("fullName", None),
        ("fullName", ["Aarav"]),
        ("fullName", {"a": 1}),
        ("amount", "1"),
        ("payUntil", "1e999"),
        (5, "Aarav"),
        (None, "Aarav"),
        (["fullName"], "Aarav"),
    ],
    ids=repr,
)
async def test_what_is_no_field_or_no_text_is_not_kept(name, value, tab):
    await to_details(tab)
    before = tab.session["checkoutDraft"]
    await tab.call(CustomerState.leave, name, value)
    assert tab.session["checkoutDraft"] == before


async def test_a_field_keeps_no_more_than_a_field_can_hold(tab):
    await to_details(tab)
    await tab.call(CustomerState.leave, "address", "x" * 10_000)
    assert draft_from(tab.session["checkoutDraft"]).details["address"] == "x" * 400


# The step that is missing


async def test_without_a_cart_it_begins_with_the_campus(tab):
    """Source: specification S12."""
    await tab.visit("/personal-info")
    assert tab.moves == [Move("/campus", replaces=True)]
    assert notice(tab) == NO_CART


async def test_without_a_look_at_the_summary_it_comes_first(tab):
    await to_menu(tab, {"104": 3})
    await tab.visit("/personal-info")
    assert tab.moves == [Move("/checkout", replaces=True)]
    assert notice(tab) == SUMMARY_FIRST


async def test_a_price_that_changed_leads_back_to_the_summary(tab, kitchens):
    await to_summary(tab)
    kitchens.change_price(1, "112", "165")
    await tab.visit("/personal-info")
    assert tab.moves == [Move("/checkout", replaces=True)]
    assert notice(tab) == OrderMessage.PRICE_MISMATCH


async def test_a_cart_that_is_gone_at_the_second_next_begins_anew(tab, clock):
    await to_details(tab)
    await tab.call(CustomerState.next, CUSTOMER)
    clock.set(at(13, day=19))
    await tab.call(CustomerState.next, CUSTOMER)
    assert tab.moves == [Move("/campus", replaces=True)]
    assert notice(tab) == NO_CART


async def test_what_is_to_pay_stands_beside_the_details(tab):
    await to_details(tab)
    bill = tab.sees(CustomerState.bill)
    assert (bill["grand_total"], bill["online"], bill["remaining"]) == ("₹400", "₹65", "₹335")
    assert tab.sees(CustomerState.restaurant) == "Pehla Food Point"
