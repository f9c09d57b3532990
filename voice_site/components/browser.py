"""Python's names for the site's part in the browser: components, actions of `assets/js`."""

from pathlib import Path
from typing import Any

import reflex as rx
from reflex.utils.imports import ImportDict, ImportVar
from reflex.vars import VarData

_ASSETS = Path(__file__).parents[2] / "assets"
_DEVICE = rx.asset("js/device.jsx").importable_path
_DEMO = rx.asset("js/demo.jsx").importable_path
_PLAYER = rx.asset("js/player.jsx").importable_path
_SCENE = rx.asset("js/scene.jsx").importable_path
_SECTIONS = rx.asset("js/sections.jsx").importable_path
_EXPORT = "export function "


def _from(library: str, *names: str, hook: str = "") -> VarData:
    return VarData(
        imports={library: [ImportVar(tag=name) for name in names]},
        hooks={hook: None} if hook else {},
    )


def _var(expression: str, data: VarData, of: Any) -> Any:
    return rx.Var(_js_expr=expression, _var_data=data).to(of)


def _action(expression: str, data: VarData) -> Any:
    """Return a handler that runs in the browser and sends nothing to the server."""
    return rx.Var(_js_expr=f"() => {expression}", _var_data=data).to(rx.EventChain)


class Sheet(rx.Fragment):
    """The site's own style sheet, which the bundler gives to the pages that hold this."""

    def add_imports(self) -> ImportDict:
        return {"": ["$/public/css/tara.css"]}


def inlined(name: str, *helpers: str) -> rx.Component:
    """A function of `device.js`, run as soon as the browser has read the page this far.

    `helpers` are the other functions of that file that it calls.
    """
    script = (_ASSETS / "js" / "device.js").read_text(encoding="utf-8")
    called = "\n".join(_function(script, each) for each in (*helpers, name))
    return rx.el.script(f"(function () {{\n{called}\n{name}();\n}})()")


def _function(script: str, name: str) -> str:
    (body,) = [each for each in script.split(_EXPORT)[1:] if each.startswith(f"{name}(")]
    lines = [line.strip() for line in body.splitlines()]
    return "function " + "\n".join(line for line in lines if line and not line.startswith("//"))


def own_address(path: str) -> Any:
    """The whole address of a path; the server says it in the page that it sends."""
    origin = "(typeof location === 'undefined' ? '' : location.origin)"
    return rx.Var(_js_expr=f'({origin} + "{path}")').to(str)


class DeviceWatch(rx.Component):
    """Decides again which view is up whenever the device may have become another."""

    library = _DEVICE
    tag = "DeviceWatch"


class NavWatch(rx.Component):
    """Keeps the navigation as the reader's place asks for it."""

    library = _SECTIONS
    tag = "NavWatch"
    nav: rx.Var[str]
    logo: rx.Var[str]


class NearWatch(rx.Component):
    """Marks an element once the reader comes near to it."""

    library = _SECTIONS
    tag = "NearWatch"
    target: rx.Var[str]


force_desktop = _action("forceDesktop()", _from(_DEVICE, "forceDesktop"))


def go_to(section_id: str) -> Any:
    """Scroll to a section, and move the focus to its heading."""
    return _action(f'goTo("{section_id}")', _from(_SECTIONS, "goTo"))


# The demo request

_demo = _from(_DEMO, "useDemo", hook="const demo = useDemo();")
demo_step = _var("demo.step", _demo, int)
demo_variant = _var("demo.variant", _demo, str)
demo_outcome = _var("demo.outcome", _demo, str)
is_demo_sending = _var("demo.isSending", _demo, bool)
sent_reference = _var("demo.sent.reference", _demo, str)
sent_email = _var("demo.sent.email", _demo, str)
sent_variant = _var("demo.sent.variant", _demo, str)
refused_fields = _var("Object.values(demo.errors)", _demo, list[str])
close_demo = _action("closeDemo()", _from(_DEMO, "closeDemo"))
previous_step = _action("previousStep()", _from(_DEMO, "previousStep"))
edit_again = _action("editAgain()", _from(_DEMO, "editAgain"))
try_again = _action("tryAgain()", _from(_DEMO, "tryAgain"))


def demo_error(field: str) -> Any:
    """What is wrong with a field of the form, or nothing."""
    return _var(f'(demo.errors["{field}"] ?? "")', _demo, str)


def open_demo(source: str, variant: str) -> Any:
    """Open the dialog; `source` says from where, `variant` which plan is chosen already."""
    return _action(f'openDemo("{source}", "{variant}")', _from(_DEMO, "openDemo"))


leave_demo_to_listen = _action("leaveToListen()", _from(_DEMO, "leaveToListen"))


class DemoDialog(rx.Component):
    """The native dialog around the form, open or not."""

    library = _DEMO
    tag = "DemoDialog"


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

close_player = _action("closePlayer()", _from(_PLAYER, "closePlayer"))


def open_player(code: str = "") -> Any:
    """Open the player at the sample of a language, or at the one that was open last."""
    return _action(f'openPlayer("{code}")', _from(_PLAYER, "openPlayer"))


class PlayerDialog(rx.Component):
    """The native dialog around the player, open or not."""

    library = _PLAYER
    tag = "PlayerDialog"


class PlayerPlace(rx.Component):
    """Where the player stands once it is fetched."""

    library = _PLAYER
    tag = "PlayerPlace"
    words: rx.Var[dict[str, str]]


# The scene


class Scene(rx.Component):
    """Where the scene plays, over its still, once the page is up and nothing speaks against it."""

    library = _SCENE
    tag = "Scene"


class SceneNotice(rx.Component):
    """Says that the scene did not load, and offers one more attempt."""

    library = _SCENE
    tag = "SceneNotice"
    words: rx.Var[dict[str, str]]


class MotionControl(rx.Component):
    """Stops what moves in the hero and lets it go on; the browser remembers."""

    library = _SCENE
    tag = "MotionControl"
    words: rx.Var[dict[str, str]]
