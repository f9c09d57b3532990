"""The repeated parts of the menu page, by which the build turns its example page into a template.

`assets/js/campus_app/catalogue/menu.jsx` provides the example data.
"""

from typing import Final

from kit.reflex.page_templates import Loop

_DISHES: Final = Loop(
    "li", "dish-card", "dish in section.dishes", ["dish.diet == 'veg'", "dish.diet == 'non_veg'"]
)
LOOPS: Final = (
    Loop("button", "tab", "section in sections", ["loop.first"]),
    Loop("section", "menu-section", "section in sections", ["section.count > 1"], inner=_DISHES),
)
