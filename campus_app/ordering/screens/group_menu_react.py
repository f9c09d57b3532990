"""The menu of a group order's restaurant."""

from typing import Any

import reflex as rx
from reflex.vars import VarData

from campus_app.catalogue.screens import statuses_react
from campus_app.catalogue.screens.menus_react import Section
from kit.reflex.binding import of_module, variable

_LIBRARY = rx.asset("js/campus_app/ordering/group_menu.jsx").importable_path
_menu = of_module(_LIBRARY, "useGroupMenu", hook="const groupMenu = useGroupMenu();")

status = variable("groupMenu.status", _menu, str)
"""`loading`, `ready` or `error`."""
restaurant_id = variable("groupMenu.restaurant.id", _menu, str)
opens_at = variable('(groupMenu.restaurant.hours ?? "").split("-")[0]', _menu, str)
sections = variable("groupMenu.sections", _menu, list[Section])
"""The sections with the dishes that the visitor's filter leaves."""
shown_count = variable("groupMenu.count", _menu, int)
hidden_count = variable("groupMenu.hidden", _menu, int)
restaurant_state = statuses_react.state_of(restaurant_id)


def is_sold_out(dish: Any) -> Any:
    """Whether a dish is sold out; one dish per `rx.memo` component."""
    data = VarData.merge(_menu, statuses_react.sold_out_hook(restaurant_id, dish))
    return variable("isSoldOut", data, bool)
