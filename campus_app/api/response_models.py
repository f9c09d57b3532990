"""Pydantic models of the responses; `model_validate` reads domain objects.

Members are the specification's, in camelCase; with `request_models.py` the only place that names
them. Money is rupees, a JSON number with at most two decimals.
"""

from datetime import date, time
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import AliasPath, BeforeValidator, Field, PlainSerializer, WithJsonSchema

from campus_app.domain.campus import Campus
from campus_app.domain.money import json_number
from campus_app.domain.notification import MissedCallStatus
from campus_app.domain.order import OrderType
from campus_app.domain.payment import PublicStatus
from campus_app.domain.restaurant import RestaurantState
from kit.http.errors import ErrorResponse, ResponseModel, is_none
from kit.redis.pubsub import PubSubState

Money = Annotated[
    Decimal,
    PlainSerializer(json_number),
    WithJsonSchema({"type": "number", "description": "Rupees, at most two decimals."}),
]


def _is_empty(text: str) -> bool:
    return not text


class PaymentBreakdown(ResponseModel):
    """How a bill is paid. Source: specification 3.9."""

    total: Money = Field(validation_alias="grand_total")
    pre_order_payment: Money = Field(validation_alias="online")
    remaining_payment: Money = Field(validation_alias="remaining")
    convenience_fee: Money
    dog_donation: Money = Field(validation_alias="donation")


class OrderedItem(ResponseModel):
    """An ordered dish."""

    id: str = Field(validation_alias="item_id")
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

    items: list[OrderedItem] = Field(validation_alias="lines")
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
    amount: Money = Field(description="What is paid on delivery, in rupees.")
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


class RestaurantStatus(ResponseModel):
    """The status of a restaurant."""

    is_open: bool = Field(description="False if the operator closed it, whatever its hours.")
    message: str
    state: RestaurantState
    back_at: str = Field(
        default="",
        exclude_if=_is_empty,
        description="The campus time at which a pause ends, such as 13:30; absent without one.",
    )


class OverriddenStatus(RestaurantStatus):
    """The status of a restaurant after the operator's override."""

    restaurant_id: int


class StatusMetadata(ResponseModel):
    """The time at which the statuses were computed."""

    last_checked: str = Field(description="ISO 8601 with the campus's offset.")


class RestaurantStatuses(ResponseModel):
    """The status of every restaurant by its id. Source: specification C3.2."""

    statuses: dict[str, RestaurantStatus]
    metadata: StatusMetadata
    sold_out: dict[str, list[str]] = Field(description="Ids of sold-out dishes, by restaurant.")
    menus: dict[str, str] = Field(
        description="By restaurant, a text that changes with its menu, once that has changed."
    )


class Availability(ResponseModel):
    """What a restaurant can't serve now. Source: specification 10.20."""

    sold_out: list[str] = Field(description="Ids of sold-out dishes.", examples=[["12"]])


class Health(ResponseModel):
    """Whether orders can be taken, and the state of each dependency."""

    status: Literal["ok", "degraded"]
    services: dict[str, PubSubState]
    waiting_mails: dict[str, int] = Field(
        description="Number of e-mails that wait for another attempt, by the reason of the last.",
        examples=[{"the mail server answered 450 4.2.0 to RCPT": 2}],
    )


class Kitchen(ResponseModel):
    """A restaurant's name, and when it closes."""

    name: str
    closes: str = Field(description="ISO 8601 with the campus's offset; empty while it is closed.")


class CampusTime(ResponseModel):
    """The current time on the campus."""

    now: str = Field(description="ISO 8601 with the campus's offset.")
    kitchens: dict[str, Kitchen] = Field(description="By the restaurant's id.")


class MenuImage(ResponseModel):
    """A photograph of the restaurant's printed menu."""

    src: str
    taken_on: str


class MenuRestaurant(ResponseModel):
    """The restaurant of a menu."""

    id: str
    name: str
    image: str
    rating: str
    delivery_minutes: str
    hours: str
    has_tables: bool
    menu_images: list[MenuImage]


class Dish(ResponseModel):
    """A dish of a menu."""

    id: str
    test_id: str = Field(description="Differs for a dish that an earlier section contains.")
    name: str
    local_name: str | None = Field(
        default=None,
        exclude_if=is_none,
        description="In the language of the page, empty if unknown; absent in English.",
    )
    description: str
    price: str = Field(description="For people, such as ₹1,250.")
    paise: int
    diet: str
    spice: str = Field(description="0 if unknown, else 1 (mild) to 3 (very hot).")
    facts: str = Field(description="Spice and allergens as a sentence; empty if none are declared.")


class MenuSection(ResponseModel):
    """The dishes of a category."""

    id: str = Field(description="The id of the section's element on the menu screen.")
    number: str
    name: str
    count: int
    dishes: list[Dish]


class Menu(ResponseModel):
    """A menu for the menu screen."""

    restaurant: MenuRestaurant
    sections: list[MenuSection]
