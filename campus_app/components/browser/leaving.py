"""Screens that are left, or shown, without the server."""

import reflex as rx

_LIBRARY = rx.asset("js/leaving.jsx").importable_path


class LeaveAfter(rx.Component):
    """Goes to a screen in place of this one after a while, without asking the server."""

    library = _LIBRARY
    tag = "LeaveAfter"
    ms: rx.Var[int]
    to: rx.Var[str]


class Patience(rx.Component):
    """Shows its second child in place of its first while the server leaves the page waiting."""

    library = _LIBRARY
    tag = "Patience"
    waiting: rx.Var[bool]


class OrderNumber(rx.Component):
    """The number of the order that the tab is about, by what the browser holds; else the words."""

    library = _LIBRARY
    tag = "OrderNumber"
    words: rx.Var[str]
