"""The restaurants whose menus were opened last."""

import reflex as rx

from campus_app.shared.rules.constants import MAXIMUM_SHORTCUTS
from campus_app.shell.page_react import MANIFEST


class RememberRestaurant(rx.Component):
    """Stores a restaurant's id as the one whose menu was opened last, of the `most` last ones."""

    library = MANIFEST
    tag = "RememberRestaurant"
    restaurant: rx.Var[str]
    most: rx.Var[int] = rx.Var.create(MAXIMUM_SHORTCUTS)
