"""The style sheet of the screens of an order; the list, the menus and the kitchen do without."""

from kit.reflex.binding import StyleSheets


class OrderSheets(StyleSheets):
    """The style sheet of every screen from a table and the bill to the receipt."""

    paths = ["$/public/css/order.css"]
