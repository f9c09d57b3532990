"""Say it in your own words: typed by keyboard, in both languages, with times and form; by voice."""

import re

import pytest
from playwright.sync_api import expect

from kit.translations import use_locale
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
from voice_site.content import talk as content

BOX = "Say it in your own words"
MEASURED = re.compile(
    r"^\d+(\.\d)? ms from the end of your sentence to the answer\. Understood by rules\.$"
)
SPEECH = """
window.asked = 0;
window.spoken = [];
window.SpeechRecognition = class {
  start() {
    asked += 1;
    setTimeout(() => {
      this.onspeechend();
      setTimeout(() => {
        if (window.refusal) this.onerror({ error: window.refusal });
        else this.onresult({ results: [[{ transcript: "where is my order 4712" }]] });
        this.onend();
      }, 30);
    }, 10);
  }
  stop() {}
};
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text } };
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [{ lang: "en-GB" }, { lang: "en_IN" }],
  speak: ({ text, lang }) => spoken.push([lang, text]),
  cancel() {},
  addEventListener() {},
}});
"""


@pytest.fixture
def page(visit, server):
    return visit(server, **DESKTOP, reduced_motion="reduce")


@pytest.fixture
def talk(page):
    """The section on a desktop, with a browser that can speak and listen."""
    page.add_init_script(SPEECH)
    open_page(page)
    return section(page)


def section(page):
    return page.get_by_test_id("talk")


def say(talk, sentence):
    box = talk.get_by_role("textbox", name=BOX)
    box.fill(sentence)
    box.press("Enter")
    expect(talk.locator(".replay__log li").last).to_have_attribute("aria-current", "true")


def reply(talk):
    return talk.get_by_test_id("talk-reply")


def entry(talk, name):
    return talk.get_by_test_id(f"talk-field-{name}")


def test_appointment_is_booked_by_keyboard_with_form_and_times(page, talk):
    say(talk, "I'd like to see Dr Rao next Friday")
    expect(reply(talk)).to_contain_text("At what time?")
    expect(entry(talk, "doctor")).to_have_text("Dr Rao")
    expect(entry(talk, "day")).to_have_text("Friday, 27 November")
    expect(talk.get_by_test_id("talk-latency")).to_have_text(MEASURED)
    say(talk, "half past four")
    say(talk, "Rohan Sharma")
    expect(reply(talk)).to_have_text(
        "Dr Rao, Friday, 27 November, 4:30 pm, in the name of Rohan Sharma. Is that right?"
    )
    say(talk, "no, 5:30")
    expect(entry(talk, "time")).to_have_text("5:30 pm")
    expect(entry(talk, "outcome")).to_have_text("")
    say(talk, "yes")
    expect(entry(talk, "outcome")).to_have_text("Booked, as in a real call")
    expect(talk.get_by_role("textbox", name=BOX)).to_be_focused()
    reached = talk.locator(".replay__steps [data-reached]")
    expect(reached).to_have_count(4)
    expect(reached.first).to_contain_text("typed")
    check_accessibility(page, "talk", within="#talk")


def test_mixed_language_is_answered_in_hindi_on_the_english_page(talk):
    talk.get_by_role("button", name="kal shaam ko Dr. Mehta se milna hai").click()
    expect(reply(talk)).to_have_text("शाम को कितने बजे?")
    expect(reply(talk)).to_have_attribute("lang", "hi")
    expect(entry(talk, "time")).to_have_text("In the evening")


def test_hindi_page_speaks_hindi_and_has_its_own_suggestions(page):
    open_page(page, "/?language=hi")
    talk = section(page)
    with use_locale("hi"):
        box, chip = content.words()["box"], content.suggestions()[2]["text"]
    talk.get_by_role("button", name=chip).click()
    expect(entry(talk, "number")).to_have_text("4712")
    expect(entry(talk, "status")).to_have_text("रास्ते में")
    expect(talk.get_by_test_id("talk-latency")).to_contain_text("नियमों से समझा गया")
    expect(talk.get_by_role("textbox", name=box)).to_be_focused()


def test_person_takes_over_after_three_misunderstandings(talk):
    for sentence in ("blub", "blab", "blib"):
        say(talk, sentence)
    expect(reply(talk)).to_contain_text("I connect you with a colleague.")


def test_start_again_forgets_the_conversation(talk):
    say(talk, "where is my order 4712")
    talk.get_by_role("button", name="Start again").click()
    expect(talk.locator(".replay__log li")).to_have_count(0)
    expect(talk.get_by_role("button", name="Where is my order 4712?")).to_be_visible()
    say(talk, "yes")
    expect(reply(talk)).to_contain_text("What can I do for you?")


def test_reload_begins_a_new_conversation(page, talk):
    say(talk, "I need an appointment with Dr Rao")
    page.reload()
    expect(talk.locator(".replay__log li")).to_have_count(0)
    say(talk, "Friday")
    expect(reply(talk)).to_have_text("What is it for: the clinic, the college, or an order?")


def test_conversation_begins_again_politely_when_the_server_has_lost_it(visit, own_server):
    page = visit(own_server, **DESKTOP)
    open_page(page)
    say(section(page), "I need an appointment with Dr Rao")
    own_server.restart()
    box = section(page).get_by_role("textbox", name=BOX)
    box.fill("Friday")
    box.press("Enter")
    expect(reply(section(page))).to_contain_text("The connection was lost, so let us begin again.")


def test_speech_is_asked_for_with_the_warning_first(page, talk):
    talk.get_by_role("button", name="Speak", exact=True).click()
    expect(talk.get_by_text("its maker may hear what you say")).to_be_visible()
    check_accessibility(page, "talk, the warning before speech", within="#talk")
    assert page.evaluate("asked") == 0
    talk.get_by_role("button", name="Speak now").press("Enter")
    expect(reply(talk)).to_contain_text("Order 4712 is on its way.")
    heard = talk.locator(".replay__steps b").first
    expect(heard).to_have_text(re.compile(r"^\d+(\.\d)? ms$"))
    assert page.evaluate("asked") == 1


def test_refused_microphone_is_told_and_the_box_stays(page, talk):
    page.evaluate("window.refusal = 'not-allowed'")
    talk.get_by_role("button", name="Speak", exact=True).click()
    talk.get_by_role("button", name="Speak now").click()
    expect(talk.get_by_text("does not give this page the microphone")).to_be_visible()
    say(talk, "hello")


def test_answers_are_read_aloud_only_when_switched_on(page, talk):
    say(talk, "where is my order 4712")
    talk.get_by_role("checkbox", name="Read aloud").check()
    say(talk, "no, 4713")
    eventually(lambda: page.evaluate("spoken"), "an answer is spoken")
    ((language, text),) = page.evaluate("spoken")
    assert (language, text.split(".")[0]) == ("en_IN", "Order 4713 was delivered yesterday")
    say(talk, "phir se boliye")
    expect(talk.get_by_text("Your browser has no voice for this language.")).to_be_visible()


def test_dialog_of_the_demo_request_leads_to_the_demonstration(page, talk):
    open_dialog(page, "Try Demo Version").get_by_role("button", name="Or try it right now").press(
        "Enter"
    )
    expect(dialog(page)).to_be_hidden()
    expect(talk.get_by_role("textbox", name=BOX)).to_be_focused()
    expect(talk.get_by_role("textbox", name=BOX)).to_be_in_viewport()


def test_request_says_that_the_demonstration_was_tried_and_nothing_more(
    page, talk, server, customer
):
    email = customer.replace("students", "company")
    say(talk, "my name is Secretly Said")
    open_dialog(page)
    to_variants(page, **{"Business Email": email})
    tried = "You have tried the demonstration; what you said stays out"
    expect(dialog(page).get_by_role("checkbox", name=tried)).to_be_checked()
    request_demo(page)
    expect(dialog(page).get_by_role("heading", name="Thank you.")).to_be_visible()
    (row,) = eventually(lambda: requests_of(server, email), "the request is stored")
    assert '"tried": true' in row["journey"]
    assert "Secretly" not in server.log.read_text() + str(row)


def test_phone_that_forces_the_desktop_version_can_talk(visit, server):
    page = visit(server)
    open_page(page, "/?desktop=true")
    say(section(page), "where is my order 4712")
    expect(entry(section(page), "status")).to_have_text("On its way")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_section_says_that_it_needs_javascript_when_that_is_off(visit, server):
    page = visit(server, **DESKTOP, java_script_enabled=False)
    page.goto("/")
    told = section(page).locator("noscript p")  # Playwright finds no text within noscript
    expect(told).to_be_visible()
    expect(told).to_have_text("This needs JavaScript, which is off.")
    expect(section(page).get_by_role("textbox")).to_be_hidden()
