"""Contact details that a browser remembers. Source: specification 10.57."""

import json

import pytest
from playwright.sync_api import expect

from campus_app.shared.rules.constants import MAXIMUM_INPUT_CHARACTERS
from campus_app.shared.translations import LANGUAGES, t
from kit.translations import use_locale
from tests.e2e.accessibility import check_accessibility
from tests.e2e.journey import (
    DETAILS,
    at_confirmation,
    at_details,
    at_waiting_room,
    confirm_details,
    expect_storage_event,
    give_details,
    local_storage,
    open_page,
    open_payment,
    pay,
    session_storage,
    to_checkout,
    to_details,
)
from tests.helpers.product import eventually

STORED = "rememberedDetails"
BOX = "Remember my details on this device"
FILLED_IN = "Filled in as in your last order. Please check, then press NEXT."
CHECK = "Check your details, then press NEXT again"
DAY_MS = 24 * 3_600_000


def store(page, server, days_ago=0, **changes):
    """Put remembered details into the storage of the browser."""
    details = {
        "fullName": "Aarav Sharma",
        "email": "aarav@students.example",
        "phoneNumber": "+91 98000 11111",
        "addresses": {"north": "Hostel 4, room 12"},
        "at": server.now.timestamp() * 1_000 - days_ago * DAY_MS,
        "isChecked": True,
    } | changes
    page.goto("/health")
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [STORED, json.dumps(details)])


def to_waiting_room_remembered(page, server, customer):
    """Give contact details, and let the browser remember them."""
    to_details(page, server)
    give_details(page, Email=customer)
    page.get_by_label(BOX).check()
    confirm_details(page)
    at_waiting_room(page)


def fields(page):
    return [page.get_by_label(name, exact=True).input_value() for name in DETAILS]


def test_details_are_remembered_only_when_asked(page, server, customer):
    to_details(page, server)
    expect(page.get_by_label(BOX)).not_to_be_checked()
    give_details(page, Email=customer)
    confirm_details(page)
    at_waiting_room(page)
    assert local_storage(page, STORED) is None
    to_details(page, server)
    page.get_by_label(BOX).check()
    page.get_by_label("Full name").fill("")
    page.get_by_role("button", name="NEXT").click()
    expect(page.locator(".field-error")).to_be_visible()
    assert local_storage(page, STORED) is None
    give_details(page, Email=customer)
    confirm_details(page)
    at_waiting_room(page)
    kept = json.loads(local_storage(page, STORED))
    assert (kept["email"], list(kept["addresses"])) == (customer, ["north"])


def test_second_order_needs_two_taps_from_the_summary_to_pay(visit, server, customer):
    first = visit(server)
    to_waiting_room_remembered(first, server, customer)
    number = open_payment(first)
    pay(first)
    at_confirmation(first)
    first.get_by_role("button", name="Stay on this page").click()

    again = first.context.new_page()  # the next visit: a tab that has typed nothing
    sent = []
    again.on(
        "websocket", lambda socket: socket.on("framesent", lambda text: sent.append(str(text)))
    )
    open_page(again, "/underprogress")
    again.get_by_test_id(f"order-{number}").get_by_role("button", name="Order again").click()
    again.wait_for_url("**/checkout")
    expect(again.get_by_test_id("grand-total")).to_be_visible()
    again.get_by_role("button", name="NEXT").click()
    at_details(again)
    expect(again.get_by_text(FILLED_IN)).to_be_visible()
    assert fields(again) == list((DETAILS | {"Email": customer}).values())
    for name in DETAILS:
        again.get_by_label(name, exact=True).focus()
    again.get_by_role("button", name="NEXT").focus()
    again.wait_for_timeout(300)  # a message would have been sent
    for value in (customer, DETAILS["Address"], DETAILS["Full name"]):
        assert value not in "".join(sent), value
    again.get_by_role("button", name="NEXT").click()
    at_waiting_room(again)
    assert customer in "".join(sent)
    open_payment(again)
    pay(again)


@pytest.mark.parametrize("code", LANGUAGES)
def test_remembered_details_are_accessible(code, visit, server):
    with use_locale(code):
        page = visit(server, reduced_motion="reduce", is_mobile=False, has_touch=False)
        store(page, server)
        to_details(page, server)
        expect(page.get_by_text(t(FILLED_IN))).to_be_visible()
        check_accessibility(page, "details-remembered")
        open_page(page, "/underprogress")
        expect(page.get_by_label(t("Full name"))).to_have_value("Aarav Sharma")
        check_accessibility(page, "orders-remembered-details")


def test_changed_details_are_checked_again(page, server):
    store(page, server)
    to_details(page, server)
    expect(page.get_by_text(FILLED_IN)).to_be_visible()
    page.get_by_label("Address").fill("Library, main gate")
    expect(page.get_by_text(FILLED_IN)).to_have_count(0)
    confirm_details(page)
    at_waiting_room(page)
    kept = json.loads(local_storage(page, STORED))
    assert kept["addresses"] == {"north": "Library, main gate"}


def test_address_belongs_to_its_campus(page, server):
    store(page, server)
    to_checkout(page, server)
    page.get_by_role("button", name="Change campus").click()
    page.get_by_role("button", name="South Campus").click()
    expect(page.get_by_test_id("campus")).to_contain_text("South Campus")
    page.get_by_role("button", name="NEXT").click()
    at_details(page)
    expect(page.get_by_label("Full name")).to_have_value("Aarav Sharma")
    expect(page.get_by_label("Address")).to_have_value("")
    expect(page.get_by_text(FILLED_IN)).to_have_count(0)
    page.get_by_label("Address").fill("Block C, room 7")
    confirm_details(page)
    at_waiting_room(page)
    kept = json.loads(local_storage(page, STORED))
    assert kept["addresses"] == {"north": "Hostel 4, room 12", "south": "Block C, room 7"}


def test_hint_of_remembered_details_is_not_shown_beside_the_check(page, server):
    addresses = {"north": "Hostel 4, room 12", "south": "Block C, room 7"}
    store(page, server, addresses=addresses)
    to_details(page, server)
    expect(page.get_by_text(FILLED_IN)).to_be_visible()
    other = page.context.new_page()
    open_page(other, "/checkout")
    await_campus = expect_storage_event(page, "selectedCampus")
    other.get_by_role("button", name="Change campus").click()
    other.get_by_role("button", name="South Campus").click()
    expect(other.get_by_test_id("campus")).to_contain_text("South Campus")
    await_campus()
    page.get_by_role("button", name="NEXT").click()
    expect(page.get_by_text(CHECK)).to_be_visible()
    expect(page.get_by_text(FILLED_IN)).to_have_count(0)


def test_unticked_box_forgets_the_details_with_the_order(page, server):
    store(page, server)
    to_details(page, server)
    page.get_by_label(BOX).uncheck()
    page.reload()
    at_details(page)
    expect(page.get_by_label(BOX)).not_to_be_checked()
    page.get_by_role("button", name="NEXT").click()
    at_waiting_room(page)
    assert local_storage(page, STORED) is None


def test_ticked_box_stays_ticked_over_a_reload_until_the_order(page, server, customer):
    to_details(page, server)
    page.get_by_label(BOX).check()
    page.reload()
    at_details(page)
    expect(page.get_by_label(BOX)).to_be_checked()
    give_details(page, Email=customer)
    confirm_details(page)
    at_waiting_room(page)
    assert json.loads(local_storage(page, STORED))["email"] == customer
    open_page(page, "/underprogress")
    page.get_by_role("button", name="Forget my details").click()
    to_details(page, server)
    expect(page.get_by_label(BOX)).not_to_be_checked()


@pytest.mark.parametrize(
    "changes",
    [
        {"days_ago": 100},
        {"days_ago": -200},
        {"at": "yesterday"},
        {"at": None},
    ],
    ids=str,
)
def test_old_details_are_deleted(changes, page, server):
    store(page, server, **changes)
    to_details(page, server)
    assert fields(page) == ["", "", "+91 ", ""]
    expect(page.get_by_label(BOX)).not_to_be_checked()
    assert local_storage(page, STORED) is None


@pytest.mark.parametrize(
    "forged",
    [
        {"fullName": {"a": 1}, "email": ["x"], "phoneNumber": 7, "addresses": "north"},
        {"addresses": {"north": None, "__proto__": "x"}, "email": "x" * 5_000},
        {"addresses": None, "fullName": None},
    ],
    ids=["other types", "long", "nothing"],
)
def test_forged_details_break_no_screen(forged, page, server):
    store(page, server, **forged)
    to_details(page, server)
    expect(page.get_by_text(FILLED_IN)).to_have_count(0)
    assert max(map(len, fields(page))) <= MAXIMUM_INPUT_CHARACTERS
    open_page(page, "/underprogress")
    expect(page.get_by_role("heading", name="Your details")).to_be_visible()


def test_details_are_seen_changed_and_forgotten_in_one_place(visit, server):
    page = visit(server)
    store(page, server)
    open_page(page, "/underprogress")
    expect(page.get_by_label("Full name")).to_have_value("Aarav Sharma")
    page.get_by_label("Address · South Campus").fill("Block C, room 7")
    page.get_by_label("Phone number").fill("+91 98000 22222")
    kept = json.loads(local_storage(page, STORED))
    assert kept["phoneNumber"] == "+91 98000 22222"
    assert kept["addresses"] == {"north": "Hostel 4, room 12", "south": "Block C, room 7"}
    other = page.context.new_page()
    to_details(other, server)
    expect(other.get_by_label("Phone number")).to_have_value("+91 98000 22222")
    other.get_by_role("button", name="NEXT").click()
    expect(other.get_by_text(CHECK)).to_be_visible()  # no order has checked the new number
    forget = page.get_by_role("button", name="Forget my details")
    forget.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Forgotten. Your next order asks for them again.")).to_be_visible()
    expect(forget).to_have_count(0)
    assert local_storage(page, STORED) is None
    page.reload()
    expect(page.get_by_role("heading", name="On this device")).to_be_visible()
    expect(page.get_by_role("heading", name="Your details")).to_have_count(0)


def test_forgotten_details_are_not_filled_in_from_the_tab_that_typed_them(page, server, customer):
    to_waiting_room_remembered(page, server, customer)
    open_page(page, "/underprogress")
    page.get_by_role("button", name="Forget my details").click()
    expect(page.get_by_text("Forgotten.")).to_be_visible()
    eventually(lambda: "00001" not in session_storage(page, "checkoutDraft"), "the draft is empty")
    to_details(page, server)
    assert fields(page) == ["", "", "+91 ", ""]


def test_correction_is_used_in_the_tab_that_typed_the_old_text(page, server, customer):
    to_waiting_room_remembered(page, server, customer)
    open_page(page, "/underprogress")
    page.get_by_label("Phone number").fill("+91 98000 33333")
    page.get_by_label("Full name").focus()
    eventually(lambda: "00001" not in session_storage(page, "checkoutDraft"), "the draft is empty")
    to_details(page, server)
    expect(page.get_by_label("Phone number")).to_have_value("+91 98000 33333")
    expect(page.get_by_label("Email", exact=True)).to_have_value(customer)


def test_failed_payment_stands_in_place_of_the_hint(page, server, customer):
    store(page, server, email=customer)
    to_details(page, server)
    expect(page.get_by_text(FILLED_IN)).to_be_visible()
    page.get_by_role("button", name="NEXT").click()
    at_waiting_room(page)
    open_payment(page)
    pay(page, "Decline payment")
    at_details(page)
    expect(page.get_by_role("button", name="Try the payment again")).to_be_visible()
    expect(page.get_by_text(FILLED_IN)).to_have_count(0)


def test_refused_form_is_not_remembered(page, server, customer):
    to_details(page, server)
    give_details(page, Email=customer)
    confirm_details(page)
    at_waiting_room(page)
    page.go_back()
    at_details(page)
    page.get_by_label(BOX).check()
    page.get_by_label("Email", exact=True).fill("aarav@gmial.com")
    page.get_by_role("button", name="NEXT").click()
    expect(page.get_by_text(CHECK)).to_be_visible()
    page.go_forward()
    at_waiting_room(page)
    assert local_storage(page, STORED) is None
