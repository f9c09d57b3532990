"""JSON to domain and back; the only place with camelCase names."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Annotated, Any

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StrictInt
from pydantic.alias_generators import to_camel

from campus_app.domain.bill import Bill
from campus_app.domain.constants import MAXIMUM_LINE_QUANTITY, MAXIMUM_STATUS_CHARACTERS
from campus_app.domain.customer import FIELDS
from campus_app.domain.errors import Conflict, NotFound, OrderingError, PriceMismatch
from campus_app.domain.messages import OrderMessage
from campus_app.domain.money import ZERO, Rupees, rupees
from campus_app.domain.money import json_number as number
from campus_app.domain.order import Order
from campus_app.ports import StoredOrder
from campus_app.services.ordering import OrderRequest, ReservationRequest
from campus_app.services.payments import PaymentProgress

_LONGEST_TEXT = 20_000
_MOST_LINES = 200


def _to_rupees(value: object) -> Rupees:
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Decimal)):
        raise ValueError("must be a number of rupees")  # noqa: TRY004 - what pydantic expects
    try:
        return rupees(str(value))
    except ValueError:
        raise ValueError("must be an amount of rupees") from None  # its value is not repeated


def _to_text_id(value: object) -> object:
    return str(value) if type(value) is int else value


Amount = Annotated[Decimal, BeforeValidator(_to_rupees)]
Text = Annotated[str, Field(max_length=_LONGEST_TEXT)]
ItemId = Annotated[str, BeforeValidator(_to_text_id), Field(max_length=64)]


class Wire(BaseModel):
    """A JSON object; unknown members are ignored."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore")


class ItemIn(Wire):
    """A dish that is ordered."""

    id: ItemId
    quantity: StrictInt = Field(ge=0, le=MAXIMUM_LINE_QUANTITY)
    price: Amount | None = None


class UserDetailsIn(Wire):
    """Who the food is for."""

    full_name: Text = ""
    email: Text = ""
    phone_number: Text = ""
    address: Text = ""


class PreReservationIn(Wire):
    """The table that is asked for."""

    restaurant_id: StrictInt
    time_slot: Text
    party_size: StrictInt
    date: date
    reservation_id: Text | None = None


class OrderDetailsIn(Wire):
    """What is ordered, and what the customer was shown."""

    items: list[ItemIn] = Field(max_length=_MOST_LINES)
    selected_campus: Text
    dog_donation: Amount = ZERO
    is_pre_reservation: StrictBool = False
    order_type: Text = ""
    special_instructions: Text = ""
    pre_reservation: PreReservationIn | None = None
    subtotal: Amount | None = None
    delivery_fee: Amount | None = None
    convenience_fee: Amount | None = None
    grand_total: Amount | None = None
    total_amount: Amount | None = None
    pre_order_payment: Amount | None = None
    remaining_payment: Amount | None = None


class PaymentBreakdownIn(Wire):
    """How the customer was told that the total is split."""

    total: Amount | None = None
    pre_order_payment: Amount | None = None
    remaining_payment: Amount | None = None
    convenience_fee: Amount | None = None
    dog_donation: Amount | None = None


class OrderIn(Wire):
    """The order for payment preparation. Source: specification 3."""

    restaurant_id: StrictInt
    user_details: UserDetailsIn
    order_details: OrderDetailsIn
    payment_breakdown: PaymentBreakdownIn = PaymentBreakdownIn()
    order_id: Text = ""
    amount: Amount | None = None
    total_order_value: Amount | None = None

    def request(self) -> OrderRequest:
        """Return the request that this body makes."""
        details = self.order_details
        quantities: dict[str, int] = {}
        for item in details.items:
            quantities[item.id] = quantities.get(item.id, 0) + item.quantity
        values = self.user_details.model_dump(by_alias=True)
        return OrderRequest(
            restaurant_id=self.restaurant_id,
            campus=details.selected_campus,
            customer={name: values[name] for name in FIELDS},
            quantities=quantities,
            donation=details.dog_donation,
            note=details.special_instructions,
            reservation=self._reservation(),
            seen=self._seen(),
            seen_prices={i.id: i.price for i in details.items if i.price is not None},
            wanted_number=self.order_id,
        )

    def _reservation(self) -> ReservationRequest | None:
        details = self.order_details
        wanted = details.pre_reservation
        if not (details.is_pre_reservation or details.order_type == "pre-reserve"):
            return None
        if wanted is None:
            return ReservationRequest(self.restaurant_id, "", 1, date.min)
        return ReservationRequest(
            wanted.restaurant_id, wanted.time_slot, wanted.party_size, wanted.date
        )

    def _seen(self) -> dict[str, Rupees]:
        details, breakdown = self.order_details, self.payment_breakdown
        shown = [
            ("amount", self.amount),
            ("grand_total", self.total_order_value),
            ("grand_total", details.grand_total),
            ("grand_total", details.total_amount),
            ("grand_total", breakdown.total),
            ("subtotal", details.subtotal),
            ("delivery_fee", details.delivery_fee),
            ("convenience_fee", details.convenience_fee),
            ("convenience_fee", breakdown.convenience_fee),
            ("donation", breakdown.dog_donation),
            ("online", details.pre_order_payment),
            ("online", breakdown.pre_order_payment),
            ("remaining", details.remaining_payment),
            ("remaining", breakdown.remaining_payment),
        ]
        seen: dict[str, Rupees] = {}
        for name, figure in shown:
            if figure is not None and seen.setdefault(name, figure) != figure:
                seen[name] = Decimal(-1)  # two figures that differ can't both be the bill's
        return seen


class SelectionIn(Wire):
    """A restaurant that somebody chose."""

    restaurant_id: StrictInt
    restaurant_name: Text
    timestamp: Annotated[str, BeforeValidator(_to_text_id), Field(max_length=64)]


class SuccessIn(Wire):
    """The confirmation's call; all but the order's number is hearsay."""

    order_id: Text
    payment_id: Text = ""
    status: Text = ""


class SwitchIn(Wire):
    """The operator's switch."""

    is_open: StrictBool
    message: str = Field(default="", max_length=MAXIMUM_STATUS_CHARACTERS)


def breakdown_json(bill: Bill) -> dict[str, Any]:
    """Return how a bill is paid. Source: specification 3, order for payment preparation."""
    return {
        "total": number(bill.grand_total),
        "preOrderPayment": number(bill.online),
        "remainingPayment": number(bill.remaining),
        "convenienceFee": number(bill.convenience_fee),
        "dogDonation": number(bill.donation),
    }


def order_details_json(order: Order) -> dict[str, Any]:
    """Return what was ordered, as computed here. Source: specification 3, order details."""
    bill = order.bill
    return {
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


def prepared_json(stored: StoredOrder, progress: PaymentProgress) -> dict[str, Any]:
    """Return the answer to prepare-order. Source: CONTRACT HTTP."""
    order = stored.order
    status = progress.status.value
    return {
        "orderId": order.number,
        "responseToken": order.response_token,
        "paymentStatus": status,
        "amount": number(order.bill.remaining),
        "totalOrderValue": number(order.bill.grand_total),
        "paymentBreakdown": breakdown_json(order.bill),
        "orderDetails": order_details_json(order),
    }


def progress_json(progress: PaymentProgress) -> dict[str, Any]:
    """Return how a payment stands. Source: CONTRACT HTTP, order-status."""
    return {
        "status": progress.status.value,
        "processed": progress.is_processed,
        "emailsSent": progress.notices.emails_sent,
        "missedCallStatus": progress.notices.missed_call.value,
    }


def error_answer(  # noqa: PLR0913 - the parts of one answer
    status: int,
    code: str,
    message: str,
    *,
    fields: Mapping[str, str] | None = None,
    more: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Return an error in CONTRACT's shape."""
    error: dict[str, Any] = {"code": code, "message": message}
    if fields:
        error["fields"] = dict(fields)
    return JSONResponse({"error": error, **(more or {})}, status, headers)


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
    return error_answer(422, "validation_error", "Some of this can't be right.", fields=fields)
