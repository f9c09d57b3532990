"""Taking an order: price it, check it, store it once."""

import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from campus_app.domain import constants
from campus_app.domain.bill import (
    Bill,
    BillTerms,
    CartTotals,
    bill_for,
    cart_totals,
    is_donation,
)
from campus_app.domain.campus import Campus, campus_from
from campus_app.domain.cart import CartLine, cart_lines, is_quantity
from campus_app.domain.customer import Customer, customer_errors, customer_from, tidy_text
from campus_app.domain.errors import Conflict, Invalid, MenuUnavailable, NotFound, PriceMismatch
from campus_app.domain.messages import CustomerMessage, OrderMessage
from campus_app.domain.money import ZERO, Rupees, format_rupees
from campus_app.domain.order import OrderLine, OrderState
from campus_app.domain.order_number import order_number, order_number_value
from campus_app.domain.reservation import (
    PreReservation,
    is_party,
    is_served,
    is_slot_open,
    reservation_id_from,
    slot_named,
)
from campus_app.domain.restaurant import Restaurant, RestaurantState
from campus_app.ports.catalogue import Catalogue
from campus_app.ports.orders import OrderDraft, OrderStore, StoredOrder
from campus_app.services.availability import StatusBoard
from campus_app.services.logged import about
from campus_app.translations import ENGLISH, language_from
from kit.clock import Clock

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ReservationRequest:
    """The table that somebody asks for, not yet believed."""

    restaurant_id: int
    slot: str
    party_size: int
    date: date
    reservation_id: str = ""
    """The hold on the seats; where there is none, they are held when the order is stored."""


@dataclass(frozen=True)
class OrderRequest:
    """What somebody asks for, not yet believed: no price, no contact of a vendor."""

    restaurant_id: int
    campus: str
    customer: Mapping[str, str]
    quantities: Mapping[str, int]
    donation: Rupees = ZERO
    note: str = ""
    reservation: ReservationRequest | None = None
    seen: Mapping[str, Rupees] = field(default_factory=dict[str, Rupees])
    """Figures of the bill that the customer was shown, by their name; `amount` is either part."""
    seen_prices: Mapping[str, Rupees] = field(default_factory=dict[str, Rupees])
    """Prices of dishes that the customer was shown, by the dish."""
    wanted_number: str = ""
    language: str = ENGLISH
    """In which the customer is written to; whatever it is, it is the same order."""


@dataclass(frozen=True)
class PricedDishes:
    """The dishes of a cart, priced now, whatever the campus."""

    lines: tuple[CartLine, ...]
    totals: CartTotals


@dataclass(frozen=True)
class Quote:
    """A cart, priced now with everything that its campus and its terms add."""

    restaurant: Restaurant
    campus: Campus
    lines: tuple[CartLine, ...]
    bill: Bill
    missing: tuple[str, ...]
    """Dishes that were chosen and are not sold any more."""
    is_pre_reserved: bool = False


@dataclass(frozen=True)
class Ordering:
    """Turns requests into stored orders."""

    catalogue: Catalogue
    board: StatusBoard
    orders: OrderStore
    clock: Clock
    provider: str

    def quote(
        self,
        restaurant_id: int,
        campus: Campus,
        quantities: Mapping[str, int],
        *,
        donation: Rupees = ZERO,
        is_pre_reserved: bool = False,
    ) -> Quote:
        """Return what a cart costs now.

        Raises:
            NotFound: If there is no such restaurant.
            MenuUnavailable: If its menu can't be read.
        """
        restaurant = self._restaurant(restaurant_id)
        menu = self.catalogue.menu(restaurant_id)
        lines = cart_lines(quantities, menu)
        terms = BillTerms(restaurant_id, campus, self.clock.now(), donation, is_pre_reserved)
        missing = tuple(id_ for id_ in quantities if id_ not in menu.by_id)
        bill = bill_for(lines, terms)
        return Quote(restaurant, campus, lines, bill, missing, is_pre_reserved)

    def price_dishes(
        self, restaurant_id: int, quantities: Mapping[str, int], *, is_pre_reserved: bool = False
    ) -> PricedDishes:
        """Return what the dishes of a cart cost now, before delivery and fees.

        Raises:
            NotFound: If there is no such restaurant.
            MenuUnavailable: If its menu can't be read.
        """
        restaurant = self._restaurant(restaurant_id)
        lines = cart_lines(quantities, self.catalogue.menu(restaurant_id))
        totals = cart_totals(
            lines, restaurant.id, self.clock.now(), is_pre_reserved=is_pre_reserved
        )
        return PricedDishes(lines, totals)

    async def prepare(self, request: OrderRequest, idempotency_key: str = "") -> StoredOrder:
        """Store an order that came by itself; the same key again returns the same order.

        Raises:
            NotFound, Invalid, Conflict, PriceMismatch: As specification C3.6 lists them.
        """
        fingerprint = _fingerprint(request)
        first = await self._first_answer(request, idempotency_key, fingerprint)
        if first is not None:
            return first
        key = f"http:{idempotency_key}" if idempotency_key else ""
        draft = self._draft(request, fingerprint, key)
        try:
            placed = await self.orders.place(draft, self.clock.now(), self.provider)
        except Conflict:
            # The same request, sent twice at once, may have taken the wanted number itself.
            first = await self._first_answer(request, idempotency_key, fingerprint)
            if first is None:
                raise
            return first
        if placed.fingerprint != fingerprint:
            raise Conflict("idempotency_conflict", OrderMessage.KEY_REUSED)
        _note(placed)
        return placed

    async def prepare_cart(self, request: OrderRequest, cart_key: str) -> StoredOrder:
        """Store the order of a browser's cart, once for the same contents.

        A cart that has changed since takes the place of its unpaid order; one that is paid is
        returned as it is, so that nobody pays twice. Source: specification M15.

        Raises:
            NotFound, Invalid, Conflict, PriceMismatch: As specification C3.6 lists them.
        """
        fingerprint = _fingerprint(request)
        while True:
            newest = await self.orders.newest_of_cart(cart_key)
            if newest is not None and _is_settled(newest.order.state):
                return newest
            draft = self._draft(request, fingerprint)
            if (
                newest is not None
                and newest.order.state is OrderState.PENDING
                and self.clock.now() < newest.payment.expires_at
                and newest.payment.provider == self.provider
                and newest.fingerprint == fingerprint
                and newest.order.bill == draft.bill
            ):
                return newest
            generation = newest.cart_generation + 1 if newest else 1
            placed = await self.orders.place(
                _of_cart(draft, cart_key, generation, newest), self.clock.now(), self.provider
            )
            if placed.fingerprint == fingerprint and placed.order.bill == draft.bill:
                _note(placed)
                return placed

    def require_open(self, restaurant: Restaurant) -> None:
        """Refuse unless a restaurant takes orders now.

        Raises:
            Conflict: `restaurant_closed`. Source: specification M12.
        """
        state = self.board.state_of(restaurant)
        if state is RestaurantState.OPEN:
            return
        message = (
            OrderMessage.RESTAURANT_UNAVAILABLE
            if state is RestaurantState.UNAVAILABLE
            else OrderMessage.RESTAURANT_CLOSED
        )
        raise Conflict("restaurant_closed", message.of(name=restaurant.name))

    def require_open_id(self, restaurant_id: int) -> None:
        """Refuse unless the restaurant with this id exists and takes orders now.

        Raises:
            NotFound: `unknown_restaurant`.
            Conflict: `restaurant_closed`.
        """
        self.require_open(self._restaurant(restaurant_id))

    def require_served(self, restaurant: Restaurant, campus: Campus) -> None:
        """Refuse unless a restaurant serves a campus.

        Raises:
            Conflict: `not_served`. Source: specification R5.
        """
        if campus not in restaurant.campuses:
            raise Conflict("not_served", OrderMessage.NOT_SERVED.of(name=restaurant.name))

    def _restaurant(self, restaurant_id: int) -> Restaurant:
        restaurant = self.catalogue.restaurant(restaurant_id)
        if restaurant is None:
            raise NotFound("unknown_restaurant", OrderMessage.UNKNOWN_RESTAURANT)
        return restaurant

    async def _first_answer(
        self, request: OrderRequest, idempotency_key: str, fingerprint: str
    ) -> StoredOrder | None:
        if idempotency_key:
            stored = await self.orders.by_key(f"http:{idempotency_key}")
            if stored is not None and stored.fingerprint != fingerprint:
                raise Conflict("idempotency_conflict", OrderMessage.KEY_REUSED)
            return stored
        value = order_number_value(request.wanted_number) if request.wanted_number else None
        if value is None:
            return None
        stored = await self.orders.by_number(order_number(value))
        if stored is None or stored.fingerprint != fingerprint:
            return None
        held_until = stored.order.created_at + timedelta(hours=constants.ORDER_NUMBER_HELD_HOURS)
        return stored if self.clock.now() < held_until else None

    def _draft(
        self, request: OrderRequest, fingerprint: str, idempotency_key: str = ""
    ) -> OrderDraft:
        restaurant = self._restaurant(request.restaurant_id)
        campus, customer, note, number = _checked(request)
        self.require_open(restaurant)
        self.require_served(restaurant, campus)
        wanted = request.reservation
        reservation = self.reservation(wanted, restaurant) if wanted else None
        quote = self._checked_quote(request, campus, is_pre_reserved=reservation is not None)
        return OrderDraft(
            restaurant=restaurant,
            campus=campus,
            customer=customer,
            lines=tuple(
                OrderLine(line.item.id, line.item.name, line.item.price, line.quantity)
                for line in quote.lines
            ),
            bill=quote.bill,
            note=note,
            reservation=reservation,
            reservation_id=reservation_id_from(wanted.reservation_id) if wanted else "",
            fingerprint=fingerprint,
            idempotency_key=idempotency_key,
            wanted_number=number,
            language=language_from(request.language),
        )

    def _checked_quote(
        self, request: OrderRequest, campus: Campus, *, is_pre_reserved: bool
    ) -> Quote:
        quantities = {id_: count for id_, count in request.quantities.items() if count}
        if not quantities:
            raise Invalid(OrderMessage.EMPTY_CART, {"items": OrderMessage.EMPTY_CART})
        try:
            quote = self.quote(
                request.restaurant_id,
                campus,
                quantities,
                donation=request.donation,
                is_pre_reserved=is_pre_reserved,
            )
        except MenuUnavailable as error:
            raise Conflict("restaurant_closed", error.message) from error
        if quote.missing:
            raise NotFound("unknown_item", OrderMessage.UNKNOWN_ITEM)
        _require_minimum(quote.bill)
        _require_seen(request, quote)
        return quote

    def reservation(self, wanted: ReservationRequest, restaurant: Restaurant) -> PreReservation:
        """Return the table that is asked for, if this restaurant has it at that time.

        Raises:
            Invalid: If it takes no reservations, or not for so many guests.
            Conflict: `slot_unavailable` if the time is no slot that can be reserved now.
        """
        if not restaurant.takes_reservations or wanted.restaurant_id != restaurant.id:
            message = OrderMessage.NO_RESERVATIONS.of(name=restaurant.name)
            raise Invalid(message, {"preReservation": message})
        if not is_party(wanted.party_size):
            raise Invalid(OrderMessage.PARTY, {"partySize": OrderMessage.PARTY})
        slot = slot_named(wanted.slot)
        if (
            slot is None
            or not is_slot_open(slot, wanted.date, self.clock.now())
            or not is_served(slot, wanted.date, restaurant.hours)
        ):
            raise Conflict("slot_unavailable", OrderMessage.SLOT_UNAVAILABLE)
        return PreReservation(restaurant.id, slot, wanted.party_size, wanted.date)


def _checked(request: OrderRequest) -> tuple[Campus, Customer, str, int | None]:
    """Return the parts of a request that stand by themselves, or say all that is wrong at once."""
    is_delivered = request.reservation is None
    fields: dict[str, str] = dict(customer_errors(request.customer, is_delivered=is_delivered))
    campus = campus_from(request.campus)
    if campus is None:
        fields["selectedCampus"] = OrderMessage.CAMPUS
    if not is_donation(request.donation):
        fields["dogDonation"] = OrderMessage.DONATION
    if not all(is_quantity(quantity) for quantity in request.quantities.values()):
        fields["items"] = OrderMessage.QUANTITY
    note = tidy_text(request.note)
    if len(note) > constants.MAXIMUM_NOTE_CHARACTERS:
        fields["specialInstructions"] = CustomerMessage.NOTE_TOO_LONG
    number = order_number_value(request.wanted_number) if request.wanted_number else None
    if request.wanted_number and number is None:
        fields["orderId"] = OrderMessage.ORDER_ID
    if fields or campus is None:
        raise Invalid(next(iter(fields.values())), fields)
    return campus, customer_from(request.customer, is_delivered=is_delivered), note, number


def _require_minimum(bill: Bill) -> None:
    if bill.shortfall:
        message = OrderMessage.BELOW_MINIMUM.of(
            shortfall=format_rupees(bill.shortfall), minimum=format_rupees(bill.minimum)
        )
        raise Invalid(message, code="below_minimum")


def _require_seen(request: OrderRequest, quote: Quote) -> None:
    """Refuse what was shown to the customer and does not hold. Source: specification M1."""
    bill, prices = quote.bill, {line.item.id: line.item.price for line in quote.lines}
    seen = dict(request.seen)
    amount = seen.pop("amount", bill.remaining)
    is_right = (
        amount in {bill.remaining, bill.online}
        and all(getattr(bill, name) == figure for name, figure in seen.items())
        and all(prices.get(id_, price) == price for id_, price in request.seen_prices.items())
    )
    if not is_right:
        raise PriceMismatch(OrderMessage.PRICE_MISMATCH, bill)


def _note(placed: StoredOrder) -> None:
    order_id = placed.order.id
    logger.info("orders: order %s is placed", order_id, extra=about(order_id))


def _is_settled(state: OrderState) -> bool:
    return state in {OrderState.CONFIRMED, OrderState.REFUND_DUE}


def _of_cart(
    draft: OrderDraft, cart_key: str, generation: int, newest: StoredOrder | None
) -> OrderDraft:
    return replace(
        draft,
        cart_key=cart_key,
        cart_generation=generation,
        idempotency_key=f"cart:{cart_key}:{generation}",
        replaces=newest.order.id if newest else "",
    )


def _fingerprint(request: OrderRequest) -> str:
    """Return what makes two requests the same order; prices are no part of it."""
    reservation = request.reservation
    content = [
        request.restaurant_id,
        request.campus,
        sorted(request.customer.items()),
        sorted((id_, count) for id_, count in request.quantities.items() if count),
        str(request.donation),
        request.note,
        reservation
        and [
            reservation.slot,
            reservation.party_size,
            reservation.date.isoformat(),
            reservation.reservation_id,
        ],
    ]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()
