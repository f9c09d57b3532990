"""Parts of a bill: the slip, its dishes and its sums."""

from typing import Any

import reflex as rx

from campus_app.shared.rules.money import ZERO, format_rupees
from campus_app.shell.layout import numbered_label

NOTHING = format_rupees(ZERO)
"""The text of an amount of zero."""


def sum_line(
    label: Any, amount: Any, *, note: Any = "", test_id: str = "", look: Any = ""
) -> rx.Component:
    """Render one sum of a bill; `look` may be `grand`, or `minus` for a deduction."""
    attributes = {"data-testid": test_id} if test_id else {}
    small = rx.el.small(note) if isinstance(note, rx.Var) or note else rx.fragment()
    return rx.el.div(
        rx.el.dt(label, small), rx.el.dd(amount, custom_attrs=attributes), class_name=look
    )


def slip_lines(lines: Any, class_name: str = "bill-lines") -> rx.Component:
    """Render a variable list of lines, each with `times`, `name` and `total`, as a list."""

    def line(each: Any) -> rx.Component:
        return rx.el.li(
            rx.el.span(each["times"], class_name="times"),
            rx.el.span(each["name"]),
            rx.el.span(each["total"], class_name="figure"),
            class_name="bill-line",
        )

    return rx.el.ul(rx.foreach(lines, line), class_name=class_name)


def bill_slip(number: str, label: str, title: Any, *content: rx.Component) -> rx.Component:
    """Render a slip of paper with a numbered label, a heading and its content."""
    return rx.el.div(numbered_label(number, label), rx.el.h2(title), *content, class_name="bill")
