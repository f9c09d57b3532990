"""The numbers of kitchens and campuses, in the footer of every screen."""

import reflex as rx

from campus_app.catalogue import wiring
from campus_app.shared.rules.campus import Campus
from campus_app.shared.translations import t


def foot_facts() -> rx.Component:
    """Render how many kitchens serve how many campuses."""
    kitchens = len(wiring.services().catalogue.restaurants())
    return rx.el.span(
        t("{kitchens} KITCHENS, {campuses} CAMPUSES", kitchens=kitchens, campuses=len(Campus))
    )
