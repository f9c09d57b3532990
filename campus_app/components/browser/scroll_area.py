"""A scroll area inside a page that does not scroll."""

import reflex as rx


class ScrollArea(rx.Component):
    """Scrolls its one child, with a button `words` while there is more below."""

    library = rx.asset("js/campus_app/scroll_area.jsx").importable_path
    tag = "ScrollArea"
    words: rx.Var[str]
