"""The kitchen board in the browser: its tickets, presses, chime and paper."""

from typing import Any, TypedDict

import reflex as rx
from reflex.event import no_args_event_spec, passthrough_event_spec
from reflex.vars import VarData

from kit.reflex.binding import action, of_module, variable

_STORE = rx.asset("js/campus_app/kitchen_board.js").importable_path
_CHOICES = rx.asset("js/kit/store.js").importable_path
_DISHES = rx.asset("js/campus_app/kitchen_dishes.js").importable_path
_SWITCHES = rx.asset("js/campus_app/kitchen_switches.jsx").importable_path
_CONNECTION = rx.asset("js/campus_app/kitchen.jsx").importable_path
_PAPER = rx.asset("js/campus_app/kitchen_paper.jsx").importable_path


class TicketLine(TypedDict):
    """A dish of a ticket, or of the list of what is due; `localName` is in the page's language."""

    id: str
    quantity: int
    name: str
    localName: str


class BoardTicket(TypedDict):
    """An order on the board, with what the device has pressed.

    `hours` and `minutes` are the time since the order is due or, if it `isAhead`, until then;
    `look` are its style classes.
    """

    id: str
    number: str
    state: str
    lines: list[TicketLine]
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
    isNew: bool
    isSeen: bool
    isReady: bool
    isHandedOver: bool
    canUndo: bool
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
is_board_fresh = variable("kitchenBoard.isFresh", _board, bool)
"""Whether the server has compared the board with its database in the last seconds."""
waiting_count = variable("kitchenBoard.waiting", _board, int)
"""The number of presses that the server has not confirmed."""
due_dishes = variable("kitchenBoard.due", _board, list[TicketLine])
due_tickets = variable(
    "kitchenBoard.tickets.filter((each) => !each.isReady)", _board, list[BoardTicket]
)
ready_tickets = variable(
    "kitchenBoard.tickets.filter((each) => each.isReady && !each.isHandedOver)",
    _board,
    list[BoardTicket],
)
done_tickets = variable(
    "kitchenBoard.tickets.filter((each) => each.isHandedOver).reverse()", _board, list[BoardTicket]
)
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
    """Return the dishes of the menu whose names contain the text that is chosen as `query`.

    Those that were sold out when the choice `view` was last changed come first.
    """
    hook = f'const switchableDishes = useSwitchableDishes("{view}", "{query}");'
    data = of_module(_SWITCHES, "useSwitchableDishes", hook=hook)
    return variable("switchableDishes", data, list[SwitchableDish])


def choose_query(name: str) -> Any:
    """Return an event handler of a field that chooses its text under a name."""
    expression = f'({{ target }}) => choose("{name}", target.value)'
    return variable(expression, of_module(_CHOICES, "choose"), rx.EventChain)


def press(ticket: Any, target: str) -> Any:
    """Return an event handler that presses a button of a ticket: `seen`, `ready`, `handed_over`."""
    return action(f'press({ticket!s}, "{target}")', of_module(_STORE, "press"))


def undo(ticket: Any) -> Any:
    """Return an event handler that undoes the last press on a ticket."""
    return action(f"undo({ticket!s})", of_module(_STORE, "undo"))


def switch_dish(dish: Any) -> Any:
    """Return an event handler that shows a dish's switch in its other position."""
    expression = f"switchDish({dish['id']!s}, !{dish['isAvailable']!s})"
    return action(expression, of_module(_DISHES, "switchDish"))


def print_ticket(ticket: Any) -> Any:
    """Return an event handler that prints one ticket."""
    return action(f"printTicket({ticket!s})", of_module(_PAPER, "printTicket"))


class KitchenFeed(rx.Component):
    """Shows the pushed board, sends presses until they are `confirmed`, and sends heartbeats.

    An empty `board` changes nothing; `closed` closes it. `checked_at` grows with each check.
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
    """The button that turns the chime on; `title` is the page's with `{count}` unseen orders."""

    library = rx.asset("js/campus_app/kitchen_alarm.jsx").importable_path
    tag = "KitchenAlarm"
    off: rx.Var[str]
    on: rx.Var[str]
    title: rx.Var[str]


class PaperSize(rx.Component):
    """Prints tickets on the paper of a receipt printer, 80 mm wide."""

    library = _PAPER
    tag = "PaperSize"
