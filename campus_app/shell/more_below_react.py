"""The hint that a page continues below the bar at its lower edge."""

import reflex as rx


class MoreBelow(rx.Component):
    """A button `words` that scrolls the page, shown while the page continues below the window."""

    library = rx.asset("js/campus_app/shell/more_below.jsx").importable_path
    tag = "MoreBelow"
    words: rx.Var[str]
