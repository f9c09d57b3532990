"""The order of a browser's cart: stored once for the same contents, replaced for others."""

from dataclasses import dataclass, replace

from campus_app.ordering.rules.cart import successor_key
from campus_app.ordering.rules.errors import CartPaid
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.stored_order import OrderDraft, StoredOrder
from campus_app.ordering.services.order_requests import (
    OrderRequest,
    displays_bill,
    fingerprint_of,
    has_contents,
)
from campus_app.ordering.services.ordering import log_created
from campus_app.ordering.services.payments import Payments
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.shared.rules.errors import Conflict
from kit.quota import ANYONE, Requester


@dataclass(frozen=True)
class CartOrders:
    """Finds and stores the orders of carts."""

    payments: Payments

    @property
    def _orders(self) -> SqlOrders:
        return self.payments.orders

    async def prepare(
        self, request: OrderRequest, cart_key: str, requester: Requester = ANYONE
    ) -> StoredOrder:
        """Store the order of a cart, once for the same contents.

        Other contents replace the cart's unpaid order; once that is paid, they are a new order.
        The provider is queried about an order before it is replaced: its webhook may be late.

        Source: specification M15, M17.

        Raises:
            CartPaid: If the order with these dishes is paid, and its bill or its details are not
                the displayed ones.
            NotFound, Invalid, Conflict, PriceMismatch: With the error codes of the HTTP API.
            PaymentError: If the provider cannot be queried; nothing is replaced then.
        """
        fingerprint = fingerprint_of(request)
        while True:
            key, newest = await self.newest(cart_key)
            if newest is not None and newest.order.state.is_paid:
                if has_contents(newest.order, request):
                    return _ordered_before(newest, request, fingerprint)
                key, newest = successor_key(key, newest.order.id), None
            draft = self.payments.ordering.draft(request, fingerprint, requester)
            if newest is not None and newest.order.state is OrderState.PENDING:
                if self._is_payable_as(newest, draft):
                    return newest
                if await self._is_paid_at_provider(newest, requester):
                    continue
            created = await self._create(draft, key, newest)
            if created is not None:
                log_created(created)
                return created

    async def newest(self, cart_key: str) -> tuple[str, StoredOrder | None]:
        """Return the last of a cart and its successors that was ordered, and its newest order.

        At most one order of a cart is payable or paid, so a cart whose order is paid has a
        successor for other contents. A cart that was never ordered is returned with None.
        """
        newest = await self._orders.latest_of_cart(cart_key)
        while newest is not None and newest.order.state.is_paid:
            successor = successor_key(cart_key, newest.order.id)
            following = await self._orders.latest_of_cart(successor)
            if following is None:
                break
            cart_key, newest = successor, following
        return cart_key, newest

    def _is_payable_as(self, stored: StoredOrder, draft: OrderDraft) -> bool:
        """Whether a pending order can still be paid, and is the one that a draft describes."""
        return (
            self.payments.clock.now() < stored.payment.expires_at
            and stored.payment.provider == self.payments.provider.name
            and stored.fingerprint == draft.fingerprint
            and stored.order.bill == draft.bill
        )

    async def _is_paid_at_provider(self, stored: StoredOrder, requester: Requester) -> bool:
        """Query the provider about an order that is to be replaced; whether it is paid now."""
        return (await self.payments.reconcile(stored.payment, requester)).order.state.is_paid

    async def _create(
        self, draft: OrderDraft, cart_key: str, replaced: StoredOrder | None
    ) -> StoredOrder | None:
        """Store a cart's order in place of an unpaid one; None if another event was faster."""
        generation = replaced.cart_generation + 1 if replaced else 1
        draft = replace(
            draft,
            cart_key=cart_key,
            cart_generation=generation,
            idempotency_key=f"cart:{cart_key}:{generation}",
            replaces=replaced.order.id if replaced else "",
        )
        now, provider = self.payments.clock.now(), self.payments.provider.name
        try:
            created = await self._orders.create(draft, now, provider)
        except Conflict as conflict:
            if conflict.code == "already_paid":
                return None
            raise
        is_this = created.fingerprint == draft.fingerprint and created.order.bill == draft.bill
        return created if is_this else None


def _ordered_before(paid: StoredOrder, request: OrderRequest, fingerprint: str) -> StoredOrder:
    """Return the paid order of a cart if it is exactly what the customer asks for again.

    Raises:
        CartPaid: If its bill or its details are others.
    """
    if paid.fingerprint == fingerprint and displays_bill(request, paid.order.bill):
        return paid
    raise CartPaid(paid.order.number)
