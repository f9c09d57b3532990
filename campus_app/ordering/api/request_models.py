"""Pydantic models of orders, and their conversion to the domain's requests."""

from collections import Counter
from datetime import date
from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, Field, StrictBool, StrictInt

from campus_app.catalogue.rules.menu import MAXIMUM_ID_CHARACTERS
from campus_app.ordering.rules.customer import FIELDS
from campus_app.ordering.rules.instructions import Instructions
from campus_app.ordering.services.order_requests import OrderRequest, ReservationRequest
from campus_app.shared.api.request_models import RequestModel, Text, to_text_id
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.constants import MAXIMUM_CART_DISHES, MAXIMUM_LINE_QUANTITY
from campus_app.shared.rules.money import ZERO, Rupees, rupees


def _to_rupees(value: object) -> Rupees:
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Decimal)):
        raise ValueError("must be a number of rupees")  # noqa: TRY004 - what pydantic expects
    try:
        return rupees(str(value))
    except ValueError:
        raise ValueError("must be an amount of rupees") from None  # its value is not repeated


def _to_campus(value: object) -> object:
    # A missing campus and one of another type are reported as an unknown one: `selectedCampus`.
    return value if isinstance(value, str) else ""


_CAMPUSES = " or ".join(f"`{campus}`" for campus in Campus)
Amount = Annotated[Decimal, BeforeValidator(_to_rupees)]
DishId = Annotated[str, BeforeValidator(to_text_id), Field(max_length=MAXIMUM_ID_CHARACTERS)]
"""A shorter text that is no id is that of an unknown dish."""


class RequestedDish(RequestModel):
    """A dish and its quantity; `price` is what the customer was shown."""

    id: DishId = Field(examples=["104"])
    quantity: StrictInt = Field(ge=0, le=MAXIMUM_LINE_QUANTITY)
    price: Amount | None = None


class UserDetails(RequestModel):
    """The customer. Source: specification 3.7."""

    full_name: Text = ""
    email: Text = ""
    phone_number: Text = ""
    address: Text = Field(default="", description="Not needed for a reserved table.")


class RequestedTable(RequestModel):
    """The table to reserve. Source: specification 3.6."""

    restaurant_id: StrictInt
    time_slot: Text
    party_size: StrictInt
    date: date
    reservation_id: Annotated[str, Field(max_length=200)] | None = Field(
        default=None, description="A hold on the seats; without it they are held now."
    )


class RequestedDetails(RequestModel):
    """The dishes of an order; the optional amounts are those that the customer was shown."""

    items: list[RequestedDish] = Field(max_length=MAXIMUM_CART_DISHES)
    selected_campus: Annotated[Text, BeforeValidator(_to_campus)] = Field(
        default="", description=f"Required: {_CAMPUSES}."
    )
    dog_donation: Amount = ZERO
    is_pre_reservation: StrictBool = False
    order_type: Text = ""
    special_instructions: Text = Field(default="", description="A note for the kitchen.")
    delivery_instructions: Text = Field(default="", description="A note for the door.")
    no_cutlery: StrictBool = False
    pre_reservation: RequestedTable | None = None
    subtotal: Amount | None = None
    delivery_fee: Amount | None = None
    convenience_fee: Amount | None = None
    grand_total: Amount | None = None
    total_amount: Amount | None = None
    pre_order_payment: Amount | None = None
    remaining_payment: Amount | None = None


class DisplayedBreakdown(RequestModel):
    """The split of the total that the customer was shown."""

    total: Amount | None = None
    pre_order_payment: Amount | None = None
    remaining_payment: Amount | None = None
    convenience_fee: Amount | None = None
    dog_donation: Amount | None = None


_ORDER_EXAMPLE = {
    "orderId": "AS_482",
    "restaurantId": 1,
    "userDetails": {
        "fullName": "Aarav Sharma",
        "email": "aarav@students.example",
        "phoneNumber": "+91 98000 00001",
        "address": "Hostel 4, room 212",
    },
    "orderDetails": {
        "items": [{"id": "104", "quantity": 2}, {"id": "112", "quantity": 1}],
        "selectedCampus": "north",
        "dogDonation": 0,
        "isPreReservation": False,
        "orderType": "normal",
        "specialInstructions": "No onions",
    },
}


class PrepareOrderRequest(RequestModel):
    """The order to store. Source: specification 3.9."""

    model_config = ConfigDict(json_schema_extra={"examples": [_ORDER_EXAMPLE]})

    restaurant_id: StrictInt
    user_details: UserDetails
    order_details: RequestedDetails
    payment_breakdown: DisplayedBreakdown = Field(default_factory=DisplayedBreakdown)
    order_id: Text = Field(default="", description="A wanted order number, such as `AS_482`.")
    amount: Amount | None = None
    total_order_value: Amount | None = None

    def request(self) -> OrderRequest:
        """Return the domain's request; the quantities of repeated dishes are added."""
        details = self.order_details
        quantities = Counter[str]()
        for dish in details.items:
            quantities[dish.id] += dish.quantity
        values = self.user_details.model_dump(by_alias=True)
        return OrderRequest(
            restaurant_id=self.restaurant_id,
            campus=details.selected_campus,
            customer={name: values[name] for name in FIELDS},
            quantities=quantities,
            donation=details.dog_donation,
            instructions=Instructions(
                details.special_instructions, details.delivery_instructions, details.no_cutlery
            ),
            reservation=self._reservation(),
            displayed_amounts=self._displayed_amounts(),
            displayed_prices={i.id: i.price for i in details.items if i.price is not None},
            requested_number=self.order_id,
        )

    def _reservation(self) -> ReservationRequest | None:
        details = self.order_details
        table = details.pre_reservation
        if not (details.is_pre_reservation or details.order_type == "pre-reserve"):
            return None
        if table is None:
            return ReservationRequest(self.restaurant_id, slot="", party_size=1, date=None)
        return ReservationRequest(
            table.restaurant_id,
            table.time_slot,
            table.party_size,
            table.date,
            table.reservation_id or "",
        )

    def _displayed_amounts(self) -> list[tuple[str, Rupees]]:
        details, breakdown = self.order_details, self.payment_breakdown
        displayed = [
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
        return [(name, amount) for name, amount in displayed if amount is not None]


class ConfirmationRequest(RequestModel):
    """The client's confirmation; only the order's number is used. Source: specification 7.12."""

    order_id: Text = Field(examples=["AS_482"])
    payment_id: Text = Field(default="", examples=["manual_confirmation"])
    status: Text = Field(default="", examples=["SUCCESS"])
