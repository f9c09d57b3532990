"""The state of all pages of the desk."""

import reflex as rx

from campus_app.operators.screens.desk_leads_state import DeskLeads
from campus_app.operators.screens.desk_menus_state import DeskMenus
from campus_app.operators.screens.desk_order_state import DeskOrder
from campus_app.operators.screens.desk_people_state import DeskPeople
from campus_app.operators.screens.desk_restaurants_state import DeskRestaurants
from campus_app.operators.screens.desk_today_state import DeskToday


class DeskState(DeskToday, DeskOrder, DeskRestaurants, DeskMenus, DeskLeads, DeskPeople, rx.State):
    """One state for the whole desk: see `desk_entry.py`."""
