"""The plan of a table, with its seats."""

import reflex as rx

_SEATS = ((70, 24), (70, 126), (125, 24), (125, 126), (180, 24), (180, 126), (20, 75), (230, 75))
"""The centres of the seats in the drawing's units, in the order in which they are taken."""


def table_plan(guests: int) -> rx.Component:
    """Draw a table from above, with a taken seat for each of up to eight guests.

    Screen readers skip it: the number stands beside it.
    """
    seats = [
        rx.el.circle(
            class_name=rx.cond(guests > number, "seat taken", "seat"), cx=str(x), cy=str(y), r="15"
        )
        for number, (x, y) in enumerate(_SEATS)
    ]
    return rx.el.svg(
        rx.el.rect(class_name="top", x="42", y="46", width="166", height="58"),
        *seats,
        class_name="table-plan",
        view_box="0 0 250 150",
        aria_hidden="true",
    )
