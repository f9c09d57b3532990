"""Python bindings for the React components, hooks and functions of `assets/js/voice_site`."""

from typing import Any

import reflex as rx
from reflex.event import passthrough_event_spec

from kit.reflex.binding import StyleSheets, action, of_module, variable

_CALCULATOR = rx.asset("js/voice_site/calculator.jsx").importable_path
_DEVICE = rx.asset("js/voice_site/device_watch.jsx").importable_path
_DEMO = rx.asset("js/voice_site/demo.jsx").importable_path
_DEMO_STORE = rx.asset("js/voice_site/demo_store.js").importable_path
_HERO_VOICE = rx.asset("js/voice_site/hero_voice.jsx").importable_path
_PLAYER = rx.asset("js/voice_site/player.jsx").importable_path
_REPLAY = rx.asset("js/voice_site/replay.jsx").importable_path
_SCENE = rx.asset("js/voice_site/scene.jsx").importable_path
_TALK = rx.asset("js/voice_site/talk.jsx").importable_path
_SECTIONS = rx.asset("js/voice_site/sections.jsx").importable_path


class Sheet(StyleSheets):
    """The site's own style sheet."""

    paths = ["$/public/css/tara.css"]


def absolute_url(path: str) -> Any:
    """Return the absolute URL of a path; in the prerendered page the server adds the origin."""
    origin = "(typeof location === 'undefined' ? '' : location.origin)"
    return rx.Var(f'({origin} + "{path}")').to(str)


class DeviceWatch(rx.Component):
    """Decides again between page and block screen when window, URL or choice change."""

    library = _DEVICE
    tag = "DeviceWatch"


class LightView(rx.Component):
    """Shows a legal page on its light ground, on every device."""

    library = _DEVICE
    tag = "LightView"


class NavWatch(rx.Component):
    """Marks the button of the section in view in the navigation, and gives it a background.

    `nav` and `logo` are element ids; the background appears once the logo is scrolled out of view.
    """

    library = _SECTIONS
    tag = "NavWatch"
    nav: rx.Var[str]
    logo: rx.Var[str]


class SwipeRow(rx.Component):
    """A row that is swiped on narrow screens; the card with the keyboard's focus is shown whole."""

    library = _SECTIONS
    tag = "SwipeRow"


class LanguageLink(rx.Component):
    """A link to the page in another language; it keeps the query of the address."""

    library = _SECTIONS
    tag = "LanguageLink"
    code: rx.Var[str]
    lang: rx.Var[str]
    href_lang: rx.Var[str]


class NearWatch(rx.Component):
    """Marks an element once it is close to the viewport; `target` is its id."""

    library = _SECTIONS
    tag = "NearWatch"
    target: rx.Var[str]


force_desktop = action("forceDesktop()", of_module(_DEVICE, "forceDesktop"))


def go_to(section_id: str) -> Any:
    """Return an event handler that scrolls to a section and focuses its heading."""
    return action(f'goTo("{section_id}")', of_module(_SECTIONS, "goTo"))


# The demo request

_demo = of_module(_DEMO_STORE, "useDemo", hook="const demo = useDemo();")
is_demo_open = variable("demo.isOpen", _demo, bool)
demo_step = variable("demo.step", _demo, int)
demo_variant = variable("demo.variant", _demo, str)
demo_outcome = variable("demo.outcome", _demo, str)
is_demo_sending = variable("demo.isSending", _demo, bool)
sent_reference = variable("demo.sent.reference", _demo, str)
sent_email = variable("demo.sent.email", _demo, str)
sent_variant = variable("demo.sent.variant", _demo, str)
demo_errors = variable("Object.values(demo.errors)", _demo, list[str])
close_demo = action("closeDemo()", of_module(_DEMO_STORE, "closeDemo"))
previous_step = action("previousStep()", of_module(_DEMO_STORE, "previousStep"))
edit_again = action("editAgain()", of_module(_DEMO_STORE, "editAgain"))
try_again = action("tryAgain()", of_module(_DEMO_STORE, "tryAgain"))
leave_demo_to_talk = action("leaveToTalk()", of_module(_DEMO, "leaveToTalk"))
leave_demo_to_listen = action("leaveToListen()", of_module(_DEMO_STORE, "leaveToListen"))


def demo_error(field: str) -> Any:
    """Return the error of a field of the form, or an empty string."""
    return variable(f'(demo.errors["{field}"] ?? "")', _demo, str)


def open_demo(source: str, variant: str) -> Any:
    """Return an event handler that opens the dialog.

    `source` is the name of the button, `variant` the id of the selected variant, or empty.
    """
    return action(f'openDemo("{source}", "{variant}")', of_module(_DEMO_STORE, "openDemo"))


class DemoSession(rx.Component):
    """Restores the draft, retries unsent requests, and focuses the heading of each step.

    It must come after the dialog: React runs the effects of siblings in order, so that the dialog
    is open when a heading in it gets the focus.
    """

    library = _DEMO
    tag = "DemoSession"


class DemoForm(rx.Component):
    """The form of step 1 or 2."""

    library = _DEMO
    tag = "DemoForm"
    step: rx.Var[int]


class DemoJourney(rx.Component):
    """What travels with the request, each part with a box to leave it out.

    `fields` are the calculator's figures with their limits, `calls` the calls' titles by name.
    """

    library = _DEMO
    tag = "DemoJourney"
    fields: rx.Var[list[dict[str, Any]]]
    calls: rx.Var[dict[str, str]]
    words: rx.Var[dict[str, str]]


class DemoSteps(rx.Component):
    """The list of the steps, the current one marked."""

    library = _DEMO
    tag = "DemoSteps"
    names: rx.Var[list[str]]


# Listen to TARA

is_player_open = variable(
    "player.isOpen", of_module(_PLAYER, "usePlayer", hook="const player = usePlayer();"), bool
)
close_player = action("closePlayer()", of_module(_PLAYER, "closePlayer"))


def open_player(code: str = "") -> Any:
    """Return an event handler that opens the player with the sample of a language.

    Without a `code` it is the last one selected.
    """
    return action(f'openPlayer("{code}")', of_module(_PLAYER, "openPlayer"))


class PlayerContent(rx.Component):
    """The player, or a message while it loads or if it could not be loaded."""

    library = _PLAYER
    tag = "PlayerContent"
    words: rx.Var[dict[str, str]]


class HeroVoice(rx.Component):
    """A text; while a call is played there, the call in its place.

    `place` is the name of its view, page or block.
    """

    library = _HERO_VOICE
    tag = "HeroVoice"
    words: rx.Var[dict[str, str]]
    place: rx.Var[str]


class HeroPlayButton(rx.Component):
    """A button that plays a call in the `HeroVoice` of its view, or stops it."""

    library = _HERO_VOICE
    tag = "HeroPlayButton"
    words: rx.Var[dict[str, str]]
    place: rx.Var[str]
    call: rx.Var[dict[str, Any]]


# What your calls cost


class CostCalculator(rx.Component):
    """The figures that the visitor enters, and the bill; `plans` are sorted by their limits."""

    library = _CALCULATOR
    tag = "CostCalculator"
    groups: rx.Var[list[dict[str, Any]]]
    plans: rx.Var[list[dict[str, Any]]]
    words: rx.Var[dict[str, str]]


# See it work


class Replay(rx.Component):
    """A call that is replayed turn by turn, the form that it fills in, and the steps behind it."""

    library = _REPLAY
    tag = "Replay"
    words: rx.Var[dict[str, str]]
    calls: rx.Var[list[dict[str, Any]]]
    steps: rx.Var[list[dict[str, str]]]
    languages: rx.Var[list[dict[str, str]]]


# Say it in your own words


class Talk(rx.Component):
    """A conversation with rules on the server, the form that it fills in, and its times.

    `answer` is that of the state to the last sentence, which `on_say` has sent with a key and its
    number in the conversation; `longest` is how many characters it may have.
    """

    library = _TALK
    tag = "Talk"
    words: rx.Var[dict[str, str]]
    steps: rx.Var[list[dict[str, str]]]
    forms: rx.Var[dict[str, dict[str, Any]]]
    suggestions: rx.Var[list[dict[str, str]]]
    longest: rx.Var[int]
    answer: rx.Var[dict[str, Any]]
    on_say: rx.EventHandler[passthrough_event_spec(str, str, int)]


# The scene


class Scene(rx.Component):
    """Plays the scene over its still image, once the page is idle, unless motion is reduced."""

    library = _SCENE
    tag = "Scene"


class SceneMessage(rx.Component):
    """Shows that the scene did not load, and offers a retry."""

    library = _SCENE
    tag = "SceneMessage"
    words: rx.Var[dict[str, str]]


class MotionControl(rx.Component):
    """Pauses and resumes the hero's motion; the browser stores the choice."""

    library = _SCENE
    tag = "MotionControl"
    words: rx.Var[dict[str, str]]
