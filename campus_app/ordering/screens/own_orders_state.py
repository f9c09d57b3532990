"""The orders that this browser remembers: their tokens are its own, the server gives the rest."""

import logging
from datetime import datetime
from typing import TypedDict

import reflex as rx

from campus_app.ordering import wiring
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.ordering.screens.browser_storage import own_order_tokens, with_own_order
from campus_app.ordering.screens.cooking_state import follow_cooking
from campus_app.ordering.screens.new_cart_state import withdraw_offer
from campus_app.ordering.screens.paid_cart_state import settle_paid_cart
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE, OWN_ORDERS_POLL_SECONDS
from campus_app.shared.rules.money import format_rupees
from campus_app.shared.translations import t
from kit.text import gettext_noop, isolate
from kit.translations import date_words

logger = logging.getLogger(__name__)

TITLE_ID = "own-orders"
"""The id of the list's heading, which has the focus after 'Undo'."""

_MS = 1000
_AWAITS_PAYMENT = gettext_noop("Waiting for the payment")
_UNPAID = gettext_noop("Not paid")
_PAID = {
    OrderState.CONFIRMED: gettext_noop("Paid and confirmed"),
    OrderState.REFUND_DUE: gettext_noop("Money back"),
}


class OwnOrder(TypedDict):
    """An order of this browser, as text.

    `path` is the address of its receipt; empty if it was not paid.
    """

    number: str
    token: str
    path: str
    restaurant: str
    dishes: str
    placed: str
    total: str
    state: str
    is_paid: bool
    is_open: bool


class OwnOrdersState(rx.State):
    """The list of this browser's orders, the newest first."""

    tokens: str = rx.LocalStorage("", name="ownOrders", sync=True)
    orders: list[OwnOrder] = []
    is_known: bool = False
    """Whether the orders have been read."""
    has_failed: bool = False
    """Whether the last attempt to read them failed."""
    is_forgotten: bool = False
    """Whether the list was emptied on this screen, which can be undone."""
    poll_ms: int = 0
    """The milliseconds until the orders are read again; 0 if none of them is open."""
    _forgotten: str = ""

    @rx.event
    async def open(self):
        """Show the orders when the screen opens."""
        self.is_forgotten, self._forgotten = False, ""
        await withdraw_offer(self)
        await self._read()
        return OwnOrdersState.query_provider if self.poll_ms else None

    @rx.event(background=True)
    async def query_provider(self):
        """Learn of a payment from which the browser has not returned, before its webhook comes."""
        services = wiring.services()
        async with self:
            tokens, address = own_order_tokens(self.tokens), self.router.session.client_ip
        try:
            stored = await services.lookup.by_tokens(tokens)
            newest = next(filter(_is_open, stored), None)
            if newest is None:
                return
            await services.payments.refresh_for_visitor(newest, newest.order.number, address)
        except Exception:
            logger.exception("own orders: the payment could not be queried")
            return
        async with self:
            await self._read()

    @rx.event
    async def refresh(self):
        """Read the orders again."""
        await self._read()

    @rx.event
    def forget(self):
        """Forget the orders in this browser; `undo` brings them back."""
        # Another tab may have forgotten them already.
        self.orders, self.poll_ms = [], 0
        if self.tokens:
            self._forgotten, self.tokens, self.is_forgotten = self.tokens, "", True

    @rx.event
    async def undo(self):
        """Remember the orders again that were forgotten on this screen, after later ones."""
        # A browser can store anything, also what is no text.
        kept = [*own_order_tokens(self.tokens), *own_order_tokens(self._forgotten)]
        self._store(",".join(kept))
        self.is_forgotten, self._forgotten = False, ""
        await self._read()
        return rx.set_focus(TITLE_ID)

    def _store(self, tokens: str) -> None:
        """Assign the tokens, at most the maximum, but only if they change.

        What is assigned replaces what another tab may have stored meanwhile.
        """
        kept = ",".join(own_order_tokens(tokens))
        if kept != self.tokens:
            self.tokens = kept

    async def _read(self) -> None:
        try:
            stored = await wiring.services().lookup.by_tokens(own_order_tokens(self.tokens))
            await settle_paid_cart(self, is_shown=False)
        except Exception:
            # The list stays as it is; the screen offers another try.
            logger.exception("own orders: the orders could not be read")
            self.has_failed = True
            return
        self.orders = [_own_order(each) for each in stored]
        await follow_cooking(self, [each.order for each in stored])
        self.is_known, self.has_failed = True, False
        is_any_open = any(order["is_open"] for order in self.orders)
        self.poll_ms = OWN_ORDERS_POLL_SECONDS * _MS if is_any_open else 0


def _is_open(stored: StoredOrder) -> bool:
    """Whether an order may still be paid, or its payment is not known yet."""
    return stored.order.state is OrderState.PENDING and stored.payment.state is PaymentState.PENDING


def _own_order(stored: StoredOrder) -> OwnOrder:
    order = stored.order
    is_paid = stored.payment.state is PaymentState.PAID
    is_open = _is_open(stored)
    unpaid = _AWAITS_PAYMENT if is_open else _UNPAID
    return OwnOrder(
        number=order.number,
        token=order.response_token,
        path=order.response_path if is_paid else "",
        restaurant=order.restaurant_name,
        dishes=", ".join(
            f"{line.quantity}×\N{NO-BREAK SPACE}{isolate(line.name)}" for line in order.lines
        ),
        placed=_time_text(order.created_at),
        total=format_rupees(order.bill.grand_total),
        state=t(_PAID.get(order.state, unpaid)),
        is_paid=is_paid,
        is_open=is_open,
    )


def _time_text(at: datetime) -> str:
    local = at.astimezone(CAMPUS_TIME_ZONE)
    return f"{date_words(local, 'EEE d MMM')}, {local:%H:%M}"


async def remember_order(state: rx.State, token: str) -> None:
    """Remember an order as the newest one of this browser."""
    own = await state.get_state(OwnOrdersState)
    own._store(with_own_order(own.tokens, token))  # noqa: SLF001 - public methods are event handlers
