"""Placing an order: price it, validate it, store it once."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.rules.errors import DishesSoldOut, MenuUnavailable
from campus_app.catalogue.rules.restaurant import Restaurant, RestaurantState
from campus_app.catalogue.services.availability import Statuses
from campus_app.catalogue.services.restaurants import find_restaurant
from campus_app.ordering.rules.bill import Bill, BillTerms, CartTotals, bill_for, cart_totals
from campus_app.ordering.rules.cart import CartLine, cart_lines
from campus_app.ordering.rules.order import Order, OrderLine
from campus_app.ordering.rules.order_number import number_held_until
from campus_app.ordering.rules.reorder import Reorder, reorder
from campus_app.ordering.rules.reservation import (
    PreReservation,
    is_kitchen_open,
    is_party_size,
    is_slot_open,
    parse_reservation_id,
    parse_slot,
)
from campus_app.ordering.rules.stored_order import OrderDraft, StoredOrder
from campus_app.ordering.services.offer_versions import OfferVersions
from campus_app.ordering.services.order_log import log_order
from campus_app.ordering.services.order_lookup import find_by_number
from campus_app.ordering.services.order_requests import (
    OrderRequest,
    ReservationRequest,
    fingerprint_of,
    require_displayed_prices,
    validated,
)
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.errors import Conflict, Invalid, NotFound
from campus_app.shared.rules.messages import OrderMessage
from campus_app.shared.rules.money import LARGEST_AMOUNT, ZERO, Rupees, format_rupees
from campus_app.shared.translations import parse_language
from kit.clock import Clock
from kit.quota import ANYONE, Requester

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class PricedDishes:
    """The dishes of a cart at current prices, independent of the campus."""

    lines: tuple[CartLine, ...]
    totals: CartTotals


@dataclass(frozen=True)
class Quote:
    """A cart at current prices, with delivery, fees and donation."""

    restaurant: Restaurant
    campus: Campus
    lines: tuple[CartLine, ...]
    bill: Bill
    missing: tuple[str, ...]
    """Ids of chosen dishes that are not on the menu any more."""
    is_pre_reserved: bool = False
    sold_out: tuple[str, ...] = ()
    """The names of chosen dishes that are sold out."""


@dataclass(frozen=True)
class Ordering:
    """Turns requests into stored orders."""

    catalogue: CsvCatalogue
    statuses: Statuses
    offers: OfferVersions
    orders: SqlOrders
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
        """Return the current price of a cart.

        Raises:
            NotFound: If there is no such restaurant.
            MenuUnavailable: If its menu cannot be read.
        """
        restaurant = find_restaurant(self.catalogue, restaurant_id)
        menu = self.catalogue.menu(restaurant_id)
        lines = cart_lines(quantities, menu)
        now, offers = self.clock.now(), self.offers.offers
        terms = BillTerms(restaurant_id, campus, now, donation, is_pre_reserved, offers)
        missing = tuple(id_ for id_ in quantities if id_ not in menu.by_id)
        bill = bill_for(lines, terms)
        sold_out = self.sold_out(restaurant_id, lines)
        return Quote(restaurant, campus, lines, bill, missing, is_pre_reserved, sold_out)

    def sold_out(self, restaurant_id: int, lines: Sequence[CartLine]) -> tuple[str, ...]:
        """Return the names of the dishes of a cart that are sold out."""
        dishes = (line.dish for line in lines)
        return tuple(
            each.name for each in dishes if self.statuses.is_sold_out(restaurant_id, each.id)
        )

    def price_dishes(
        self, restaurant_id: int, quantities: Mapping[str, int], *, is_pre_reserved: bool = False
    ) -> PricedDishes:
        """Return the current price of a cart's dishes, before delivery and fees.

        Raises:
            NotFound: If there is no such restaurant.
            MenuUnavailable: If its menu cannot be read.
        """
        restaurant = find_restaurant(self.catalogue, restaurant_id)
        lines = cart_lines(quantities, self.catalogue.menu(restaurant_id))
        totals = cart_totals(
            lines,
            restaurant.id,
            self.clock.now(),
            is_pre_reserved=is_pre_reserved,
            offers=self.offers.offers,
        )
        return PricedDishes(lines, totals)

    def reorder(self, order: Order) -> Reorder:
        """Return the dishes of an earlier order as its restaurant sells them now.

        Raises:
            NotFound: `unknown_restaurant` if the restaurant does not exist any more.
            Conflict: `restaurant_closed`.
            MenuUnavailable: If its menu cannot be read.
        """
        self.require_open_id(order.restaurant_id)
        sold_out = self.statuses.sold_out(order.restaurant_id)
        return reorder(order.lines, self.catalogue.menu(order.restaurant_id), sold_out)

    async def prepare(
        self, request: OrderRequest, idempotency_key: str = "", requester: Requester = ANYONE
    ) -> StoredOrder:
        """Store an order without a cart; a repeated idempotency key returns the same order.

        Raises:
            NotFound, Invalid, Conflict, PriceMismatch: With the error codes of the HTTP API.
        """
        fingerprint = fingerprint_of(request)
        first = await self._first_answer(request, idempotency_key, fingerprint)
        if first is not None:
            return first
        key = f"http:{idempotency_key}" if idempotency_key else ""
        draft = self.draft(request, fingerprint, requester, key)
        try:
            created = await self.orders.create(draft, self.clock.now(), self.provider)
        except Conflict:
            # A concurrent duplicate of this request may have taken the requested number.
            first = await self._first_answer(request, idempotency_key, fingerprint)
            if first is None:
                raise
            return first
        if created.fingerprint != fingerprint:
            raise Conflict("idempotency_conflict", OrderMessage.KEY_REUSED)
        log_created(created)
        return created

    def require_open(self, restaurant: Restaurant, *, for_placed_order: bool = False) -> None:
        """Require that a restaurant takes orders now; placed ones are paid during a pause too.

        Raises:
            Conflict: `restaurant_closed`. Source: specification M12.
        """
        state = self.statuses.state_of(restaurant, for_placed_order=for_placed_order)
        if state is RestaurantState.OPEN:
            return
        message = (
            OrderMessage.RESTAURANT_UNAVAILABLE
            if state is RestaurantState.UNAVAILABLE
            else OrderMessage.RESTAURANT_CLOSED
        )
        raise Conflict("restaurant_closed", message.of(name=restaurant.name))

    def require_open_id(self, restaurant_id: int) -> None:
        """Require that the restaurant with this id exists and takes orders now.

        Raises:
            NotFound: `unknown_restaurant`.
            Conflict: `restaurant_closed`.
        """
        self.require_open(find_restaurant(self.catalogue, restaurant_id))

    def require_served(self, restaurant: Restaurant, campus: Campus) -> None:
        """Require that a restaurant serves a campus.

        Raises:
            Conflict: `not_served`. Source: specification R5.
        """
        if campus not in restaurant.campuses:
            raise Conflict("not_served", OrderMessage.NOT_SERVED.of(name=restaurant.name))

    def seats_in_slot(self, order: Order) -> int:
        """Return how many seats the slot of an order's table has; 0 without such a table."""
        restaurant, table = self.catalogue.restaurant(order.restaurant_id), order.reservation
        return restaurant.seats_on(table.date) if restaurant and table else 0

    async def _first_answer(
        self, request: OrderRequest, idempotency_key: str, fingerprint: str
    ) -> StoredOrder | None:
        if idempotency_key:
            stored = await self.orders.by_key(f"http:{idempotency_key}")
            if stored is not None and stored.fingerprint != fingerprint:
                raise Conflict("idempotency_conflict", OrderMessage.KEY_REUSED)
            return stored
        stored = await find_by_number(self.orders, request.requested_number)
        if stored is None or stored.fingerprint != fingerprint:
            return None
        payment = stored.payment
        is_held = self.clock.now() < number_held_until(payment.expires_at, payment.paid_at)
        return stored if is_held else None

    def draft(
        self,
        request: OrderRequest,
        fingerprint: str,
        requester: Requester,
        idempotency_key: str = "",
    ) -> OrderDraft:
        """Return a request as a validated order at current prices.

        Raises:
            NotFound, Invalid, Conflict, PriceMismatch: With the error codes of the HTTP API.
        """
        restaurant = find_restaurant(self.catalogue, request.restaurant_id)
        campus, customer, instructions, number = validated(request)
        was_waiting = self.statuses.was_waiting_before_pause(restaurant.id, request.waiting_since)
        self.require_open(restaurant, for_placed_order=was_waiting)
        self.require_served(restaurant, campus)
        requested = request.reservation
        reservation = self.reservation(requested, restaurant) if requested else None
        quote = self._checked_quote(request, campus, is_pre_reserved=reservation is not None)
        return OrderDraft(
            restaurant=restaurant,
            campus=campus,
            customer=customer,
            lines=tuple(
                OrderLine(line.dish.id, line.dish.name, line.dish.price, line.quantity)
                for line in quote.lines
            ),
            bill=quote.bill,
            instructions=instructions,
            reservation=reservation,
            reservation_id=parse_reservation_id(requested.reservation_id) if requested else "",
            fingerprint=fingerprint,
            idempotency_key=idempotency_key,
            requested_number=number,
            language=parse_language(request.language),
            client=requester.client,
        )

    def _checked_quote(
        self, request: OrderRequest, campus: Campus, *, is_pre_reserved: bool
    ) -> Quote:
        quantities = request.chosen
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
            raise NotFound("unknown_item", OrderMessage.DISH_LEFT_MENU)
        if quote.sold_out:
            raise DishesSoldOut(quote.sold_out)
        if quote.bill.is_too_large:
            message = OrderMessage.TOO_LARGE.of(maximum=format_rupees(LARGEST_AMOUNT))
            raise Invalid(message, {"items": message})
        if quote.bill.shortfall:
            raise Invalid(quote.bill.shortfall_message, code="below_minimum")
        require_displayed_prices(request, quote.bill, quote.lines)
        return quote

    def reservation(self, requested: ReservationRequest, restaurant: Restaurant) -> PreReservation:
        """Return the requested table, if the restaurant offers it at that time.

        Raises:
            Invalid: If it takes no reservations, or none for this party size.
            Conflict: `slot_unavailable` if the slot cannot be booked now.
        """
        if not restaurant.takes_reservations or requested.restaurant_id != restaurant.id:
            message = OrderMessage.NO_RESERVATIONS.of(name=restaurant.name)
            raise Invalid(message, {"preReservation": message})
        if not is_party_size(requested.party_size):
            raise Invalid(OrderMessage.PARTY, {"partySize": OrderMessage.PARTY})
        slot, day = parse_slot(requested.slot), requested.date
        if (
            slot is None
            or day is None
            or not is_slot_open(slot, day, self.clock.now())
            or not is_kitchen_open(slot, day, restaurant.hours)
        ):
            raise Conflict("slot_unavailable", OrderMessage.SLOT_UNAVAILABLE)
        return PreReservation(restaurant.id, slot, requested.party_size, day)


def log_created(created: StoredOrder) -> None:
    """Log that an order was stored."""
    log_order(logger, logging.INFO, "orders: order %s created", created.order.id)
