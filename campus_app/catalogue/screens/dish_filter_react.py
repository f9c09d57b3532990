"""What a visitor looks for among dishes, and the dishes of all kitchens that match."""

from typing import Any, TypedDict

import reflex as rx
from reflex.event import no_args_event_spec

from kit.reflex.binding import action, of_module, variable

_FILTER = rx.asset("js/campus_app/catalogue/dish_filter.js").importable_path
_DISHES = rx.asset("js/campus_app/catalogue/all_dishes.js").importable_path


class SearchBox(rx.Component):
    """A field that filters the dishes of the screen as the visitor types."""

    library = rx.asset("js/campus_app/catalogue/search_box.jsx").importable_path
    tag = "SearchBox"
    lib_dependencies: list[str] = ["@leeoniya/ufuzzy@1.0.19"]
    label: rx.Var[str]
    hint: rx.Var[str]
    """What the empty field shows."""
    on_focus: rx.EventHandler[no_args_event_spec]


_filter = of_module(_FILTER, "useFilter", hook="const dishFilter = useFilter();")
is_veg_only = variable("dishFilter.isVegOnly", _filter, bool)
order = variable("dishFilter.order", _filter, str)
"""The order of the dishes: `menu`, `cheapest` or `dearest`."""
is_filtered = variable(
    "(dishFilter.query.trim() !== '' || dishFilter.isVegOnly || dishFilter.order !== 'menu')",
    _filter,
    bool,
)
toggle_veg_only = action("toggleVegOnly()", of_module(_FILTER, "toggleVegOnly"))
show_all = action("showAll()", of_module(_FILTER, "showAll"))
sort_by = variable(
    "({ target }) => sortBy(target.value)", of_module(_FILTER, "sortBy"), rx.EventChain
)


class FoundDish(TypedDict):
    """A dish with its kitchen; `address` is the kitchen's menu with a search for the dish."""

    key: str
    name: str
    localName: str
    price: str
    diet: str
    restaurantId: str
    restaurantName: str
    address: str
    isSoldOut: bool


class DishLoader(rx.Component):
    """Loads the menus of the restaurants `ids` for a query, and again when back online."""

    library = _DISHES
    tag = "DishLoader"
    ids: rx.Var[list[str]]


def load_dishes(ids: list[str]) -> Any:
    """Return an event handler that loads the menus of restaurants."""
    return action(f"loadDishes({rx.Var.create(ids)!s})", of_module(_DISHES, "loadDishes"))


_found = of_module(_DISHES, "useFoundDishes", hook="const foundDishes = useFoundDishes();")
is_searching = variable("foundDishes.isSearching", _found, bool)
is_loading = variable("foundDishes.isLoading", _found, bool)
has_failed = variable("foundDishes.hasFailed", _found, bool)
"""Whether at least one menu could not be loaded."""
is_empty = variable("foundDishes.isEmpty", _found, bool)
"""Whether no menu could be loaded yet."""
found_dishes = variable("foundDishes.dishes", _found, list[FoundDish])
found_count = variable("foundDishes.count", _found, int)
"""The number of all dishes that match; `unshown_count` of them are not in `found_dishes`."""
unshown_count = variable("foundDishes.more", _found, int)
hidden_count = variable("foundDishes.hidden", _found, int)
"""The number of dishes that only 'Veg only' hides."""
