"""The members of a group order with their dishes."""

from typing import Any

import reflex as rx

from campus_app.catalogue.screens.dish_marks import sold_out_mark
from campus_app.ordering.screens.group_order_view import MemberDish, MemberView
from campus_app.shared.translations import t
from kit.reflex.binding import StyleSheets


class GroupSheets(StyleSheets):
    """The style sheet of the members of a group order."""

    paths = ["$/public/css/group.css"]


def members_list(members: Any, remove: Any = None) -> rx.Component:
    """Render a variable list of `MemberView`.

    `remove(member, dish)` returns the button beside a dish, or without a dish beside a guest.
    """

    def member(each: Any) -> rx.Component:
        dishes = each["dishes"].to(list[MemberDish])
        return rx.el.li(
            rx.el.div(
                rx.el.h3(each["name"]),
                rx.cond(each["isMe"], rx.el.span(t("you"), class_name="member-mark")),
                rx.cond(each["isOwner"], rx.el.span(t("pays"), class_name="member-mark")),
                rx.el.b(each["total"], class_name="figure"),
                remove(each, None) if remove else rx.fragment(),
                class_name="member-head",
            ),
            rx.cond(
                dishes.length() > 0,
                rx.el.ul(rx.foreach(dishes, lambda dish: _dish(each, dish, remove))),
                rx.el.p(t("Nothing yet"), class_name="hint"),
            ),
            class_name="member",
            data_testid="member",
        )

    return rx.fragment(
        GroupSheets.create(),
        rx.el.ul(rx.foreach(members.to(list[MemberView]), member), class_name="members"),
    )


def late_dishes(dishes: Any) -> rx.Component:
    """Render the dishes that were chosen too late for the order, as a variable list."""
    return rx.el.ul(rx.foreach(dishes.to(list[MemberDish]), lambda dish: _dish(None, dish, None)))


def _dish(member: Any, dish: Any, remove: Any) -> rx.Component:
    return rx.el.li(
        rx.el.span(dish["times"], class_name="times"),
        rx.el.span(dish["name"], rx.cond(dish["isSold"], rx.fragment(), sold_out_mark())),
        rx.el.span(dish["total"], class_name="figure"),
        remove(member, dish) if remove else rx.fragment(),
        class_name="bill-line",
    )
