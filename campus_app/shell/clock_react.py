"""The campus clock."""

import reflex as rx

CLOCK = rx.asset("js/campus_app/shell/campus_clock.jsx").importable_path


class CampusClock(rx.Component):
    """The weekday and time on the campus."""

    library = CLOCK
    tag = "CampusClock"


class ShortlyBefore(rx.Component):
    """Shows its content in the `within` ms before the campus time `at` (in ms; 0 for never)."""

    library = CLOCK
    tag = "ShortlyBefore"
    at: rx.Var[int]
    within: rx.Var[int]
