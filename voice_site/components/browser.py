"""Python's names for the components, variables and actions of `assets/js/voice_site`."""

from pathlib import Path
from typing import Any

import reflex as rx

from kit.reflex.binding import StyleSheets, action, of_module, variable

_VIEW = Path(__file__).parents[2] / "assets" / "js" / "voice_site" / "device_view.js"
_DEVICE = rx.asset("js/voice_site/device_watch.jsx").importable_path
_DEMO = rx.asset("js/voice_site/demo.jsx").importable_path
_DEMO_STORE = rx.asset("js/voice_site/demo_store.js").importable_path
_PLAYER = rx.asset("js/voice_site/player.jsx").importable_path
_SCENE = rx.asset("js/voice_site/scene.jsx").importable_path
_SECTIONS = rx.asset("js/voice_site/sections.jsx").importable_path
_EXPORT = "export function "


class Sheet(StyleSheets):
    """The site's own style sheet."""

    paths = ["$/public/css/tara.css"]


def inlined(name: str, *helpers: str) -> rx.Component:
    """Call a function of `device_view.js` while the browser parses the page, before it is painted.

    `helpers` are the other functions of that file that it calls.
    """
    script = _VIEW.read_text(encoding="utf-8")
    functions = "\n".join(_function(script, each) for each in (*helpers, name))
    return rx.el.script(f"(function () {{\n{functions}\n{name}();\n}})()")


def _function(script: str, name: str) -> str:
    (body,) = [each for each in script.split(_EXPORT)[1:] if each.startswith(f"{name}(")]
    lines = [line.strip() for line in body.splitlines()]
    return "function " + "\n".join(line for line in lines if line and not line.startswith("//"))


def own_address(path: str) -> Any:
    """Return the absolute address of a path; in the prerendered page the server completes it."""
    origin = "(typeof location === 'undefined' ? '' : location.origin)"
    return rx.Var(f'({origin} + "{path}")').to(str)


class DeviceWatch(rx.Component):
    """Decides again which view is shown when the window or the address changes."""

    library = _DEVICE
    tag = "DeviceWatch"


class NavWatch(rx.Component):
    """Marks the section in view in the navigation, and gives it a background below the logo."""

    library = _SECTIONS
    tag = "NavWatch"
    nav: rx.Var[str]
    logo: rx.Var[str]


class NearWatch(rx.Component):
    """Marks the element `target` once the reader comes near to it."""

    library = _SECTIONS
    tag = "NearWatch"
    target: rx.Var[str]


force_desktop = action("forceDesktop()", of_module(_DEVICE, "forceDesktop"))


def go_to(section_id: str) -> Any:
    """Scroll to a section, and move the focus to its heading."""
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
refused_fields = variable("Object.values(demo.errors)", _demo, list[str])
close_demo = action("closeDemo()", of_module(_DEMO_STORE, "closeDemo"))
previous_step = action("previousStep()", of_module(_DEMO_STORE, "previousStep"))
edit_again = action("editAgain()", of_module(_DEMO_STORE, "editAgain"))
try_again = action("tryAgain()", of_module(_DEMO_STORE, "tryAgain"))
leave_demo_to_listen = action("leaveToListen()", of_module(_DEMO_STORE, "leaveToListen"))


def demo_error(field: str) -> Any:
    """Return the error of a field of the form, or an empty text."""
    return variable(f'(demo.errors["{field}"] ?? "")', _demo, str)


def open_demo(source: str, variant: str) -> Any:
    """Open the dialog; `source` names the button, `variant` the plan that is selected already."""
    return action(f'openDemo("{source}", "{variant}")', of_module(_DEMO_STORE, "openDemo"))


class DemoSession(rx.Component):
    """Restores the draft, retries requests that did not arrive, focuses each step's heading.

    Its place is behind the dialog: React runs the effects of siblings in their order.
    """

    library = _DEMO
    tag = "DemoSession"


class DemoForm(rx.Component):
    """The form of one step."""

    library = _DEMO
    tag = "DemoForm"
    step: rx.Var[int]


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
    """Open the player at the sample of a language, or at the one that was open last."""
    return action(f'openPlayer("{code}")', of_module(_PLAYER, "openPlayer"))


class PlayerContent(rx.Component):
    """The player once it is loaded, until then the state of that."""

    library = _PLAYER
    tag = "PlayerContent"
    words: rx.Var[dict[str, str]]


# The scene


class Scene(rx.Component):
    """Plays the scene over its still image, once the page is idle and where the device allows."""

    library = _SCENE
    tag = "Scene"


class SceneMessage(rx.Component):
    """Says that the scene did not load, and offers a retry."""

    library = _SCENE
    tag = "SceneMessage"
    words: rx.Var[dict[str, str]]


class MotionControl(rx.Component):
    """Pauses and resumes the hero's motion; the browser stores the choice."""

    library = _SCENE
    tag = "MotionControl"
    words: rx.Var[dict[str, str]]
