"""Money on paper: the slip with its sums, and the ticket that says what is paid when."""

from typing import Any

import reflex as rx

from campus_app.components.layout import numbered_label
from campus_app.domain.money import ZERO, format_rupees

NOTHING = format_rupees(ZERO)
"""The text of an amount of zero."""


def sum_line(
    label: Any,
    amount: str,
    *,
    note: str = "",
    test_id: str = "",
    look: Any = "",
) -> rx.Component:
    """One sum of a bill; its `look` may be `grand`, or `minus` where it is taken off."""
    attributes = {"data-testid": test_id} if test_id else {}
    small = rx.el.small(note) if isinstance(note, rx.Var) or note else rx.fragment()
    return rx.el.div(
        rx.el.dt(label, small),
        rx.el.dd(amount, custom_attrs=attributes),
        class_name=look,
    )


def slip_line(times: str, name: str, total: str) -> rx.Component:
    return rx.el.li(
        rx.el.span(times, class_name="times"),
        rx.el.span(name),
        rx.el.span(total, class_name="figure"),
        class_name="bill-line",
    )


def bill_slip(number: str, label: str, title: Any, *content: rx.Component) -> rx.Component:
    return rx.el.div(numbered_label(number, label), rx.el.h2(title), *content, class_name="bill")


def split_part(
    title: Any, amount: str, test_id: str, workings: Any, why: Any
) -> list[rx.Component]:
    """One half of the ticket: what, how much, how it comes about, and to whom."""
    return [
        rx.el.h2(title),
        rx.el.span(amount, class_name="amount", custom_attrs={"data-testid": test_id}),
        rx.el.ul(workings, class_name="workings"),
        rx.el.p(why),
    ]


def working(label: str, amount: str) -> rx.Component:
    return rx.el.li(rx.el.span(label), rx.el.b(amount, class_name="figure"))
