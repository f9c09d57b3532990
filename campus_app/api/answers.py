"""Domain to JSON: what calls answer, as shapes that describe them and as the values.

With `wire.py` the only place with camelCase names. Every call's `responses` name these shapes:
what the description does not say, no call answers (tests/hostile/test_description.py).
"""

from typing import Literal, NotRequired

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from typing_extensions import TypedDict

from campus_app.domain.bill import Bill
from campus_app.domain.errors import Conflict, NotFound, OrderingError, PriceMismatch
from campus_app.domain.messages import OrderMessage
from campus_app.domain.money import json_number as number
from campus_app.domain.notification import MissedCallStatus, NotificationStatus
from campus_app.domain.order import Order
from campus_app.domain.payment import PublicStatus
from campus_app.domain.reservation import PreReservation
from campus_app.domain.restaurant import RestaurantState
from campus_app.ports.orders import StoredOrder
from campus_app.services.payments import PaymentProgress
from kit.http.errors import ErrorAnswer, error_answer, exactly
from kit.redis.pubsub import RelayState

_INVALID = "Some of this can't be right."


@exactly
class BreakdownAnswer(TypedDict):
    """How a bill is paid, in rupees. Source: specification 3.9."""

    total: float
    preOrderPayment: float
    remainingPayment: float
    convenienceFee: float
    dogDonation: float


@exactly
class LineAnswer(TypedDict):
    """A dish that was ordered; its price in rupees."""

    id: str
    name: str
    price: float
    quantity: int


@exactly
class TableAnswer(TypedDict):
    """The table that waits. Source: specification 3.6."""

    restaurantId: int
    timeSlot: str
    partySize: int
    date: str


@exactly
class OrderDetailsAnswer(TypedDict):
    """What was ordered, as computed here; rupees. Source: specification 3.8."""

    items: list[LineAnswer]
    subtotal: float
    discount: float
    discountName: str
    deliveryFee: float
    convenienceFee: float
    dogDonation: float
    grandTotal: float
    selectedCampus: str
    isPreReservation: bool
    orderType: str
    specialInstructions: str
    preOrderPayment: float
    remainingPayment: float
    totalAmount: float
    preReservation: NotRequired[TableAnswer]


@exactly
class PreparedAnswer(TypedDict):
    """An order that is stored; rupees. Source: specification C3.6."""

    orderId: str
    responseToken: str
    paymentStatus: PublicStatus
    amount: float
    totalOrderValue: float
    paymentBreakdown: BreakdownAnswer
    orderDetails: OrderDetailsAnswer


@exactly
class ProgressAnswer(TypedDict):
    """How a payment stands. Source: specification C3.9."""

    status: PublicStatus
    processed: bool
    emailsSent: int
    missedCallStatus: MissedCallStatus


@exactly
class NoticesAnswer(TypedDict):
    """How far an order's notices have come. Source: specification C3.10."""

    emailsSent: int
    emailErrors: list[str]
    missedCallStatus: MissedCallStatus


@exactly
class SuccessAnswer(NoticesAnswer):
    """What the provider said when it was asked just now. Source: specification C3.10."""

    success: bool
    dataSource: Literal["provider"]


@exactly
class FormAnswer(TypedDict):
    """Where an order is paid."""

    success: Literal[True]
    paymentFormUrl: str


@exactly
class NoFormAnswer(ErrorAnswer):
    """Why it can't be paid."""

    success: Literal[False]


@exactly
class ReceivedAnswer(TypedDict):
    """A notice is noted."""

    received: Literal[True]


@exactly
class ConflictAnswer(ErrorAnswer):
    """Why an order can't be stored now; the bill as it is, where another was shown."""

    paymentBreakdown: NotRequired[BreakdownAnswer]  # noqa: N815 - as specification 3.9 spells it


@exactly
class StatusAnswer(TypedDict):
    """A restaurant's status."""

    isOpen: bool
    message: str
    state: RestaurantState


@exactly
class SwitchedAnswer(StatusAnswer):
    """A restaurant's status, now that its switch was turned."""

    restaurantId: int


@exactly
class CheckedAnswer(TypedDict):
    """When all this was so, with the campus's offset."""

    lastChecked: str


@exactly
class StatusesAnswer(TypedDict):
    """Every restaurant's status by its id. Source: specification C3.2."""

    statuses: dict[str, StatusAnswer]
    metadata: CheckedAnswer


@exactly
class HealthAnswer(TypedDict):
    """Whether orders can be taken, and how everything stands that they need."""

    status: Literal["ok", "degraded"]
    services: dict[str, RelayState]


@exactly
class ClockAnswer(TypedDict):
    """What time it is on the campus, with its offset."""

    now: str


@exactly
class MenuImageAnswer(TypedDict):
    """A picture of the restaurant's original menu: its address, and the day it was taken."""

    src: str
    takenOn: str


@exactly
class MenuRestaurantAnswer(TypedDict):
    """Whose menu it is."""

    id: str
    name: str
    image: str
    rating: str
    deliveryMinutes: str
    hours: str
    hasTables: bool
    menuImages: list[MenuImageAnswer]


@exactly
class DishAnswer(TypedDict):
    """A dish: its price as people read it, and in paise.

    `testId` differs where a section repeats a dish that an earlier one has.
    """

    id: str
    testId: str
    name: str
    description: str
    price: str
    paise: int
    diet: str


@exactly
class SectionAnswer(TypedDict):
    """The dishes of a category; its place on the screen is called by the id."""

    id: str
    number: str
    name: str
    count: int
    dishes: list[DishAnswer]


@exactly
class MenuAnswer(TypedDict):
    """A menu as the menu screen shows it."""

    restaurant: MenuRestaurantAnswer
    sections: list[SectionAnswer]


def breakdown_json(bill: Bill) -> BreakdownAnswer:
    """Return how a bill is paid. Source: specification 3.9."""
    return {
        "total": number(bill.grand_total),
        "preOrderPayment": number(bill.online),
        "remainingPayment": number(bill.remaining),
        "convenienceFee": number(bill.convenience_fee),
        "dogDonation": number(bill.donation),
    }


def order_details_json(order: Order) -> OrderDetailsAnswer:
    """Return what was ordered, as computed here. Source: specification 3.8."""
    bill = order.bill
    details: OrderDetailsAnswer = {
        "items": [
            {
                "id": line.item_id,
                "name": line.name,
                "price": number(line.price),
                "quantity": line.quantity,
            }
            for line in order.lines
        ],
        "subtotal": number(bill.subtotal),
        "discount": number(bill.discount),
        "discountName": bill.discount_name,
        "deliveryFee": number(bill.delivery_fee),
        "convenienceFee": number(bill.convenience_fee),
        "dogDonation": number(bill.donation),
        "grandTotal": number(bill.grand_total),
        "selectedCampus": order.campus.value,
        "isPreReservation": order.reservation is not None,
        "orderType": order.type.value,
        "specialInstructions": order.note,
        "preOrderPayment": number(bill.online),
        "remainingPayment": number(bill.remaining),
        "totalAmount": number(bill.grand_total),
    }
    if order.reservation:
        details["preReservation"] = reservation_json(order.reservation)
    return details


def reservation_json(table: PreReservation) -> TableAnswer:
    """Return the table that waits. Source: specification 3.6."""
    return {
        "restaurantId": table.restaurant_id,
        "timeSlot": f"{table.slot:%H:%M}",
        "partySize": table.party_size,
        "date": table.date.isoformat(),
    }


def prepared_json(stored: StoredOrder, progress: PaymentProgress) -> PreparedAnswer:
    """Return the answer to prepare-order. Source: specification C3.6."""
    order = stored.order
    return {
        "orderId": order.number,
        "responseToken": order.response_token,
        "paymentStatus": progress.status,
        "amount": number(order.bill.remaining),
        "totalOrderValue": number(order.bill.grand_total),
        "paymentBreakdown": breakdown_json(order.bill),
        "orderDetails": order_details_json(order),
    }


def progress_json(progress: PaymentProgress) -> ProgressAnswer:
    """Return how a payment stands. Source: specification C3.9."""
    return {
        "status": progress.status,
        "processed": progress.is_processed,
        "emailsSent": progress.notifications.emails_sent,
        "missedCallStatus": progress.notifications.missed_call,
    }


def notices_json(notices: NotificationStatus) -> NoticesAnswer:
    """Return how far an order's notices have come. Source: specification C3.10."""
    return {
        "emailsSent": notices.emails_sent,
        "emailErrors": list(notices.email_errors),
        "missedCallStatus": notices.missed_call,
    }


def order_error_answer(error: OrderingError) -> JSONResponse:
    """Return a rule's refusal: 404 for what doesn't exist, 409 for not now, 422 for wrong."""
    fields = getattr(error, "fields", None)
    more = (
        {"paymentBreakdown": breakdown_json(error.bill)}
        if isinstance(error, PriceMismatch)
        else None
    )
    status = 404 if isinstance(error, NotFound) else 409 if isinstance(error, Conflict) else 422
    return error_answer(status, error.code, error.message, fields=fields, more=more)


def validation_answer(error: RequestValidationError) -> JSONResponse:
    """Return which members of a body or address have the wrong type or size; never their value."""
    fields: dict[str, str] = {}
    for problem in error.errors():
        path = [str(part) for part in problem["loc"] if part not in {"body", "path", "query"}]
        fields.setdefault(".".join(path) or "body", str(problem["msg"]))
    if any(name.startswith("orderDetails.items") for name in fields):
        return error_answer(422, "validation_error", OrderMessage.QUANTITY, fields=fields)
    return error_answer(422, "validation_error", _INVALID, fields=fields)


def unreadable_answer() -> JSONResponse:
    """Return that the body is not what its type says: no JSON, no UTF-8, no form."""
    return error_answer(422, "validation_error", _INVALID, fields={"body": "can't be read"})
