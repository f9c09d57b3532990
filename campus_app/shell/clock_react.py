"""The campus clock."""

import reflex as rx

CLOCK = rx.asset("js/campus_app/shell/campus_clock.jsx").importable_path


class CampusClock(rx.Component):
    """The weekday and time on the campus."""

    library = CLOCK
    tag = "CampusClock"


class ShortlyBefore(rx.Component):
    """Shows its content from `within` milliseconds before a time until then.

    `at` is in milliseconds since 1970, 0 for never; the time is the campus clock's.
    """

    library = CLOCK
    tag = "ShortlyBefore"
    at: rx.Var[int]
    within: rx.Var[int]
