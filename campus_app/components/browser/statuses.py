"""What the campus looks like now: statuses, the clock."""

from typing import Any

import reflex as rx
from reflex.event import no_args_event_spec
from reflex.vars import VarData

from campus_app.components.browser.binding import action, of_module, variable

_LIBRARY = rx.asset("js/live.jsx").importable_path

_live = of_module(_LIBRARY, "useLive", hook="const live = useLive();")
is_live = variable("live.isLive", _live, bool)
are_statuses_known = variable("live.isKnown", _live, bool)
last_checked = variable("live.lastChecked", _live, str)
open_count = variable("live.openCount", _live, int)
status_problem = variable("live.problem", _live, str)
refresh_statuses = action("refreshStatuses()", of_module(_LIBRARY, "refreshStatuses"))


def state_of(restaurant_id: int | str) -> Any:
    """The badge's text of one restaurant, empty until it is known."""
    data = VarData.merge(_live, of_module(_LIBRARY, "stateOf"))
    return variable(f"stateOf(live, {restaurant_id!s})", data, str, restaurant_id)


def status_message_of(restaurant_id: int | str) -> Any:
    """What the operator says of one restaurant, or nothing."""
    data = VarData.merge(_live, of_module(_LIBRARY, "messageOf"))
    return variable(f"messageOf(live, {restaurant_id!s})", data, str, restaurant_id)


def report_selection(restaurant_id: int, name: str) -> Any:
    """Tell the server which restaurant was chosen, and wait for nothing."""
    arguments = f"{restaurant_id}, {rx.Var.create(name)!s}"
    return action(f"reportSelection({arguments})", of_module(_LIBRARY, "reportSelection"))


class LiveFeed(rx.Component):
    """Takes in the statuses that the server pushes, and notices when the connection is lost.

    `on_beat` asks for them over that connection, at least every 15 s. Source: specification S17.
    """

    library = _LIBRARY
    tag = "LiveFeed"
    picture: rx.Var[str]
    hydrated: rx.Var[bool]
    on_beat: rx.EventHandler[no_args_event_spec]


class CampusClock(rx.Component):
    """The weekday and time on the campus."""

    library = _LIBRARY
    tag = "CampusClock"
