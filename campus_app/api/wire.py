"""JSON to domain: the bodies that calls take. What they answer is in `answers.py`."""

from datetime import date
from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StrictInt
from pydantic.alias_generators import to_camel

from campus_app.domain.constants import MAXIMUM_LINE_QUANTITY, MAXIMUM_STATUS_CHARACTERS
from campus_app.domain.customer import FIELDS
from campus_app.domain.money import ZERO, Rupees, rupees
from campus_app.services.ordering import OrderRequest, ReservationRequest

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


def _to_campus(value: object) -> object:
    # A missing campus and one of a wrong type are reported like an unknown one, by its own name.
    return value if isinstance(value, str) else ""


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
    reservation_id: Annotated[str, Field(max_length=200)] | None = None


class OrderDetailsIn(Wire):
    """What is ordered, and what the customer was shown."""

    items: list[ItemIn] = Field(max_length=_MOST_LINES)
    selected_campus: Annotated[Text, BeforeValidator(_to_campus)] = ""
    """Required: `north` or `south`."""
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
    """The order for payment preparation. Source: specification 3.9."""

    restaurant_id: StrictInt
    user_details: UserDetailsIn
    order_details: OrderDetailsIn
    payment_breakdown: PaymentBreakdownIn = Field(default_factory=PaymentBreakdownIn)
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
            displayed_amounts=self._seen(),
            displayed_prices={i.id: i.price for i in details.items if i.price is not None},
            requested_number=self.order_id,
        )

    def _reservation(self) -> ReservationRequest | None:
        details = self.order_details
        wanted = details.pre_reservation
        if not (details.is_pre_reservation or details.order_type == "pre-reserve"):
            return None
        if wanted is None:
            return ReservationRequest(self.restaurant_id, "", 1, date.min)
        return ReservationRequest(
            wanted.restaurant_id,
            wanted.time_slot,
            wanted.party_size,
            wanted.date,
            wanted.reservation_id or "",
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
