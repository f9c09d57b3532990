"""Taps and input before hydration are kept, and handled exactly once."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.assistant_page import DESKTOP, dialog
from tests.e2e.frames import wait_for_fonts, wait_for_frames
from tests.e2e.journey import DETAILS, connect_at_once, to_details, wait_until_hydrated
from tests.e2e.network import HeldScripts, PageSocket


def open_with_held_scripts(page, address):
    """Open a page whose scripts are held."""
    held = HeldScripts(page)
    page.goto(address, wait_until="commit")
    page.wait_for_selector("#main, .tara, main")
    return held


def sent_messages(page):
    """Return a list that collects the page's sent messages."""
    messages = []
    page.on(
        "websocket", lambda socket: socket.on("framesent", lambda text: messages.append(str(text)))
    )
    return messages


def count_events(messages, event):
    return sum(f".{event}" in text for text in messages)


def test_force_desktop_shows_page_when_tapped_before_hydration(page):
    held = open_with_held_scripts(page, "/")
    button = page.get_by_role("button", name="Force Desktop Version")
    button.click()
    expect(button).to_have_attribute("aria-busy", "true")
    held.release()
    expect(page.locator("html")).to_have_attribute("data-view", "page")


def test_demo_dialog_opens_when_button_is_tapped_before_hydration(visit, server):
    page = visit(server, **DESKTOP)
    held = open_with_held_scripts(page, "/")
    page.get_by_role("button", name="Join Waitlist & Request a Demo").first.click()
    held.release()
    expect(dialog(page)).to_be_visible()


def to_hear_tara(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    held = open_with_held_scripts(page, "/")
    button = page.locator(".hero").get_by_role("button", name="Hear TARA")
    return page, held, button


def test_hear_tara_plays_before_the_scripts_and_goes_on_with_them(visit, server):
    page, held, button = to_hear_tara(visit, server)
    button.click()
    page.wait_for_function("() => earlySound.currentTime > 0.2")
    before = page.evaluate("earlySound.currentTime")
    held.release()
    expect(page.locator(".hero").get_by_role("button", name="Stop")).to_be_visible()
    expect(page.locator(".hero-call .c:not([aria-hidden])")).not_to_be_empty()
    assert page.evaluate("!earlySound.paused && earlySound.currentTime") >= before
    page.locator(".hero").get_by_role("button", name="Stop").click()
    page.wait_for_function("() => earlySound.paused && earlySound.currentTime === 0")


def test_hear_tara_stays_stopped_when_stopped_before_the_scripts(visit, server):
    page, held, button = to_hear_tara(visit, server)
    button.click()
    page.wait_for_function("() => !earlySound.paused")
    button.click()
    assert page.evaluate("earlySound.paused")
    held.release()
    expect(button).not_to_have_attribute("aria-busy", "true")
    expect(page.locator(".hero-call")).to_have_count(0)
    assert page.evaluate("earlySound.paused")


def test_hear_tara_shows_a_press_at_once_and_plays_when_the_scripts_are_there(visit, server):
    page, held, button = to_hear_tara(visit, server)
    wait_for_fonts(page)
    before = button.bounding_box()
    button.click()
    expect(button).to_have_attribute("aria-busy", "true")
    line = button.evaluate("(it) => getComputedStyle(it, '::after').backgroundImage")
    assert line.startswith("linear-gradient")
    assert button.bounding_box() == before
    held.release()
    expect(page.locator(".hero").get_by_role("button", name="Stop")).to_be_visible()


def test_dish_is_added_once_per_tap_before_hydration(page):
    taps = 3
    held = open_with_held_scripts(page, "/menu/1")
    card = page.get_by_role("group", name="Rajma Chawal", exact=True).first
    for _ in range(taps):
        card.get_by_role("button", name="Add one Rajma Chawal").click()
    held.release()
    expect(card.get_by_test_id("quantity")).to_have_text(str(taps))
    expect(page.get_by_test_id("subtotal")).to_have_text(f"₹{110 * taps}")


def test_page_stays_under_a_finger_that_is_down_during_hydration(page):
    held = open_with_held_scripts(page, "/menu/1")
    card = page.get_by_role("group", name="Masala Chaas", exact=True).last
    add_button = card.get_by_role("button", name="Add one Masala Chaas")
    wait_for_fonts(page)
    add_button.scroll_into_view_if_needed()
    wait_for_frames(page, 2)  # a row gets its buttons in the frame in which it is first seen
    place = add_button.bounding_box()
    page.mouse.move(place["x"] + 20, place["y"] + 20)
    page.mouse.down()
    held.release()
    wait_until_hydrated(page)
    page.mouse.up()
    expect(card.get_by_test_id("quantity")).to_have_text("1")
    # Rows out of view have estimated heights until they are seen: some pixels are no jump.
    assert abs(add_button.bounding_box()["y"] - place["y"]) < place["height"] / 2


def test_party_size_grows_by_one_when_tapped_before_hydration(page):
    messages = sent_messages(page)
    held = open_with_held_scripts(page, "/pre-reserve")
    page.get_by_role("button", name="More guests").click()
    held.release()
    expect(page.get_by_test_id("party-size")).to_have_text("3")
    assert count_events(messages, "more_guests") == 1


def test_list_is_filtered_when_tab_is_tapped_before_hydration(page):
    held = open_with_held_scripts(page, "/about")
    tab = page.get_by_role("tab").nth(1)
    tab.click()
    held.release()
    expect(tab).to_have_attribute("aria-selected", "true")


@pytest.mark.parametrize("address", ["/campus", "/checkout"])
def test_language_changes_when_button_is_tapped_before_hydration(page, address):
    held = open_with_held_scripts(page, address)
    page.get_by_role("button", name="हिन्दी").click()
    held.release()
    expect(page.locator("html")).to_have_attribute("lang", re.compile("^hi"))


def test_details_are_kept_when_typed_before_hydration(page, server):
    to_details(page, server)
    messages = sent_messages(page)
    held = HeldScripts(page)
    page.reload(wait_until="commit")
    # The address field is hidden until the server has said that no table is ordered.
    early = {label: value for label, value in DETAILS.items() if label != "Address"}
    expect(page.get_by_label("Address")).to_be_hidden()
    for label, value in early.items():
        page.get_by_label(label).fill(value)
    held.release()
    expect(page.get_by_test_id("clock")).to_have_text(re.compile(r"\d\d:\d\d"))
    for label, value in early.items():
        expect(page.get_by_label(label)).to_have_value(value)
    page.get_by_label("Address").fill(DETAILS["Address"])
    typed = page.evaluate("sessionStorage.getItem('typed_fullName')")
    assert typed == DETAILS["Full name"]
    page.get_by_label("Full name").blur()
    page.get_by_role("button", name="NEXT").click()
    expect(page.get_by_text("Check your details, then press NEXT again")).to_be_visible()
    assert count_events(messages, "next") == 1


def test_details_are_validated_once_when_submitted_before_hydration(page, server):
    to_details(page, server)
    messages = sent_messages(page)
    held = HeldScripts(page)
    page.reload(wait_until="commit")
    page.get_by_label("Full name").fill("Aarav Sharma")
    page.get_by_label("Full name").press("Enter")
    held.release()
    expect(page.get_by_label("Email")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Full name")).to_have_value("Aarav Sharma")
    assert page.url.endswith("/personal-info")
    assert count_events(messages, "next") == 1


def test_tap_is_handled_once_when_socket_connects_later(page):
    messages = sent_messages(page)
    socket = PageSocket(page, is_cut=True)
    page.goto("/pre-reserve")
    expect(page.get_by_test_id("clock")).to_have_text(re.compile(r"\d\d:\d\d"))
    page.get_by_role("button", name="More guests").click()
    socket.reconnect()
    connect_at_once(page)
    expect(page.get_by_test_id("party-size")).to_have_text("3")
    assert count_events(messages, "more_guests") == 1
