"""The kitchen board in the browser: its tickets, presses, chime and paper."""

from typing import Any, TypedDict

import reflex as rx
from reflex.event import no_args_event_spec, passthrough_event_spec
from reflex.vars import VarData

from campus_app.catalogue.screens import statuses_react
from kit.reflex.binding import action, of_module, variable
from kit.text import gettext_noop

_STORE = rx.asset("js/campus_app/kitchen/kitchen_board.js").importable_path
_CHOICES = rx.asset("js/kit/store.js").importable_path
_DISHES = rx.asset("js/campus_app/kitchen/kitchen_dishes.js").importable_path
_SWITCHES = rx.asset("js/campus_app/kitchen/kitchen_switches.jsx").importable_path
_CONNECTION = rx.asset("js/campus_app/kitchen/kitchen.jsx").importable_path
_COLUMNS = rx.asset("js/campus_app/kitchen/kitchen_columns.jsx").importable_path
_VIEW = rx.asset("js/campus_app/kitchen/kitchen_view.jsx").importable_path
_PAPER = rx.asset("js/campus_app/kitchen/kitchen_paper.jsx").importable_path


class TicketLine(TypedDict):
    """A dish of a ticket, or of the list of what is due; `localName` is in the page's language.

    `isShort`: it can't be cooked, and the customer has not chosen yet. `insteadOf` is the name of
    the dish that it replaces, or empty.
    """

    id: str
    quantity: int
    name: str
    localName: str
    spice: str
    isShort: bool
    insteadOf: str


class BoardShortage(TypedDict):
    """A dish of a ticket that can't be cooked; `name` is empty for the whole order.

    Its customer may choose `until` a time; empty if the customer is not told yet.
    """

    dishId: str
    name: str
    until: str


class BoardTicket(TypedDict):
    """An order on the board, with what the device has pressed.

    `hours` and `minutes` are the time since the order is due or, if it `isAhead`, until then;
    `look` are its style classes. `place` is the list in which it is shown, `cook`, `ready` or
    `done`: a ticket that was just pressed `isHeld` in its list. `isDue` is whether it is to be
    cooked now, `isLater` whether it is a table's that is due later; `isOpened` shows all of it.
    """

    id: str
    number: str
    state: str
    lines: list[TicketLine]
    shortages: list[BoardShortage]
    note: str
    doorNote: str
    noCutlery: bool
    customer: str
    phone: str
    campus: str
    address: str
    slot: str
    party: str
    collect: str
    isCancelled: bool
    isDue: bool
    isLater: bool
    isOpened: bool
    isNew: bool
    isSeen: bool
    isReady: bool
    isHandedOver: bool
    canUndo: bool
    isHeld: bool
    place: str
    hours: int
    minutes: int
    isAhead: bool
    look: str


class SwitchableDish(TypedDict):
    """A dish of the kitchen's menu, and whether it can be ordered."""

    id: str
    name: str
    localName: str
    isAvailable: bool


_board = of_module(_STORE, "useKitchenBoard", hook="const kitchenBoard = useKitchenBoard();")
is_board_known = variable("kitchenBoard.isKnown", _board, bool)
restaurant_id = variable("kitchenBoard.restaurant", _board, str)
kitchen_name = variable("kitchenBoard.name", _board, str)
device_id = variable("kitchenBoard.device", _board, str)
is_live = statuses_react.is_live & variable("kitchenBoard.isFresh", _board, bool)
"""Whether the server has compared the board with its database lately.

Without it presses of tickets are kept; other buttons are off, as nobody may mean them later.
"""
NO_CONNECTION = gettext_noop("No connection. New orders do not appear.")
waiting_count = variable("kitchenBoard.waiting", _board, int)
"""The number of presses that the server has not confirmed."""
due_dishes = variable("kitchenBoard.due", _board, list[TicketLine])
due_count = variable("kitchenBoard.dueCount", _board, int)
"""The number of orders that are to be cooked now; `later_count` are those of tables later."""
later_count = variable("kitchenBoard.laterCount", _board, int)


def placed_tickets(place: str) -> Any:
    """Return the tickets of the list `cook`, `ready`, or `done`, which begins with the latest."""
    tickets = f'kitchenBoard.tickets.filter((each) => each.place === "{place}")'
    order = ".reverse()" if place == "done" else ""
    return variable(f"{tickets}{order}", _board, list[BoardTicket])


printed_tickets = variable(
    "printedTickets(kitchenBoard)",
    VarData.merge(_board, of_module(_STORE, "printedTickets")),
    list[BoardTicket],
)
have_dishes_failed = variable(
    "kitchenDishes.hasFailed",
    of_module(_DISHES, "useKitchenDishes", hook="const kitchenDishes = useKitchenDishes();"),
    bool,
)


def switchable_dishes(view: str, query: str) -> Any:
    """Return the dishes of the menu whose names contain the choice `query`, the searched text.

    Those that were sold out when the choice `view` last changed come first, and stay first.
    """
    hook = f'const switchableDishes = useSwitchableDishes("{view}", "{query}");'
    data = of_module(_SWITCHES, "useSwitchableDishes", hook=hook)
    return variable("switchableDishes", data, list[SwitchableDish])


def choose_query(name: str) -> Any:
    """Return an event handler of a field, which makes its text the choice under a name."""
    expression = f'({{ target }}) => choose("{name}", target.value)'
    return variable(expression, of_module(_CHOICES, "choose"), rx.EventChain)


def press(ticket: Any, target: str) -> Any:
    """Return an event handler that presses a button of a ticket: `seen`, `ready`, `handed_over`."""
    return action(f'press({ticket!s}, "{target}")', of_module(_STORE, "press"))


def undo(ticket: Any) -> Any:
    """Return an event handler that undoes the last press on a ticket."""
    return action(f"undo({ticket!s})", of_module(_STORE, "undo"))


def toggle(ticket: Any) -> Any:
    """Return an event handler that shows all of a ticket, or hides it again."""
    return action(f"toggleTicket({ticket['id']!s})", of_module(_STORE, "toggleTicket"))


SHORTAGE_OF = "shortageOf"
"""The choice of the ticket whose dialog 'Can't cook it' is open."""
shortage_tickets = variable(
    "kitchenBoard.tickets.filter(({ id }) => id === shortageOf)",
    VarData.merge(
        _board,
        of_module(
            _CHOICES, "useChoice", hook=f'const shortageOf = useChoice("{SHORTAGE_OF}", "");'
        ),
    ),
    list[BoardTicket],
)
"""The ticket whose dialog is open, if there is one."""


def open_shortages(ticket: Any) -> Any:
    """Return an event handler that asks what of a ticket can't be cooked."""
    expression = f'choose("{SHORTAGE_OF}", {ticket["id"]!s})'
    return action(expression, of_module(_CHOICES, "choose"))


def switch_dish(dish: Any) -> Any:
    """Return an event handler that shows a dish's switch in its other position."""
    expression = f"switchDish({dish['id']!s}, !{dish['isAvailable']!s})"
    return action(expression, of_module(_DISHES, "switchDish"))


def print_ticket(ticket: Any) -> Any:
    """Return an event handler that prints one ticket."""
    return action(f"printTicket({ticket!s})", of_module(_PAPER, "printTicket"))


class KitchenFeed(rx.Component):
    """Shows the pushed board, sends presses until they are `confirmed`, and sends heartbeats.

    An empty `board` changes nothing; `closed` is whether the device is not enrolled. `checked_at`
    is when the server last compared the board with its database, `confirmed` when it processed the
    last presses, by their ids; both in ms.
    """

    library = _CONNECTION
    tag = "KitchenFeed"
    board: rx.Var[str]
    checked_at: rx.Var[int]
    closed: rx.Var[bool]
    confirmed: rx.Var[dict[str, int]]
    hydrated: rx.Var[bool]
    on_press: rx.EventHandler[passthrough_event_spec(str, str, str, str)]
    on_heartbeat: rx.EventHandler[no_args_event_spec]


class KitchenAlarm(rx.Component):
    """The button that turns the chime on; its text is `off`, `on`, or `waiting` for a touch.

    While orders are unseen, `title`, with their number `{count}`, alternates with the page's.
    """

    library = rx.asset("js/campus_app/kitchen/kitchen_alarm.jsx").importable_path
    tag = "KitchenAlarm"
    off: rx.Var[str]
    on: rx.Var[str]
    waiting: rx.Var[str]
    title: rx.Var[str]


class PaperSize(rx.Component):
    """Prints tickets on the paper of a receipt printer, 80 mm wide."""

    library = _PAPER
    tag = "PaperSize"


class TicketColumns(rx.Component):
    """Tickets in columns, each directly below the one before it in its column."""

    library = _COLUMNS
    tag = "TicketColumns"


class KeptView(rx.Component):
    """Sets the choice `name` to the view, one of `views`, that this device showed last."""

    library = _VIEW
    tag = "KeptView"
    name: rx.Var[str]
    views: rx.Var[list[str]]
