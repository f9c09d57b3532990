"""Python's names for what lives in the browser: the components and variables of `assets/js`."""

from typing import Any, TypedDict

import reflex as rx
from reflex.event import input_event, no_args_event_spec, passthrough_event_spec
from reflex.utils.imports import ImportVar
from reflex.vars import VarData

_LIVE = rx.asset("js/live.jsx").importable_path
_MENU = rx.asset("js/menu.jsx").importable_path
_TABS = rx.asset("js/tabs.jsx").importable_path
_TIMERS = rx.asset("js/timers.jsx").importable_path
_CONNECTION = rx.asset("js/connection.jsx").importable_path
_BROWSER = rx.asset("js/browser.jsx").importable_path


def _from(library: str, *names: str, hook: str = "") -> VarData:
    return VarData(
        imports={library: [ImportVar(tag=name) for name in names]},
        hooks={hook: None} if hook else {},
    )


def _var(expression: str, data: VarData | None, of: Any, *others: Any) -> Any:
    # Reflex has no public name for what a Var brings along.
    parts = [
        other._get_all_var_data()  # noqa: SLF001
        for other in others
        if isinstance(other, rx.Var)
    ]
    return rx.Var(_js_expr=expression, _var_data=VarData.merge(data, *parts)).to(of)


def _action(expression: str, data: VarData | None) -> Any:
    """Return a handler that runs in the browser and sends nothing to the server."""
    return rx.Var(_js_expr=f"() => {expression}", _var_data=data).to(rx.EventChain)


# Statuses and clock

_live = _from(_LIVE, "useLive", hook="const live = useLive();")
is_live = _var("live.isLive", _live, bool)
are_statuses_known = _var("live.isKnown", _live, bool)
last_checked = _var("live.lastChecked", _live, str)
open_count = _var("live.openCount", _live, int)
status_problem = _var("live.problem", _live, str)
refresh_statuses = _action("refreshStatuses()", _from(_LIVE, "refreshStatuses"))


def state_of(restaurant_id: int | str) -> Any:
    """The badge's text of one restaurant, empty until it is known."""
    data = VarData.merge(_live, _from(_LIVE, "stateOf"))
    return _var(f"stateOf(live, {restaurant_id!s})", data, str, restaurant_id)


def status_message_of(restaurant_id: int | str) -> Any:
    """What the operator says of one restaurant, or nothing."""
    data = VarData.merge(_live, _from(_LIVE, "messageOf"))
    return _var(f"messageOf(live, {restaurant_id!s})", data, str, restaurant_id)


def report_selection(restaurant_id: int, name: str) -> Any:
    """Tell the server which restaurant was chosen, and wait for nothing."""
    arguments = f"{restaurant_id}, {rx.Var.create(name)!s}"
    return _action(f"reportSelection({arguments})", _from(_LIVE, "reportSelection"))


class LiveFeed(rx.Component):
    """Takes in the statuses that the server pushes, and notices when the line is lost."""

    library = _LIVE
    tag = "LiveFeed"
    picture: rx.Var[str]
    hydrated: rx.Var[bool]


class CampusClock(rx.Component):
    """The weekday and time on the campus."""

    library = _LIVE
    tag = "CampusClock"


# The menu that is open


class Dish(TypedDict):
    """A dish as `/api/menus/{id}` gives it."""

    id: str
    name: str
    description: str
    price: str
    paise: int
    diet: str


class Section(TypedDict):
    """The dishes under one tab."""

    name: str
    dishes: list[Dish]


class MenuHead(TypedDict):
    """The restaurant whose menu is open."""

    id: str
    name: str
    image: str
    rating: str
    deliveryMinutes: str
    hours: str


class SlipLine(TypedDict):
    """A line of the cart beside the menu."""

    id: str
    name: str
    times: str
    total: str


_menu = _from(_MENU, "useMenu", hook="const menu = useMenu();")
menu_status = _var("menu.status", _menu, str)
menu_message = _var("menu.message", _menu, str)
menu_sections = _var("menu.sections", _menu, list[Section])
menu_section_names = _var("menu.sections.map((section) => section.name)", _menu, list[str])
menu_section_ids = _var(
    "menu.sections.map((_, index) => sectionId(index))",
    VarData.merge(_menu, _from(_MENU, "sectionId")),
    list[str],
)
menu_head = _var("menu.restaurant", _menu, MenuHead)
_menu_id = "menu.restaurant.id"


def section_id(index: int) -> Any:
    """The element id of a section of the menu."""
    return _var(f"sectionId({index!s})", _from(_MENU, "sectionId"), str, index)


def quantity_of(cart: str, dish_id: str) -> Any:
    """How many of a dish are in the cart."""
    data = VarData.merge(_menu, _from(_MENU, "quantityOf"))
    return _var(f"quantityOf({cart!s}, {_menu_id}, {dish_id!s})", data, int, cart, dish_id)


def line_total(cart: str, dish: Any) -> Any:
    """What the cart holds of a dish, in rupees."""
    data = VarData.merge(_menu, _from(_MENU, "lineTotal"))
    return _var(f"lineTotal({cart!s}, {_menu_id}, {dish!s})", data, str, cart, dish)


def slip_lines(cart: str) -> Any:
    """The lines of the cart that belong to the menu that is open."""
    data = VarData.merge(_menu, _from(_MENU, "cartLines"))
    return _var(f"cartLines(menu, {cart!s})", data, list[SlipLine], cart)


def dish_count(cart: str) -> Any:
    """How many units of the menu that is open are in the cart."""
    data = VarData.merge(_menu, _from(_MENU, "dishCount"))
    return _var(f"dishCount({cart!s}, {_menu_id})", data, int, cart)


def own_figures(cart: str, figures: Any, empty: Any) -> Any:
    """The cart's figures, if it is the cart of the menu that is open."""
    data = VarData.merge(_menu, _from(_MENU, "ownFigures"))
    nothing = rx.Var.create(empty)
    expression = f"ownFigures({cart!s}, {_menu_id}, {figures!s}, {nothing!s})"
    return _var(expression, data, list[str], cart, figures, nothing)


def amount_in(text: str) -> Any:
    """The number of rupees that a text shows."""
    return _var(f"amountIn({text!s})", _from(_MENU, "amountIn"), float, text)


class Picture(rx.Component):
    """An image that falls back to another."""

    library = _MENU
    tag = "Picture"
    src: rx.Var[str]
    fallback: rx.Var[str]
    alt: rx.Var[str]
    width: rx.Var[str]
    height: rx.Var[str]
    loading: rx.Var[str]


def picture(src: str, **props: Any) -> rx.Component:
    """A restaurant's picture; decoration beside its name."""
    return Picture.create(
        src=src, fallback="/images/default.svg", alt="", width="400", height="300", **props
    )


# Tabs and choices


class Tabs(rx.Component):
    """Tabs over a filter (`controls`) or over the sections of a page (`targets`)."""

    library = _TABS
    tag = "Tabs"
    name: rx.Var[str]
    label: rx.Var[str]
    labels: rx.Var[list[str]]
    targets: rx.Var[list[str]]
    controls: rx.Var[str]


def chosen(name: str, initial: str) -> Any:
    """Which tab of these is chosen."""
    hook = f'const chosen_{name} = useChoice("{name}", "{initial}");'
    return _var(f"chosen_{name}", _from(_TABS, "useChoice", hook=hook), str)


def choose(name: str, value: str) -> Any:
    """Choose without asking the server."""
    return _action(f'choose("{name}", "{value}")', _from(_TABS, "choose"))


# Time


class WaitingClock(rx.Component):
    """Minutes, seconds and a fuse; below zero it waits to be told how many."""

    library = _TIMERS
    tag = "WaitingClock"
    seconds: rx.Var[int]
    on_finish: rx.EventHandler[no_args_event_spec]


class CountdownText(rx.Component):
    """A sentence around a number that counts down while it is running."""

    library = _TIMERS
    tag = "CountdownText"
    seconds: rx.Var[int]
    before: rx.Var[str]
    after: rx.Var[str]
    running: rx.Var[bool]
    on_finish: rx.EventHandler[no_args_event_spec]


class After(rx.Component):
    """Something that happens once, a while after it appeared."""

    library = _TIMERS
    tag = "After"
    ms: rx.Var[int]
    on_done: rx.EventHandler[no_args_event_spec]


class Ticker(rx.Component):
    """Something that happens again and again while it is on the page and the server in reach."""

    library = _TIMERS
    tag = "Ticker"
    ms: rx.Var[int]
    on_tick: rx.EventHandler[no_args_event_spec]


class Asking(rx.Component):
    """A question asked every `ms`, and what is said meanwhile.

    While the server is out of reach each try is counted in `retrying`; when they are used up it
    says `failed`, and gives up as soon as somebody can be told.
    """

    library = _TIMERS
    tag = "Asking"
    ms: rx.Var[int]
    retry_ms: rx.Var[int]
    tries: rx.Var[int]
    message: rx.Var[str]
    retrying: rx.Var[str]
    failed: rx.Var[str]
    on_ask: rx.EventHandler[no_args_event_spec]
    on_give_up: rx.EventHandler[no_args_event_spec]


# The connection

_connection = _from(_CONNECTION, "useConnection", hook="const connection = useConnection();")
is_connected = _var("connection.isConnected", _connection, bool)
is_problem_shown = _var("connection.isShown", _connection, bool)
problem_seconds = _var("connection.secondsLeft", _connection, int)
has_pressed_pay = _var("connection.hasPressedPay", _connection, bool)
press_pay = _action("pressPay()", _from(_CONNECTION, "pressPay"))
show_problem = _action("showProblem()", _from(_CONNECTION, "showProblem"))
reload_page = _action("window.location.reload()", VarData())


class ReportProblem(rx.Component):
    """Shows the overlay as soon as it appears."""

    library = _CONNECTION
    tag = "ReportProblem"


class ConnectionBanner(rx.Component):
    """Says that the line is lost, until it is back."""

    library = _CONNECTION
    tag = "ConnectionBanner"
    words: rx.Var[str]


# Leaving, keeping, focus

_KEEP_WHAT_CAN_BE_KEPT = """
const keep = Storage.prototype.setItem;
Storage.prototype.setItem = function (key, value) {
  try {
    keep.call(this, key, value);
  } catch {}
};
for (const name of ["localStorage", "sessionStorage"]) {
  try {
    window[name];
  } catch {
    const kept = new Map();
    const value = {
      getItem: (key) => kept.get(String(key)) ?? null,
      setItem: (key, value) => void kept.set(String(key), String(value)),
      removeItem: (key) => void kept.delete(String(key)),
      clear: () => kept.clear(),
      key: (index) => [...kept.keys()][index] ?? null,
      get length() { return kept.size; },
      forgetsAll: true,
    };
    Object.defineProperty(window, name, { value });
  }
}
"""


def forgiving_storage() -> rx.Component:
    """Lets browsers whose storage is full or forbidden forget things, where Reflex would break.

    Who must know whether something was kept reads it back.
    """
    return rx.el.script(_KEEP_WHAT_CAN_BE_KEPT)


class Leave(rx.Component):
    """Goes to an address outside the app's pages as soon as there is one."""

    library = _BROWSER
    tag = "Leave"
    url: rx.Var[str]


class KeepOrder(rx.Component):
    """Keeps an order in the browser, then says so."""

    library = _BROWSER
    tag = "KeepOrder"
    number: rx.Var[str]
    content: rx.Var[str]
    on_kept: rx.EventHandler[passthrough_event_spec(str)]


class TakeOrder(rx.Component):
    """After a while reads and deletes the order that the browser keeps, and hands it over."""

    library = _BROWSER
    tag = "TakeOrder"
    number: rx.Var[str]
    ms: rx.Var[int]
    on_taken: rx.EventHandler[passthrough_event_spec(str)]


class KeptField(rx.Component):
    """A text box that a value from the server never overwrites while somebody types."""

    library = _BROWSER
    tag = "KeptField"
    kind: rx.Var[str]
    name: rx.Var[str]
    value: rx.Var[str]
    auto_complete: rx.Var[str]
    on_change: rx.EventHandler[input_event]
    on_blur: rx.EventHandler[input_event]


class Modal(rx.Component):
    """A native dialog that is open or not."""

    library = _BROWSER
    tag = "Modal"
    open: rx.Var[bool]
    on_dismiss: rx.EventHandler[no_args_event_spec]


class SkipLink(rx.Component):
    """A link to an element of this page that takes the focus along."""

    library = _BROWSER
    tag = "SkipLink"
    target: rx.Var[str]


class TakeFocus(rx.Component):
    """Moves the focus to an element while it is there."""

    library = _BROWSER
    tag = "TakeFocus"
    target: rx.Var[str]


class LeaveUnlessMounted(rx.Component):
    """Goes elsewhere if an element is not there after a while."""

    library = _BROWSER
    tag = "LeaveUnlessMounted"
    target: rx.Var[str]
    ms: rx.Var[int]
    to: rx.Var[str]


class FocusOnNavigation(rx.Component):
    """Moves the focus to the heading of the screen that was navigated to."""

    library = _BROWSER
    tag = "FocusOnNavigation"


class RegisterWorker(rx.Component):
    """Registers a service worker once the page has loaded."""

    library = _BROWSER
    tag = "RegisterWorker"
    path: rx.Var[str]
