"""The restaurants whose menus were opened last."""

import reflex as rx

from campus_app.shared.rules.constants import MAXIMUM_SHORTCUTS
from campus_app.shell.page_react import MANIFEST


class RememberRestaurant(rx.Component):
    """Puts a restaurant's id first in the stored list of the last opened, which keeps `most`."""

    library = MANIFEST
    tag = "RememberRestaurant"
    restaurant: rx.Var[str]
    most: rx.Var[int] = rx.Var.create(MAXIMUM_SHORTCUTS)
