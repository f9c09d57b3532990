"""Listen to TARA: playback on demand, captions, and failures."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import check_accessibility
from tests.e2e.assistant_page import DESKTOP, LOAD_SCRIPTS, greeting, open_page
from tests.e2e.frames import wait_for_fonts
from tests.helpers.product import ROOT, eventually

AUDIO = ROOT / "assets" / "audio"
SAMPLES = json.loads((AUDIO / "manifest.json").read_text(encoding="utf-8"))["samples"]
HEIGHTS = (
    "() => [...document.querySelectorAll('dialog.player .bars i')]"
    ".map((bar) => Number(bar.style.getPropertyValue('--v')))"
)
WATCH_PLAYS = """
window.plays = 0;
const play = HTMLMediaElement.prototype.play;
HTMLMediaElement.prototype.play = function () {
  plays += this.muted ? 0 : 1;  // the hero's video has no sound
  return play.call(this) };
"""
WATCH_ANALYSERS = """
window.analysers = [];
const make = AudioContext.prototype.createAnalyser;
AudioContext.prototype.createAnalyser = function () {
  const made = make.call(this); analysers.push(made); return made };
"""
SLOWLY = """
const Fast = Audio;
window.Audio = function () { const made = new Fast(); made.defaultPlaybackRate = 0.1; return made };
"""
WITHOUT_WEB_AUDIO = "delete window.AudioContext; delete window.webkitAudioContext;"
SUSPENDED = """
AudioContext.prototype.resume = () => new Promise(() => {});
Object.defineProperty(BaseAudioContext.prototype, "state", { get: () => "suspended" });
"""
LIVE = 0.05
LOUDEST = 10 ** (-1 / 20)
"""One decibel below full scale."""
TRUE_PEAK = """async (address) => {
  const content = await (await fetch(address)).arrayBuffer();
  // Decoding resamples to the rate of the context: four samples for one show peaks between two.
  const sound = await new OfflineAudioContext(1, 1, 192_000).decodeAudioData(content);
  return sound.getChannelData(0).reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
}"""
HIGH_TONES = """() => {
  const [analyser] = analysers;
  const strengths = new Uint8Array(analyser.frequencyBinCount);
  analyser.getByteFrequencyData(strengths);
  const bin = (hertz) => Math.round((hertz * analyser.fftSize) / analyser.context.sampleRate);
  return [...strengths.slice(bin(6_000), bin(9_000))].reduce((sum, each) => sum + each, 0);
}"""
"""The strength of what a telephone does not carry."""


@pytest.fixture
def page(visit, server):
    page = visit(server, **DESKTOP)
    page.add_init_script(WATCH_PLAYS + WATCH_ANALYSERS)
    open_page(page)
    return page


@pytest.fixture(scope="module")
def silent(module_visit, module_server):
    """The page for tests that play no sound."""
    page = module_visit(module_server, **DESKTOP)
    page.add_init_script(WATCH_PLAYS)
    open_page(page)
    return page


@pytest.fixture
def unplayed(silent):
    """This page; the player is closed after each test."""
    yield silent
    silent.keyboard.press("Escape")
    expect(player(silent)).to_be_hidden()


SPOKEN = [sample for sample in SAMPLES if sample["calls"]]
SOURCES = sorted(
    {each["src"] for sample in SPOKEN for call in sample["calls"] for each in call["sources"]}
)


def cues(code, call="clinic"):
    """Return the turns of a call's main path."""
    (sample,) = [each for each in SPOKEN if each["code"] == code]
    (found,) = [each for each in sample["calls"] if each["id"] == call]
    turns = json.loads((AUDIO / Path(found["cues"]).name).read_text(encoding="utf-8"))["turns"]
    return [turn for turn in turns if turn["starts"] < found["seconds"]]


def player(page):
    return page.get_by_role("dialog", name="Listen to TARA")


def open_player(page, language="English", *, is_slow=False):
    if is_slow:  # a busy machine would miss a turn of some seconds
        page.add_init_script(SLOWLY)
        page.reload()
    greeting(page, language).click()
    expect(player(page).get_by_role("button", name="Play")).to_be_visible()
    expect(caption(page)).not_to_be_empty()
    return player(page)


def button(page, name):
    return player(page).get_by_role("button", name=name, exact=True)


def status(page):
    return player(page).get_by_role("status")


def caption(page):
    return player(page).locator(".c:not([aria-hidden])")


def speaker(page):
    return player(page).locator(".who")


def slider(page):
    return player(page).get_by_role("slider", name="Position in the sample")


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def place(page):
    return float(slider(page).input_value())


def warnings(page):
    console_lines = []
    ours = re.compile("^(Web Audio|The )")
    page.on("console", lambda line: ours.match(line.text) and console_lines.append(line.text))
    return console_lines


# Opening and closing


def test_player_does_not_start_by_itself(unplayed):
    page = unplayed
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    open_player(page)
    expect(status(page)).to_have_text("Ready to play")
    assert page.evaluate("plays") == 0
    assert [url for url in requested if re.search(r"\.(webm|m4a)$", url)] == []


def test_player_and_audio_load_on_demand(visit, server):
    page = visit(server, **DESKTOP)
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    open_page(page)
    page.wait_for_load_state("networkidle")
    of_player = re.compile(r"player_stage|/audio/")
    assert [url for url in requested if of_player.search(url)] == []
    open_player(page)
    assert len([url for url in requested if of_player.search(url)]) == 3


def test_greeting_opens_player_in_its_language(unplayed):
    page = unplayed
    spoken = {sample["code"] for sample in SPOKEN}
    for sample in SAMPLES:
        code = sample["code"]
        greeting(page, sample["name"]).click()
        chosen = player(page).get_by_role("radio", name=re.compile(sample["name"]))
        expect(chosen).to_be_checked()
        first = cues(code)[0]["text"] if code in spoken else sample["greeting"]
        expect(caption(page)).to_have_text(first)
        expect(caption(page)).to_have_attribute("lang", code)
        expect(caption(page)).to_have_attribute("dir", "rtl" if code == "ur" else "ltr")
        page.keyboard.press("Escape")
        expect(player(page)).to_be_hidden()


def test_player_takes_focus_and_returns_it_when_closed(unplayed):
    page = unplayed
    for name in ("Play the demo: Listen to TARA", "Assistant: Listen to TARA"):
        opener = page.get_by_role("button", name=name)
        opener.focus()
        page.keyboard.press("Enter")
        expect(player(page).get_by_role("heading", name="Listen to TARA")).to_be_focused()
        page.keyboard.press("Escape")
        expect(player(page)).to_be_hidden()
        expect(opener).to_be_focused()
    open_player(page)
    page.mouse.click(5, 5)
    expect(player(page)).to_be_hidden()
    open_player(page)
    button(page, "Close").click()
    expect(player(page)).to_be_hidden()


def test_closing_player_stops_the_audio(page):
    open_player(page)
    button(page, "Play").click()
    expect(status(page)).to_have_text("Speaking...")
    page.keyboard.press("Escape")
    open_player(page)
    expect(status(page)).to_have_text("Ready to play")
    assert place(page) == 0


# Playing


def test_sample_shows_status_and_captions_of_each_turn(page):
    open_player(page, "Hindi", is_slow=True)
    turns = cues("hi")
    button(page, "Play").click()
    expect(status(page)).to_have_text("Speaking...")
    expect(speaker(page)).to_have_text("TARA")
    expect(caption(page)).to_have_text(turns[0]["text"])
    slider(page).fill(str(turns[1]["starts"] - 0.2))
    expect(status(page)).to_have_text("Listening...")
    expect(speaker(page)).to_have_text("Caller")
    expect(caption(page)).to_have_text(turns[1]["text"])
    slider(page).fill(str(turns[2]["starts"] - 0.2))
    expect(status(page)).to_have_text("Speaking...")
    expect(caption(page)).to_have_text(turns[2]["text"])
    slider(page).focus()
    page.keyboard.press("End")
    expect(status(page)).to_have_text("Ready to play")
    expect(button(page, "Play")).to_be_visible()


def test_pause_keeps_position_and_play_resumes(page):
    open_player(page)
    button(page, "Play").click()
    eventually(lambda: place(page) > 0.5, "the sample goes on")
    button(page, "Pause").click()
    expect(status(page)).to_have_text("Ready to play")
    held = place(page)
    page.wait_for_timeout(300)
    assert place(page) == held
    button(page, "Play").click()
    expect(status(page)).to_have_text("Speaking...")
    eventually(lambda: place(page) > held, "the sample goes on")


def test_position_slider_responds_to_keys(unplayed):
    page = unplayed
    open_player(page)
    slider(page).focus()
    for key, text in [
        ("ArrowRight", "0:01"),
        ("PageUp", "0:06"),
        ("ArrowLeft", "0:05"),
        ("PageDown", "0:00"),
        ("ArrowDown", "0:00"),
        ("End", clock(SPOKEN[0]["calls"][0]["seconds"])),
        ("Home", "0:00"),
    ]:
        page.keyboard.press(key)
        whole = clock(SPOKEN[0]["calls"][0]["seconds"])
        expect(slider(page)).to_have_attribute("aria-valuetext", f"{text} / {whole}")
        expect(player(page).locator("time").first).to_have_text(text)
    assert page.evaluate("plays") == 0


def test_sample_plays_from_position_chosen_before(page):
    open_player(page)
    turns = cues("en")
    slider(page).fill(str(turns[1]["starts"] + 0.1))
    expect(caption(page)).to_have_text(turns[1]["text"])
    button(page, "Play").click()
    expect(status(page)).to_have_text("Listening...")
    assert place(page) >= turns[1]["starts"]


def test_language_change_resets_position_and_pauses(page):
    open_player(page)
    button(page, "Play").click()
    expect(status(page)).to_have_text("Speaking...")
    player(page).get_by_role("radio", name="English").focus()
    page.keyboard.press("ArrowDown")
    expect(player(page).get_by_role("radio", name="Hindi")).to_be_checked()
    expect(status(page)).to_have_text("Ready to play")
    expect(caption(page)).to_have_text(cues("hi")[0]["text"])
    assert place(page) == 0
    button(page, "Play").click()
    expect(status(page)).to_have_text("Speaking...")
    assert page.evaluate("analysers.length") == 1


def test_play_button_does_not_move_when_caption_changes(visit, server):
    page = visit(server)
    open_page(page, "/?desktop=true")
    open_player(page, "Hindi")
    # Before its font loads, the caption is longer, and the button is lower.
    page.evaluate(LOAD_SCRIPTS, cues("hi")[0]["text"])
    wait_for_fonts(page)
    before = button(page, "Play").bounding_box()
    for turn in cues("hi"):
        slider(page).fill(str(turn["starts"] + 0.1))
        expect(caption(page)).to_have_text(turn["text"])
        assert button(page, "Play").bounding_box() == before


def test_language_without_voice_shows_its_greeting_and_requests_no_audio(unplayed):
    page = unplayed
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    greeting(page, "Tamil").click()
    expect(status(page)).to_have_text("Voice in preparation")
    expect(caption(page)).to_have_text(SAMPLES[2]["greeting"])
    expect(button(page, "Play")).to_have_count(0)
    assert [url for url in requested if re.search(r"\.(webm|m4a)$", url)] == []
    player(page).get_by_role("radio", name="Hindi").check(force=True)
    expect(button(page, "Play")).to_be_visible()


def test_chosen_call_is_played(page):
    open_player(page)
    for call in SPOKEN[0]["calls"]:
        player(page).get_by_role("radio", name=call["title"]).check(force=True)
        expect(caption(page)).to_have_text(cues("en", call["id"])[0]["text"])
        button(page, "Play").click()
        expect(status(page)).to_have_text("Speaking...")
        expect(button(page, "Pause")).to_be_visible()
        assert float(slider(page).get_attribute("max")) == call["seconds"]


def test_call_stops_before_other_replies_and_restarts(page):
    open_player(page)
    whole = SPOKEN[0]["calls"][0]["seconds"]
    slider(page).fill(str(whole - 0.3))
    button(page, "Play").click()
    expect(status(page)).to_have_text("Ready to play")
    eventually(lambda: place(page) == whole, "the call ends")
    expect(caption(page)).to_have_text(cues("en")[-1]["text"])
    button(page, "Play").click()
    expect(caption(page)).to_have_text(cues("en")[0]["text"])
    expect(status(page)).to_have_text("Speaking...")


def test_words_are_highlighted_as_they_are_spoken(page):
    open_player(page, is_slow=True)
    turn = cues("en")[2]
    starts, _word = turn["words"][3]
    slider(page).fill(str(starts + 0.01))
    expect(caption(page).locator(".is-ahead")).to_have_count(0)
    button(page, "Play").click()
    ahead = caption(page).locator(".is-ahead")
    eventually(lambda: 0 < ahead.count() <= len(turn["words"]) - 4, "words ahead are fainter")
    before = ahead.count()
    eventually(lambda: ahead.count() < before, "words are spoken")
    expect(caption(page)).to_have_text(turn["text"])


# The bars


def test_all_48_bars_follow_the_analyser(page):
    open_player(page)
    assert page.evaluate(HEIGHTS) == [0.03] * 48
    button(page, "Play").click()
    expect(status(page)).to_have_text("Speaking...")
    highest = [0.0] * 48
    pictures = set()

    def look():
        heights = page.evaluate(HEIGHTS)
        assert heights == heights[::-1]
        pictures.add(tuple(heights))
        highest[:] = map(max, highest, heights)
        return min(highest) > LIVE and len(pictures) > 10

    eventually(look, "every bar moves")
    made = page.evaluate("analysers.map((each) => [each.fftSize, each.smoothingTimeConstant])")
    assert made == [[256, 0.8]]
    button(page, "Pause").click()
    expect(player(page).locator(".bars")).to_have_attribute("data-state", "ready")
    eventually(lambda: page.evaluate(HEIGHTS) == [0.03] * 48, "the bars are at rest")


def test_bars_stand_still_when_reduced_motion_is_preferred(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    open_page(page)
    open_player(page)
    button(page, "Play").click()
    expect(status(page)).to_have_text("Speaking...")
    before = page.evaluate(HEIGHTS)
    assert max(before) > 0.5
    eventually(lambda: place(page) > 1, "the sample goes on")
    assert page.evaluate(HEIGHTS) == before
    slider(page).fill(str(cues("en")[1]["starts"]))
    expect(status(page)).to_have_text("Listening...")


# As on the phone


def phone_switch(page):
    return player(page).get_by_role("switch", name="As on the phone")


def loudest_high_tones(page, turn):
    """Play a turn from its start, and return its strongest high tones within 1.5 s."""
    slider(page).fill(str(turn["starts"]))
    found = []
    eventually(
        lambda: found.append(page.evaluate(HIGH_TONES)) or place(page) > turn["starts"] + 1.5,
        "the turn is played",
    )
    return max(found)


def test_phone_switch_cuts_high_tones_off(page):
    open_player(page)
    turn = cues("en")[0]
    button(page, "Play").click()
    expect(status(page)).to_have_text("Speaking...")
    # Each is measured again if a busy machine has missed the loudest moment, or heard the one before.
    before = max(loudest_high_tones(page, turn) for _ in range(3))
    assert before > 0
    phone_switch(page).focus()
    page.keyboard.press("Space")
    expect(phone_switch(page)).to_be_checked()
    eventually(lambda: loudest_high_tones(page, turn) < before / 4, "high tones are cut off")
    phone_switch(page).focus()
    page.keyboard.press("Space")
    expect(phone_switch(page)).not_to_be_checked()
    eventually(lambda: loudest_high_tones(page, turn) > before / 2, "high tones are back")
    assert page.evaluate("analysers.length") == 1


def test_phone_switch_keeps_its_state_and_the_hero_has_none(page):
    open_player(page)
    phone_switch(page).check()
    player(page).get_by_role("radio", name="Hindi").check(force=True)
    expect(phone_switch(page)).to_be_checked()
    page.keyboard.press("Escape")
    expect(player(page)).to_be_hidden()
    open_player(page)
    expect(phone_switch(page)).not_to_be_checked()


def test_hinglish_call_is_captioned_in_latin_letters_in_both_languages(unplayed):
    page = unplayed
    for language, code in [("English", "en"), ("Hindi", "hi")]:
        greeting(page, language).click()
        player(page).get_by_role("radio", name="A call in Hinglish").check(force=True)
        expect(caption(page)).to_have_text(cues(code, "hinglish")[0]["text"])
        expect(caption(page)).to_have_attribute("lang", "hi-Latn")
        page.keyboard.press("Escape")
        expect(player(page)).to_be_hidden()


def test_caption_changes_to_the_caller_who_interrupts(page):
    open_player(page, is_slow=True)
    player(page).get_by_role("radio", name="A repair: interrupted and misheard").check(force=True)
    turns = {turn["id"]: turn for turn in cues("en", "repair")}
    slider(page).fill(str(turns["slots"]["starts"] + 0.1))
    button(page, "Play").click()
    expect(caption(page)).to_have_text(turns["slots"]["text"])
    slider(page).fill(str(turns["interruption"]["starts"] - 0.2))
    expect(caption(page)).to_have_text(turns["interruption"]["text"])
    assert turns["interruption"]["starts"] < turns["slots"]["ends"]
    expect(status(page)).to_have_text("Listening...")


# Missing parts


def test_sample_plays_and_logs_when_web_audio_is_missing(visit, server):
    page = visit(server, **DESKTOP)
    page.add_init_script(WITHOUT_WEB_AUDIO)
    console_lines = warnings(page)
    open_page(page)
    open_player(page)
    button(page, "Play").click()
    expect(status(page)).to_have_text("Speaking...")
    first = page.evaluate(HEIGHTS)
    eventually(lambda: page.evaluate(HEIGHTS) != first, "the bars move all the same")
    eventually(lambda: place(page) > 0.5, "the sample goes on")
    assert [line.split(":")[0] for line in console_lines] == ["Web Audio API setup failed"]
    expect(player(page).locator(".alert")).to_have_count(0)
    expect(phone_switch(page)).to_have_count(0)


def test_audio_is_not_routed_when_audio_context_stays_suspended(visit, server):
    page = visit(server, **DESKTOP)
    page.add_init_script(SUSPENDED)
    page.add_init_script(
        "window.routed = 0; const route = AudioContext.prototype.createMediaElementSource;"
        "AudioContext.prototype.createMediaElementSource = function (audio) {"
        " routed += 1; return route.call(this, audio) }"
    )
    open_page(page)
    open_player(page)
    button(page, "Play").click()
    expect(status(page)).to_have_text("Speaking...")
    eventually(lambda: max(page.evaluate(HEIGHTS)) > LIVE, "the bars move all the same")
    assert page.evaluate("routed") == 0


def test_failed_sample_is_logged_and_shows_transcript(page):
    console_lines = warnings(page)
    page.route(re.compile(r"\.(webm|m4a)$"), lambda route: route.fulfill(status=404))
    open_player(page)
    button(page, "Play").click()
    expect(player(page).get_by_role("alert")).to_have_text(re.compile("can’t be played here"))
    expect(status(page)).to_have_text("Ready to play")
    expect(button(page, "Play")).to_be_visible()
    words = player(page).locator(".lines dd")
    expect(words).to_have_text([turn["text"] for turn in cues("en")])
    assert [line.split(":")[0] for line in console_lines] == ["The sample did not play"]
    page.unroute(re.compile(r"\.(webm|m4a)$"))
    button(page, "Play").click()
    expect(status(page)).to_have_text("Speaking...")
    expect(player(page).locator(".alert")).to_have_count(0)


def test_turns_change_every_three_seconds_when_cues_are_missing(page):
    console_lines = warnings(page)
    page.route("**/audio/en-clinic.json", lambda route: route.fulfill(status=404))
    page.add_init_script(SLOWLY)
    page.reload()
    greeting(page, "English").click()
    slider(page).fill("1")
    button(page, "Play").click()
    expect(status(page)).to_have_text("Speaking...")
    slider(page).fill("2.8")
    expect(status(page)).to_have_text("Listening...")
    assert 3 <= place(page) < 4
    slider(page).fill("5.8")
    expect(status(page)).to_have_text("Speaking...")
    assert 6 <= place(page) < 7
    button(page, "Transcript").click()
    expect(player(page).get_by_text("This transcript can’t be reached just now.")).to_be_visible()
    assert console_lines == ["The cues did not load: status 404"]


def test_missing_manifest_shows_message_and_can_be_retried(page):
    console_lines = warnings(page)
    page.route("**/audio/manifest.json", lambda route: route.abort())
    greeting(page, "English").click()
    expect(status(page)).to_contain_text("can’t be reached")
    button(page, "Read it there").click()
    expect(page.locator("#listen summary")).to_be_focused()
    expect(page.locator("#listen dd").first).to_be_visible()
    with page.expect_console_message():  # a request under way would outlive the route
        greeting(page, "English").click()
    expect(button(page, "Try again")).to_be_enabled()
    page.unroute("**/audio/manifest.json")
    button(page, "Try again").click()
    expect(button(page, "Play")).to_be_visible()
    expect(player(page).get_by_role("heading", level=2)).to_be_focused()
    assert all(line.startswith("The player did not load") for line in console_lines)
    assert console_lines


@pytest.mark.parametrize("ending", ["webm", "m4a"])
def test_audio_files_support_range_requests(page, server, ending):
    kinds = {"webm": "webm", "m4a": "mp4"}
    for address in (source for source in SOURCES if source.endswith(ending)):
        answer = page.request.get(server.url + address, headers={"range": "bytes=0-99"})
        assert answer.status == 206
        assert len(answer.body()) == 100
        assert kinds[ending] in answer.headers["content-type"]


@pytest.mark.parametrize("address", SOURCES)
def test_sound_stays_one_decibel_below_full_scale(silent, address):
    assert 0.3 < silent.evaluate(TRUE_PEAK, address) <= LOUDEST


# Accessibility


def test_player_is_accessible_when_ready(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    open_page(page, "/?desktop=true")
    open_player(page, "Hindi")
    check_accessibility(page, "player, ready")
    button(page, "Transcript").click()
    expect(button(page, "Transcript")).to_have_attribute("aria-expanded", "true")
    check_accessibility(page, "player, transcript")


def test_player_is_accessible_when_voice_is_in_preparation(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    open_page(page, "/?desktop=true")
    greeting(page, "Urdu").click()
    expect(status(page)).to_have_text("Voice in preparation")
    check_accessibility(page, "player, voice in preparation")


def test_player_is_accessible_while_playing(visit, server):
    page = visit(server, **DESKTOP)
    page.add_init_script(SLOWLY)
    open_page(page, "/?desktop=true")
    open_player(page)
    button(page, "Play").click()
    for turn, status_text in zip(cues("en"), ("Speaking...", "Listening..."), strict=False):
        slider(page).fill(str(turn["starts"] + 0.1))
        expect(status(page)).to_have_text(status_text)
        check_accessibility(page, f"player, {status_text}")
        slider(page).fill(str(turn["starts"] + 0.1))  # the check may outlast the turn
        expect(status(page)).to_have_text(status_text)


def test_player_is_usable_at_200_percent_text_size(visit, server):
    page = visit(server, **DESKTOP | {"viewport": {"width": 640, "height": 400}})
    open_page(page, "/?desktop=true")
    open_player(page)
    button(page, "Transcript").click()
    for part in (button(page, "Play"), player(page).get_by_role("radio", name="Urdu")):
        part.scroll_into_view_if_needed()
        expect(part).to_be_in_viewport()
    expect(button(page, "Close")).to_be_attached()


def test_failed_player_is_accessible(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    open_page(page, "/?desktop=true")
    page.route("**/audio/manifest.json", lambda route: route.abort())
    greeting(page, "English").click()
    expect(button(page, "Try again")).to_be_visible()
    check_accessibility(page, "player, missing")
    page.unroute("**/audio/manifest.json")
    page.route(re.compile(r"\.(webm|m4a)$"), lambda route: route.abort())
    button(page, "Try again").click()
    button(page, "Play").click()
    expect(player(page).locator(".alert")).to_be_visible()
    check_accessibility(page, "player, unplayable")
