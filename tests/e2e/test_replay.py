"""See it work: a call that visitors play, step through and answer, and the form that it fills in."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import check_accessibility
from tests.e2e.assistant_page import DESKTOP, greeting, open_page
from tests.e2e.frames import wait_for_fonts
from tests.e2e.test_hero_voice import AUDIO_FILE, KEEP_AUDIO
from tests.helpers.product import ROOT, eventually
from voice_site.content.calls import CALLS

CUES_FILE = re.compile(r"/audio/\w+-\w+\.json$")
TURNS = {
    (code, call): {
        turn["id"]: turn
        for turn in json.loads(
            (ROOT / "assets" / "audio" / f"{code}-{call}.json").read_text(encoding="utf-8")
        )["turns"]
    }
    for code in ("en", "hi")
    for call in ("clinic", "college", "order")
}
PATHS = {
    (call.id, reply[0].id): [turn.id for turn in reply]
    for call in CALLS["en"]
    for reply in call.replies
}
CLINIC = TURNS["en", "clinic"]
OUTCOMES = [
    ("A clinic", "clinic", "afternoon", "Booked, details sent by phone"),
    ("A clinic", "clinic", "morning", "Booked, details sent by phone"),
    ("A clinic", "clinic", "person", "Connected to the front desk"),
    ("A college", "college", "link", "Link sent, reminder a week before"),
    ("A college", "college", "fees", "List of all fees sent"),
    ("A college", "college", "hostel", "A counsellor calls back today"),
    ("A shop", "order", "at-home", "Someone is at home"),
    ("A shop", "order", "saturday", "Delivery moved"),
    ("A shop", "order", "cancel", "With a colleague, for the refund"),
]
PLAYED = """
window.plays = 0;
const play = HTMLMediaElement.prototype.play;
HTMLMediaElement.prototype.play = function () { plays += this.muted ? 0 : 1; return play.call(this) };
"""


@pytest.fixture
def page(visit, server):
    page = visit(server, **DESKTOP)
    page.add_init_script(KEEP_AUDIO + PLAYED)
    open_page(page, "/?desktop=true")
    replay(page).scroll_into_view_if_needed()
    return page


@pytest.fixture(scope="module")
def silent(module_visit, module_server):
    """The page for tests that step through calls and play no sound."""
    page = module_visit(module_server, **DESKTOP)
    page.add_init_script(PLAYED)
    open_page(page, "/?desktop=true")
    return page


@pytest.fixture
def stepped(silent):
    """The page at the first turn of the clinic's call, in English."""
    choose(silent, "English")
    choose(silent, "A clinic")
    button(silent, "Start again").evaluate("button => button.click()")
    expect(turn(silent)).to_have_text(CLINIC["greeting"]["text"])
    return silent


def replay(page):
    return page.locator("#replay")


def button(page, name):
    return replay(page).get_by_role("button", name=name, exact=True)


def choose(page, name):
    radio = page.get_by_role("radio", name=name)
    replay(page).locator("label").filter(has=radio).click()  # which waits for the end of a scroll


def turn(page):
    return replay(page).locator(".replay__log li[aria-current] p").first


def entries(page):
    """Return the form's entries by their labels."""
    form = replay(page).locator(".replay__form")
    pairs = zip(
        form.locator("dt").all_inner_texts(), form.locator("dd").all_inner_texts(), strict=True
    )
    return dict(pairs)


def reached_steps(page):
    return replay(page).locator(".replay__steps [data-reached] h3").all_inner_texts()


def announced(page):
    return replay(page).locator(".replay > [role=status]")


def step_to_branch(page, call="clinic"):
    for turn_id in ("request", "offer"):
        button(page, "Forward one turn").click()
        expect(turn(page)).to_have_text(TURNS["en", call][turn_id]["text"])


def step_to_end(page, call, reply):
    """Choose a reply at the branch, and step through its turns."""
    turns = TURNS["en", call]
    button(page, turns[reply]["text"]).click()
    expect(turn(page)).to_have_text(turns[reply]["text"])
    for turn_id in PATHS[call, reply][1:]:
        button(page, "Forward one turn").click()
        expect(turn(page)).to_have_text(turns[turn_id]["text"])
    expect(replay(page).get_by_text("The call is over.")).to_be_visible()


def hide_other_sections(page):
    """Hide the other sections, which have their own checks."""
    page.add_style_tag(content="main > .section:not(#replay) { display: none !important }")


def move_sound(page, turn_id):
    """Move the audio to 0.1 s before the end of a turn, in the clinic's call."""
    page.evaluate("to => { audio.currentTime = to }", CLINIC[turn_id]["ends"] - 0.1)


def test_replay_loads_no_file_before_a_press(visit, server):
    page = visit(server, **DESKTOP)
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    open_page(page, "/?desktop=true")
    replay(page).scroll_into_view_if_needed()
    expect(turn(page)).to_have_text(CLINIC["greeting"]["text"])
    page.wait_for_load_state("networkidle")
    late = [url for url in requested if "/audio/" in url or "replay_engine" in url]
    assert late == []
    assert set(entries(page).values()) == {""}
    assert replay(page).locator(".replay__steps li").count() == 5
    expect(replay(page).get_by_text("A scripted example.")).to_be_visible()


def test_first_turn_is_in_server_rendered_html(server):
    html = server.get("/").text
    assert "good morning. I&#x27;m Tara" in html
    assert "what is wanted, and for when" in html
    assert 'data-testid="call-replay"' in html


def test_each_reply_fills_the_form_when_stepped(stepped):
    page = stepped
    chosen = ""
    for name, call, reply, outcome in OUTCOMES:
        if call == chosen:
            button(page, "Another reply").click()
        else:
            choose(page, name)
            step_to_branch(page, call=call)
        chosen = call
        step_to_end(page, call, reply)
        assert entries(page)["Outcome"] == outcome
    assert page.evaluate("plays") == 0


def test_form_and_steps_follow_each_turn(stepped):
    page = stepped
    step = button(page, "Forward one turn")
    assert reached_steps(page) == ["Answer"]
    step.click()
    expect(turn(page)).to_have_text(CLINIC["request"]["text"])
    assert reached_steps(page) == ["Listen", "Understand"]
    assert {key: value for key, value in entries(page).items() if value} == {
        "Doctor": "Dr Mehta",
        "Day": "Friday",
    }
    step.click()
    expect(turn(page)).to_have_text(CLINIC["offer"]["text"])
    assert reached_steps(page) == ["Listen", "Understand", "Decide", "Act", "Answer"]
    button(page, "I would rather talk to a person.").click()
    expect(turn(page)).to_have_text(CLINIC["person"]["text"])
    step.click()
    expect(turn(page)).to_have_text(CLINIC["hand-over"]["text"])
    assert (entries(page)["Name"], entries(page)["Time"]) == ("", "")


def test_back_removes_the_entries_of_later_turns(stepped):
    page = stepped
    step_to_branch(page)
    button(page, "Half past four, please.").click()
    expect(turn(page)).to_have_text(CLINIC["afternoon"]["text"])
    assert entries(page)["Time"] == "4:30 pm"
    button(page, "Back one turn").click()
    expect(turn(page)).to_have_text(CLINIC["offer"]["text"])
    assert entries(page)["Time"] == ""
    expect(button(page, "Eleven in the morning is better.")).to_be_visible()
    button(page, "Start again").click()
    expect(turn(page)).to_have_text(CLINIC["greeting"]["text"])
    assert set(entries(page).values()) == {""}


def test_call_is_stepped_by_arrow_keys_and_announced(stepped):
    page = stepped
    page.keyboard.press("Tab")
    button(page, "Play").focus()
    page.keyboard.press("ArrowRight")
    expect(announced(page)).to_contain_text(CLINIC["request"]["text"])
    expect(announced(page)).to_contain_text("Doctor: Dr Mehta. Day: Friday.")
    page.keyboard.press("ArrowRight")
    expect(announced(page)).to_contain_text("What does the caller say?")
    page.keyboard.press("ArrowRight")
    expect(turn(page)).to_have_text(CLINIC["offer"]["text"])
    button(page, "Half past four, please.").focus()
    page.keyboard.press("Enter")
    expect(turn(page)).to_have_text(CLINIC["afternoon"]["text"])
    expect(button(page, "Play")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(turn(page)).to_have_text(CLINIC["offer"]["text"])


def test_play_follows_words_and_stops_at_the_branch(page):
    button(page, "Play").click()
    expect(button(page, "Pause")).to_be_visible()
    ahead = turn(page).locator(".is-ahead")
    eventually(lambda: 0 < ahead.count() < len(CLINIC["greeting"]["words"]) - 1, "words are spoken")
    move_sound(page, "greeting")
    expect(turn(page)).to_have_text(re.compile("see Doctor Mehta"))
    eventually(lambda: reached_steps(page) == ["Listen"], "TARA listens")
    assert entries(page)["Day"] == ""
    expect(announced(page)).to_be_empty()
    move_sound(page, "request")
    expect(turn(page)).to_have_text(re.compile("Which one suits you"))
    assert entries(page)["Day"] == "Friday"
    move_sound(page, "offer")
    expect(button(page, "Half past four, please.")).to_be_visible()
    assert page.evaluate("audio.paused")
    expect(button(page, "Play")).to_be_visible()


def test_chosen_reply_is_played_and_jumps_within_the_audio(page):
    button(page, "Play").click()
    expect(button(page, "Pause")).to_be_visible()
    move_sound(page, "greeting")
    eventually(lambda: "Listen" in reached_steps(page), "the caller speaks")
    move_sound(page, "request")
    eventually(lambda: "Answer" in reached_steps(page), "TARA speaks")
    move_sound(page, "offer")
    button(page, "Eleven in the morning is better.").click()
    expect(button(page, "Pause")).to_be_visible()
    eventually(
        lambda: page.evaluate("audio.currentTime") > CLINIC["morning"]["starts"], "the reply plays"
    )
    move_sound(page, "morning")
    expect(turn(page)).to_have_text(re.compile("Eleven in the morning, then"))
    move_sound(page, "ask-morning")
    expect(turn(page)).to_have_text(re.compile("Rohan Sharma"))
    assert page.evaluate("audio.currentTime") < CLINIC["booked-afternoon"]["starts"]
    move_sound(page, "name")
    expect(turn(page)).to_have_text(re.compile("on Friday at eleven"))
    eventually(lambda: entries(page)["Outcome"].startswith("Booked"), "the form is complete")
    move_sound(page, "booked-morning")
    expect(replay(page).get_by_text("The call is over.")).to_be_visible()
    assert page.evaluate("audio.paused")
    button(page, "Another reply").click()
    expect(button(page, "Half past four, please.")).to_be_visible()
    assert entries(page)["Name"] == ""


def test_focus_stays_in_the_replay_when_the_pressed_button_disappears(stepped):
    page = stepped
    step_to_branch(page)
    step_to_end(page, "clinic", "person")
    button(page, "Another reply").press("Enter")
    expect(button(page, "Half past four, please.")).to_be_visible()
    expect(button(page, "Play")).to_be_focused()


def test_play_after_the_end_starts_again(page):
    step_to_branch(page)
    step_to_end(page, "clinic", "person")
    button(page, "Play").click()
    expect(button(page, "Pause")).to_be_visible()
    expect(turn(page)).to_have_text(CLINIC["greeting"]["text"])


def test_pause_keeps_the_place_and_stepping_while_playing_plays_on(page):
    button(page, "Play").click()
    expect(button(page, "Pause")).to_be_visible()
    button(page, "Forward one turn").click()
    eventually(lambda: reached_steps(page) == ["Listen"], "the caller's turn plays")
    button(page, "Pause").click()
    expect(button(page, "Play")).to_be_visible()
    place = page.evaluate("audio.currentTime")
    assert CLINIC["request"]["starts"] - 0.3 < place < CLINIC["request"]["ends"]
    button(page, "Play").click()
    eventually(lambda: page.evaluate("audio.currentTime") > place, "the call goes on")
    assert page.evaluate("audio.currentTime") < place + 3


def test_language_change_keeps_the_place(stepped):
    page = stepped
    step_to_branch(page)
    choose(page, "हिन्दी")
    expect(turn(page)).to_have_text(TURNS["hi", "clinic"]["offer"]["text"])
    expect(turn(page)).to_have_attribute("lang", "hi")
    assert entries(page)["Doctor"] == "Dr Mehta"
    expect(replay(page).locator(".replay__ask button").first).to_have_text(
        TURNS["hi", "clinic"]["afternoon"]["text"]
    )


def test_language_change_continues_the_playing_turn(page):
    button(page, "Play").click()
    expect(button(page, "Pause")).to_be_visible()
    button(page, "Forward one turn").click()
    eventually(lambda: reached_steps(page) == ["Listen"], "the caller's turn plays")
    choose(page, "हिन्दी")
    hindi = TURNS["hi", "clinic"]["request"]
    expect(turn(page)).to_have_text(hindi["text"])
    eventually(lambda: page.evaluate("audio.currentTime") > hindi["starts"], "the call goes on")
    assert "hi-clinic" in page.evaluate("audio.src")
    assert not page.evaluate("audio.paused")


def test_first_turn_is_shown_in_the_chosen_language_before_a_load(page):
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    choose(page, "हिन्दी")
    expect(turn(page)).to_have_text(TURNS["hi", "clinic"]["greeting"]["text"])
    choose(page, "A shop")
    expect(turn(page)).to_have_text(TURNS["hi", "order"]["greeting"]["text"])
    assert [url for url in requested if "/audio/" in url] == []


def test_call_can_be_stepped_when_audio_fails(page):
    page.route(AUDIO_FILE, lambda route: route.fulfill(status=404))
    button(page, "Play").click()
    expect(replay(page).get_by_text("The sound can’t be played here.")).to_be_visible()
    step_to_branch(page)
    page.unroute(AUDIO_FILE)
    button(page, "Play").click()
    expect(button(page, "Pause")).to_be_visible()


def test_missing_cues_are_reported_and_can_be_retried(page):
    page.route(CUES_FILE, lambda route: route.abort())
    button(page, "Play").click()
    expect(replay(page).get_by_text("This call can’t be reached just now.")).to_be_visible()
    eventually(lambda: page.evaluate("audio.paused"), "the sound stops")
    page.unroute(CUES_FILE)
    step_to_branch(page)


def test_failure_of_a_call_is_not_reported_for_the_next_one(page):
    held = []
    page.route(CUES_FILE, lambda route: held.append(route))  # noqa: PLW0108 - Playwright wants a function
    button(page, "Play").click()
    eventually(lambda: page.evaluate("1") and held, "the cues are requested")
    choose(page, "A shop")
    warnings = []
    page.on("console", lambda line: warnings.append(line.text))
    held[0].abort()
    eventually(lambda: page.evaluate("1") and warnings, "the failure is logged")
    expect(replay(page).get_by_text("This call can’t be reached just now.")).to_have_count(0)
    page.unroute(CUES_FILE)
    step_to_branch(page, call="order")


def test_replay_and_hero_stop_each_other(page):
    hear = page.locator(".hero").get_by_role("button", name="Hear TARA")
    button(page, "Play").click()
    expect(button(page, "Pause")).to_be_visible()
    hear.click()
    expect(page.locator(".hero-call .c:not([aria-hidden])")).not_to_be_empty()
    expect(button(page, "Play")).to_have_count(1)
    assert not page.evaluate("audio.paused")
    assert page.evaluate("audio.currentTime") < 10
    button(page, "Play").click()
    expect(button(page, "Pause")).to_be_visible()
    expect(page.locator(".hero-call")).to_have_count(0)
    eventually(lambda: not page.evaluate("audio.paused"), "the replay plays")


def test_replay_that_loads_late_leaves_the_sound_to_the_player(page):
    held = []

    def hold(route):
        held.append(route)

    page.route("**/audio/*.json", hold)
    button(page, "Play").click()
    eventually(lambda: page.evaluate("1") and held, "the cues are requested")
    greeting(page, "English").click()
    player = page.get_by_role("dialog", name="Listen to TARA")
    expect(player).to_be_visible()
    page.unroute("**/audio/*.json", hold)  # which also sends what was held
    page.wait_for_timeout(500)
    expect(player).to_be_visible()
    assert page.evaluate("audio.paused")


def test_player_stops_the_replay(page):
    button(page, "Play").click()
    expect(button(page, "Pause")).to_be_visible()
    greeting(page, "English").click()
    expect(page.get_by_role("dialog", name="Listen to TARA")).to_be_visible()
    eventually(lambda: page.evaluate("audio.paused"), "the replay stops")
    page.keyboard.press("Escape")
    expect(button(page, "Play")).to_be_visible()


def test_replay_is_accessible_at_start_branch_and_end(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    open_page(page, "/?desktop=true")
    hide_other_sections(page)
    check_accessibility(page, "replay, start")
    step_to_branch(page)
    check_accessibility(page, "replay, branch")
    step_to_end(page, "clinic", "afternoon")
    check_accessibility(page, "replay, end")


def test_entry_is_written_without_motion_when_motion_is_reduced(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    open_page(page, "/?desktop=true")
    button(page, "Forward one turn").click()
    entry = replay(page).locator("[data-new] dd").first
    expect(entry).to_have_text("Dr Mehta")
    expect(entry).to_have_css("animation-name", "none")


def test_call_form_and_steps_are_in_view_together_on_a_laptop(visit, server):
    page = visit(server, **DESKTOP | {"viewport": {"width": 1280, "height": 720}})
    page.add_init_script(PLAYED)
    open_page(page, "/#replay")
    replay(page).evaluate("section => section.scrollIntoView({ behavior: 'instant' })")
    for part in (".replay__talk", ".replay__form", ".replay__steps"):
        expect(replay(page).locator(part)).to_be_in_viewport(ratio=1)
    talk, steps = (
        replay(page).locator(part).bounding_box() for part in (".replay__talk", ".replay__steps")
    )
    assert steps["x"] >= talk["x"] + talk["width"]


def test_replay_is_at_most_1100_px_high_on_phones(visit, server):
    page = visit(server)
    open_page(page, "/?device=desktop")
    replay(page).scroll_into_view_if_needed()
    step_to_branch(page)
    wait_for_fonts(page)
    height = replay(page).bounding_box()["height"]
    assert height <= 1_100
    for control in replay(page).locator("button").all():
        box = control.bounding_box()
        assert min(box["width"], box["height"]) >= 44
    step_to_end(page, "clinic", "afternoon")
    assert replay(page).bounding_box()["height"] == pytest.approx(height, abs=2)
