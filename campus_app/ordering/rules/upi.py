"""UPI: the link that opens a payment app with the amount due at the door. It proves no payment.

Source: specification 10.12.
"""

from datetime import datetime, timedelta
from urllib.parse import quote, urlencode

from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.ordering.rules.order import Order, OrderState
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE, CURRENCY, UPI_HOURS
from campus_app.shared.rules.money import ZERO


def upi_link(order: Order, restaurant: Restaurant, now: datetime) -> str:
    """Return the `upi://pay` link for the amount due of an order.

    Empty if the restaurant has no UPI address, or nothing is due: only a confirmed order is paid at
    the door, and some hours later it has been.

    Source: NPCI, UPI Linking Specifications 1.5.1.
    """
    due = order.bill.remaining
    if not restaurant.upi_id or order.state is not OrderState.CONFIRMED or due <= ZERO:
        return ""
    if now > _served_at(order) + timedelta(hours=UPI_HOURS):
        return ""
    parameters = {
        "pa": restaurant.upi_id,
        "pn": restaurant.name,
        "mc": restaurant.upi_merchant_code,
        "tr": order.id,
        "tn": order.number,
        "am": f"{due:.2f}",
        "cu": CURRENCY,
    }
    given = {name: value for name, value in parameters.items() if value}
    return f"upi://pay?{urlencode(given, safe='@', quote_via=quote)}"


def _served_at(order: Order) -> datetime:
    """Return when the food is due at the earliest: when it was ordered, or the table's time."""
    table = order.reservation
    if table is None:
        return order.created_at
    return datetime.combine(table.date, table.slot, CAMPUS_TIME_ZONE)
