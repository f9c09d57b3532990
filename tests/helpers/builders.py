"""Valid requests, orders and mails; tests change single fields."""

from dataclasses import replace
from datetime import date, datetime, time
from typing import Any, NamedTuple

from campus_app.catalogue.rules.menu import Dish
from campus_app.catalogue.rules.opening_hours import OpeningHours
from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.kitchen.rules.kitchen import Ticket
from campus_app.ordering.rules.bill import BillTerms, bill_for
from campus_app.ordering.rules.cart import CartLine
from campus_app.ordering.rules.cooking import Cooking
from campus_app.ordering.rules.customer import Customer
from campus_app.ordering.rules.instructions import Instructions
from campus_app.ordering.rules.order import Order, OrderLine, OrderState
from campus_app.ordering.rules.reservation import PreReservation
from campus_app.ordering.rules.stored_order import OrderDraft
from campus_app.ordering.services.order_requests import OrderRequest, ReservationRequest
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from campus_app.shared.rules.money import rupees
from kit.mail.message import Mail
from tests.helpers.clock import WEDNESDAY

CUSTOMER = {
    "fullName": "Aarav Sharma",
    "email": "aarav@students.example",
    "phoneNumber": "+91 98000 00001",
    "address": "Hostel 4, room 212",
}
QUANTITIES = {"104": 2, "112": 1}
"""Two dishes of restaurant 1, together above the minimum."""

RESERVED_QUANTITIES = {"202": 5}
"""Dishes of restaurant 2 for ₹550, above the minimum of a reservation."""

RESTAURANT = Restaurant(
    id=1,
    name="Pehla Food Point",
    categories=("Indian",),
    rating="4.4",
    delivery_minutes="25-35",
    image="01-thali.svg",
    tags=("thalis",),
    vendor_email="vendor1@pehla.example",
    vendor_phone="+910000000001",
    hours=OpeningHours(time(10, 30), time(20, 30)),
    campuses=frozenset(Campus),
)
THALI = Dish("104", "Deluxe Thali", "With everything.", rupees(180), "Thalis")


def at(hour: int, minute: int = 0, second: int = 0, *, day: int = 18) -> datetime:
    """Return a time of November 2026 in the campus time zone; the 18th is a Wednesday."""
    return datetime(2026, 11, day, hour, minute, second, tzinfo=CAMPUS_TIME_ZONE)


def order_request(note: str = "", **changes: Any) -> OrderRequest:
    """Return an order request that is valid on that Wednesday at 13:00; `note` is the kitchen's."""
    request = OrderRequest(
        restaurant_id=1,
        campus="north",
        customer=CUSTOMER,
        quantities=QUANTITIES,
        instructions=Instructions(note),
    )
    return replace(request, **changes)


def reservation_request(**changes: Any) -> OrderRequest:
    """Return a table request for restaurant 2 that is valid on that Wednesday at 13:00."""
    table = ReservationRequest(2, "17:30", 4, WEDNESDAY.date())
    return order_request(
        restaurant_id=2,
        quantities=RESERVED_QUANTITIES,
        reservation=replace(table, **changes),
    )


def order_body(**changes: Any) -> dict[str, Any]:
    """Return the JSON of an order; `a__b=...` changes the member `b` of the member `a`."""
    body: dict[str, Any] = {
        "restaurantId": 1,
        "userDetails": dict(CUSTOMER),
        "orderDetails": {
            "items": items(QUANTITIES),
            "selectedCampus": "north",
            "dogDonation": 0,
            "isPreReservation": False,
            "orderType": "normal",
            "specialInstructions": "",
        },
    }
    for path, value in changes.items():
        *parents, last = path.split("__")
        target = body
        for name in parents:
            target = target.setdefault(name, {})
        target[last] = value
    return body


def reservation_body(**changes: Any) -> dict[str, Any]:
    """Return the JSON of an order with a table."""
    table = {
        "restaurantId": 2,
        "timeSlot": "17:30",
        "partySize": 4,
        "date": WEDNESDAY.date().isoformat(),
    }
    return order_body(
        restaurantId=2,
        orderDetails__items=items(RESERVED_QUANTITIES),
        orderDetails__isPreReservation=True,
        orderDetails__orderType="pre-reserve",
        orderDetails__preReservation=table | changes,
    )


def items(quantities: dict[str, int]) -> list[dict[str, Any]]:
    """Return the lines of an order as JSON."""
    return [{"id": id_, "quantity": count} for id_, count in quantities.items()]


def draft(key: str, note: str = "", **changes: Any) -> OrderDraft:
    """Return a valid, priced order draft with this idempotency key; `note` is the kitchen's."""
    line = CartLine(THALI, 2)
    valid = OrderDraft(
        restaurant=RESTAURANT,
        campus=Campus.NORTH,
        customer=Customer("Aarav Sharma", "aarav@students.example", "+919800000001", "Hostel 4"),
        lines=(OrderLine(THALI.id, THALI.name, THALI.price, line.quantity),),
        bill=bill_for([line], BillTerms(1, Campus.NORTH, WEDNESDAY)),
        instructions=Instructions(note),
        reservation=None,
        fingerprint=f"the content of {key}",
        idempotency_key=key,
    )
    return replace(valid, **changes)


def order(**changes: Any) -> Order:
    """Return a stored, unpaid order."""
    placed = draft("a-key")
    valid = Order(
        id="01a213d0867c71a5b63211fb55110214",
        number="AS_482",
        response_token="a-token-of-thirty-two-characters",
        state=OrderState.PENDING,
        restaurant_id=placed.restaurant.id,
        restaurant_name=placed.restaurant.name,
        campus=placed.campus,
        customer=placed.customer,
        lines=placed.lines,
        bill=placed.bill,
        instructions=placed.instructions,
        reservation=placed.reservation,
        created_at=WEDNESDAY,
    )
    return replace(valid, **changes)


def mail(**changes: Any) -> Mail:
    """Return a mail with one recipient."""
    valid = Mail(
        key="mail.customer:0123",
        to="aarav@students.example",
        to_name="Aarav Sharma",
        subject="Order AS_482 confirmed",
        text="Thank you!\n",
        html="<p>Thank you!</p>\n",
    )
    return replace(valid, **changes)


class OnBoard(NamedTuple):
    """A ticket, and its kitchen's opening hours."""

    ticket: Ticket
    hours: OpeningHours


def ticket(table_on: date | None = None, **changes: Any) -> OnBoard:
    """Return the ticket of a delivery paid at noon, or of a table on a day."""
    placed = order()
    table = table_on and PreReservation(placed.restaurant_id, time(13), 2, table_on)
    valid = Ticket(
        order_id=placed.id,
        number=placed.number,
        restaurant_id=placed.restaurant_id,
        lines=placed.lines,
        instructions=placed.instructions,
        customer_name=placed.customer.full_name,
        phone=placed.customer.phone,
        address=placed.customer.address,
        campus=placed.campus,
        reservation=table,
        remaining=placed.bill.remaining,
        paid_at=at(12),
        is_cancelled=False,
        cooking=Cooking(),
    )
    return OnBoard(replace(valid, **changes), RESTAURANT.hours)
