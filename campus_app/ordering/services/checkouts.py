"""Opening an order's payment page at the provider."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from campus_app.catalogue.services.restaurants import find_restaurant
from campus_app.ordering.rules.order import Order, OrderState
from campus_app.ordering.rules.payment import PaymentState, next_check
from campus_app.ordering.rules.payment_provider import (
    Checkout,
    CheckoutRequest,
    CheckoutSession,
    PaymentProvider,
)
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.ordering.services.order_lookup import find_by_number
from campus_app.ordering.services.ordering import Ordering
from campus_app.ordering.sql.checkout_sessions import SqlCheckoutSessions
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.shared.rules.errors import Conflict, NotFound
from campus_app.shared.rules.messages import OrderMessage, PaymentMessage
from campus_app.shared.rules.money import Rupees
from kit.clock import Clock
from kit.quota import ANYONE, Requester, requests_for

_SESSION_REUSE_PERIOD = timedelta(seconds=30)


@dataclass(frozen=True)
class Checkouts:
    """Opens the payment pages of orders that can be paid now."""

    orders: SqlOrders
    sessions: SqlCheckoutSessions
    provider: PaymentProvider
    ordering: Ordering
    clock: Clock
    origin: str

    async def open(self, stored: StoredOrder, requester: Requester = ANYONE) -> Checkout:
        """Return the URL at which an unpaid order is paid; repeated calls open the same payment.

        If the provider's quota is short, requesters with different clients are served in turn.

        Raises:
            Conflict: `already_paid`, `order_lapsed`, `restaurant_closed` or
                `slot_unavailable`.
            PaymentError: If the provider cannot take the payment. ProviderUnavailable has the
                time after which to retry.
        """
        order, payment, now = stored.order, stored.payment, self.clock.now()
        if order.state is OrderState.REFUND_DUE:
            raise Conflict("order_lapsed", OrderMessage.REFUND_DUE)
        if payment.state is PaymentState.PAID:
            raise Conflict("already_paid", OrderMessage.ALREADY_PAID)
        is_elsewhere = payment.provider != self.provider.name
        if order.state is not OrderState.PENDING or now >= payment.expires_at or is_elsewhere:
            raise Conflict("order_lapsed", PaymentMessage.LAPSED)
        restaurant = find_restaurant(self.ordering.catalogue, order.restaurant_id)
        self.ordering.require_open(restaurant, for_placed_order=True)
        await self._require_seats(order, now)
        with requests_for(requester):
            checkout = await self._checkout(stored, now)
        await self.orders.mark_opened(payment.id, next_check(payment, now))
        return checkout

    async def open_by_number(
        self, number: str, amount: Rupees, requester: Requester = ANYONE
    ) -> Checkout:
        """Return the URL at which an order is paid, if the amount is its online amount.

        An order of a browser's cart can be paid from its waiting room only: its number can be
        guessed, and the return from the payment page leads to the order's own link.

        Raises:
            NotFound: If there is no such order, or it belongs to a cart.
            Conflict: `amount_mismatch`, or as `open`.
            PaymentError: As `open`.
        """
        stored = await find_by_number(self.orders, number)
        if stored is None or stored.cart_generation:
            raise NotFound("unknown_order", OrderMessage.UNKNOWN_ORDER)
        if amount != stored.payment.amount:
            raise Conflict("amount_mismatch", OrderMessage.AMOUNT)
        return await self.open(stored, requester)

    async def find_session(self, token: str) -> tuple[StoredOrder, CheckoutSession] | None:
        """Return the order and the checkout session of a token, without querying the provider."""
        opened = await self.sessions.by_token(token)
        stored = await self.orders.by_payment(opened.payment_id) if opened else None
        return (stored, opened.session) if opened and stored else None

    async def _checkout(self, stored: StoredOrder, now: datetime) -> Checkout:
        order, payment = stored.order, stored.payment
        # A second click or tab opens the same page without another call to the provider.
        token = await self.sessions.token_since(payment.id, now - _SESSION_REUSE_PERIOD)
        if not token:
            opened = await self.provider.create(
                CheckoutRequest(
                    reference=payment.reference,
                    order_number=order.number,
                    amount=payment.amount,
                    customer_phone=order.customer.phone,
                    return_url=f"{self.origin}{order.response_path}",
                    expires_at=payment.expires_at,
                    webhook_url=f"{self.origin}/payment/{self.provider.name}/webhook",
                )
            )
            if isinstance(opened, Checkout):
                return opened
            token = await self.sessions.save(payment.id, opened, now)
        return Checkout(f"{self.origin}/pay/{token}")

    async def _require_seats(self, order: Order, now: datetime) -> None:
        """Require that an order's table is still available and its slot has not started."""
        if order.reservation is None:
            return
        if now >= order.reservation.begins_at:
            raise Conflict("slot_unavailable", OrderMessage.SLOT_UNAVAILABLE)
        await self.orders.renew_hold(order, self.ordering.seats_in_slot(order), now)
