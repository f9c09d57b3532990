"""The restaurants' statuses, and the dishes that are sold out."""

from typing import Any

import reflex as rx
from reflex.event import no_args_event_spec
from reflex.vars import VarData

from campus_app.catalogue.screens.menus_react import MENU_ID, open_menu
from kit.reflex.binding import action, of_module, variable

_LIBRARY = rx.asset("js/campus_app/catalogue/statuses.js").importable_path

all_statuses = of_module(_LIBRARY, "useStatuses", hook="const statuses = useStatuses();")
"""The import and the hook of a variable that reads the statuses."""
is_live = variable("statuses.isLive", all_statuses, bool)
"""Whether the statuses are known, and come over a connected socket."""
are_statuses_known = variable("statuses.isKnown", all_statuses, bool)
last_checked = variable("statuses.lastChecked", all_statuses, str)
"""The time on the campus, `13:30:59`, of the last statuses that the server has sent."""
open_count = variable("statuses.openCount", all_statuses, int)
status_problem = variable("statuses.problem", all_statuses, str)
refresh_statuses = action("refreshStatuses()", of_module(_LIBRARY, "refreshStatuses"))


def state_of(restaurant_id: int | str) -> Any:
    """Return a restaurant's state, which is the text of its badge; empty until it is known."""
    data = VarData.merge(all_statuses, of_module(_LIBRARY, "stateOf"))
    return variable(f"stateOf(statuses, {restaurant_id})", data, str)


is_menu_closed = variable(
    f"isClosed(statuses, {MENU_ID})",
    VarData.merge(all_statuses, open_menu, of_module(_LIBRARY, "isClosed")),
    bool,
)
"""Whether the restaurant of the open menu is known to take no orders now."""


def status_message_of(restaurant_id: int | str) -> Any:
    """Return the operator's message about a restaurant, or an empty text."""
    data = VarData.merge(all_statuses, of_module(_LIBRARY, "messageOf"))
    return variable(f"messageOf(statuses, {restaurant_id})", data, str)


def back_at(restaurant_id: int | str) -> Any:
    """Return the time at which a restaurant's pause ends, `13:30`, or an empty text."""
    data = VarData.merge(all_statuses, of_module(_LIBRARY, "backAtOf"))
    return variable(f"backAtOf(statuses, {restaurant_id})", data, str)


def hours_of(restaurant_id: int | str) -> Any:
    """Return a restaurant's hours of today, or an empty text if they are the usual ones."""
    data = VarData.merge(all_statuses, of_module(_LIBRARY, "hoursOf"))
    return variable(f"hoursOf(statuses, {restaurant_id})", data, str)


def opens_at(restaurant_id: int | str) -> Any:
    """Return when a closed restaurant opens next, or an empty text if at its usual time."""
    data = VarData.merge(all_statuses, of_module(_LIBRARY, "opensAtOf"))
    return variable(f"opensAtOf(statuses, {restaurant_id})", data, str)


def is_sold_out(dish: Any) -> Any:
    """Whether a dish of the open menu is sold out.

    Each dish needs an `rx.memo` component of its own: its hook declares the constant `isSoldOut`.
    """
    return variable("isSoldOut", VarData.merge(open_menu, sold_out_hook(MENU_ID, dish)), bool)


def sold_out_hook(restaurant_id: Any, dish: Any) -> VarData:
    """Return the hook that declares `isSoldOut`.

    `restaurant_id` is a JavaScript expression; if it needs a hook, merge that one before this one.
    """
    hook = f"const isSoldOut = useSoldOut({restaurant_id!s}, {dish['id']!s});"
    return of_module(_LIBRARY, "useSoldOut", hook=hook)


def report_selection(restaurant_id: int | rx.Var[str], name: str | rx.Var[str]) -> Any:
    """Return an event handler that logs a chosen restaurant; the navigation does not wait."""
    arguments = f"{restaurant_id}, {rx.Var.create(name)!s}"
    return action(f"reportSelection({arguments})", of_module(_LIBRARY, "reportSelection"))


class StatusFeed(rx.Component):
    """Shows the pushed statuses, and detects a connection that is open but transfers nothing.

    `pushed` is JSON, ignored before hydration. `on_heartbeat` is triggered at least every 12 s,
    while the page is visible: the server answers with a push. Source: specification S17.
    """

    library = rx.asset("js/campus_app/catalogue/status_feed.jsx").importable_path
    tag = "StatusFeed"
    pushed: rx.Var[str]
    hydrated: rx.Var[bool]
    on_heartbeat: rx.EventHandler[no_args_event_spec]
