"""Pydantic models of orders and payments; `model_validate` fills them from domain objects.

A `validation_alias` is the path of the attribute, if it has another name. The JSON has each member
of the specification in camelCase, even both grandTotal and totalAmount, which are equal.
"""

from datetime import date, time
from typing import Annotated, Literal

from pydantic import AliasPath, BeforeValidator, Field, PlainSerializer

from campus_app.ordering.rules.notification import MissedCallStatus
from campus_app.ordering.rules.order import OrderType
from campus_app.ordering.rules.payment import PublicStatus
from campus_app.shared.api.money import Money
from campus_app.shared.rules.campus import Campus
from kit.http.errors import ErrorResponse, ResponseModel, is_none


class PaymentBreakdown(ResponseModel):
    """How a bill is paid. Source: specification 3.9."""

    total: Money = Field(validation_alias="grand_total")
    pre_order_payment: Money = Field(validation_alias="online")
    remaining_payment: Money = Field(validation_alias="remaining")
    convenience_fee: Money
    dog_donation: Money = Field(validation_alias="donation")


class OrderedDish(ResponseModel):
    """An ordered dish."""

    id: str = Field(validation_alias="dish_id")
    name: str
    price: Money
    quantity: int


class ReservedTable(ResponseModel):
    """The reserved table. Source: specification 3.6."""

    restaurant_id: int
    time_slot: Annotated[time, PlainSerializer("{:%H:%M}".format, return_type=str)] = Field(
        validation_alias="slot"
    )
    party_size: int
    date: date


class OrderDetails(ResponseModel):
    """The order's content, with amounts computed by the server. Source: specification 3.8."""

    items: list[OrderedDish] = Field(validation_alias="lines")
    subtotal: Money = Field(validation_alias=AliasPath("bill", "subtotal"))
    discount: Money = Field(validation_alias=AliasPath("bill", "discount"))
    discount_name: str = Field(validation_alias=AliasPath("bill", "discount_name"))
    delivery_fee: Money = Field(validation_alias=AliasPath("bill", "delivery_fee"))
    convenience_fee: Money = Field(validation_alias=AliasPath("bill", "convenience_fee"))
    dog_donation: Money = Field(validation_alias=AliasPath("bill", "donation"))
    grand_total: Money = Field(validation_alias=AliasPath("bill", "grand_total"))
    selected_campus: Campus = Field(validation_alias="campus")
    is_pre_reservation: Annotated[bool, BeforeValidator(lambda table: table is not None)] = Field(
        validation_alias="reservation"
    )
    order_type: OrderType = Field(validation_alias="type")
    special_instructions: str = Field(validation_alias=AliasPath("instructions", "note"))
    delivery_instructions: str = Field(validation_alias=AliasPath("instructions", "door_note"))
    no_cutlery: bool = Field(validation_alias=AliasPath("instructions", "no_cutlery"))
    pre_order_payment: Money = Field(validation_alias=AliasPath("bill", "online"))
    remaining_payment: Money = Field(validation_alias=AliasPath("bill", "remaining"))
    total_amount: Money = Field(validation_alias=AliasPath("bill", "grand_total"))
    pre_reservation: ReservedTable | None = Field(
        validation_alias="reservation", exclude_if=is_none
    )


class PreparedOrder(ResponseModel):
    """A stored order. Source: specification C3.6."""

    order_id: str
    response_token: str = Field(description="Opens the order's confirmation; keep it secret.")
    payment_status: PublicStatus
    amount: Money = Field(description="What is paid on delivery, not now: remainingPayment.")
    total_order_value: Money
    payment_breakdown: PaymentBreakdown
    order_details: OrderDetails


class PrepareConflict(ErrorResponse):
    """The order cannot be stored now; with `price_mismatch` comes the current bill."""

    payment_breakdown: PaymentBreakdown | None = Field(default=None, exclude_if=is_none)


class OrderNotifications(ResponseModel):
    """The progress of an order's notifications."""

    emails_sent: int = Field(validation_alias=AliasPath("notifications", "emails_sent"))
    missed_call_status: MissedCallStatus = Field(
        validation_alias=AliasPath("notifications", "missed_call")
    )


class OrderStatus(OrderNotifications):
    """The progress of an order's payment. Source: specification C3.9."""

    status: PublicStatus
    processed: bool = Field(validation_alias="is_processed")


class NotificationStatus(OrderNotifications):
    """Which notifications of an order were sent. Source: specification C3.10."""

    email_errors: list[str] = Field(validation_alias=AliasPath("notifications", "email_errors"))


class PaymentConfirmation(NotificationStatus):
    """The provider's current answer. Source: specification C3.10."""

    success: Annotated[bool, BeforeValidator(lambda status: status is PublicStatus.SUCCESS)] = (
        Field(validation_alias="status")
    )
    data_source: Literal["provider"] = "provider"


class PaymentForm(ResponseModel):
    """The address of the payment page."""

    success: Literal[True] = True
    payment_form_url: str


class PaymentFormError(ErrorResponse):
    """There is no payment page."""

    success: Literal[False]


class WebhookReceived(ResponseModel):
    """The webhook event is stored."""

    received: Literal[True] = True
