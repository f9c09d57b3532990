"""The state of all pages of the desk."""

from collections.abc import Mapping
from typing import Final

import reflex as rx

from campus_app.operators.screens.desk_figures_state import DeskFigures
from campus_app.operators.screens.desk_leads_state import DeskLeads
from campus_app.operators.screens.desk_menus_state import DeskMenus
from campus_app.operators.screens.desk_offers_state import DeskOffers
from campus_app.operators.screens.desk_order_state import DeskOrder
from campus_app.operators.screens.desk_people_state import DeskPeople
from campus_app.operators.screens.desk_restaurants_state import DeskRestaurants
from campus_app.operators.screens.desk_today_state import DeskToday

EMPTY: Final[Mapping[str, object]] = {
    "today": {},
    "order": {},
    "contact": {},
    "found": {},
    "restaurants": [],
    "board_link": {},
    "leads": [],
    "leads_end": {},
    "devices": [],
    "desk_link": {},
    "entries": [],
    "entries_end": {},
    "person": "",
    "areas": [],
    "figures": {},
}
"""What the variables are that a page of the desk shows, once its device may not see them."""


class DeskState(
    DeskToday,
    DeskOrder,
    DeskRestaurants,
    DeskMenus,
    DeskOffers,
    DeskFigures,
    DeskLeads,
    DeskPeople,
    rx.State,
):
    """One state for the whole desk: see `desk_entry.py`."""
