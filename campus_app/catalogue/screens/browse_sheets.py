"""The style sheet of the screens before a menu; a menu that is opened by its link does without."""

from kit.reflex.binding import StyleSheets


class BrowseSheets(StyleSheets):
    """The style sheet of the campus, the list of restaurants and the offers."""

    paths = ["$/public/css/browse.css"]
