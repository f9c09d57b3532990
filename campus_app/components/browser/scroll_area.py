"""A scroll area inside a page that does not scroll."""

import reflex as rx


class ScrollArea(rx.Component):
    """Scrolls its one child where there is no room for it; a button says so while more is below."""

    library = rx.asset("js/scroll_area.jsx").importable_path
    tag = "ScrollArea"
    words: rx.Var[str]
