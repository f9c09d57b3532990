"""The keyboard's focus and the scroll position."""

import reflex as rx

_LIBRARY = rx.asset("js/campus_app/shell/focus.jsx").importable_path


class SkipLink(rx.Component):
    """A link to the element `target` of this page that also moves the focus there."""

    library = _LIBRARY
    tag = "SkipLink"
    target: rx.Var[str]


class FocusTrap(rx.Component):
    """Moves the focus to the panel `target`, and keeps it within the panel's overlay."""

    library = _LIBRARY
    tag = "FocusTrap"
    target: rx.Var[str]


class FocusOnNavigation(rx.Component):
    """Moves the focus to the heading of a screen after a navigation."""

    library = _LIBRARY
    tag = "FocusOnNavigation"


class ScrollIntoView(rx.Component):
    """Scrolls the element `target` into view when it is mounted."""

    library = _LIBRARY
    tag = "ScrollIntoView"
    target: rx.Var[str]


class FocusNext(rx.Component):
    """Moves the focus to the element `target`, else to the heading, if its content is removed."""

    library = _LIBRARY
    tag = "FocusNext"
    target: rx.Var[str]
