"""The waiting room: a countdown, and the button that pays."""

import logging
import math
import secrets
from dataclasses import replace
from datetime import UTC, datetime

import reflex as rx

from campus_app.ordering import wiring
from campus_app.ordering.rules.customer import ADDRESS, FIELDS, NAME, customer_errors, format_phone
from campus_app.ordering.rules.errors import ProviderBusy
from campus_app.ordering.rules.payment import PaymentState, public_status
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.ordering.screens.bill_texts import bill_texts, dishes_text
from campus_app.ordering.screens.browser_storage import CheckoutDraft
from campus_app.ordering.screens.cart_state import cart_kept_message, current_cart
from campus_app.ordering.screens.checkout_state import (
    checkout_draft,
    current_quote,
    is_as_shown,
    missing_step,
    price_change,
    quote_as_shown,
    shows_order,
    store_draft,
)
from campus_app.ordering.screens.group_cart import group_step
from campus_app.ordering.screens.own_orders_state import remember_order
from campus_app.ordering.screens.paid_cart_state import settle_order, settle_paid_cart
from campus_app.ordering.screens.reservation_state import (
    clear_table,
    ordered_table,
    table_request,
    table_words,
)
from campus_app.ordering.services.order_requests import OrderRequest
from campus_app.ordering.services.ordering import Quote
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import WAITING_ROOM_SECONDS
from campus_app.shared.rules.errors import Conflict, OrderingError
from campus_app.shared.rules.messages import OrderMessage
from campus_app.shared.translations import t
from campus_app.shell.banner_state import hide_banner, show_banner, show_change_banner
from kit.quota import Priority, Requester
from kit.rate_limit import RateLimited
from kit.text import gettext_noop, normalize_text
from kit.translations import language

logger = logging.getLogger(__name__)

DETAILS_MISSING = gettext_noop("Tell us who the food is for, then pay.")

_CORRECTION_SCREENS = {
    "slot_unavailable": routes.PRE_RESERVE,
    "price_mismatch": routes.CHECKOUT,
    "unknown_item": routes.CHECKOUT,
    "item_unavailable": routes.CHECKOUT,
    "below_minimum": routes.CHECKOUT,
    "validation_error": routes.PERSONAL_INFO,
    "order_lapsed": routes.PERSONAL_INFO,
}
"""The screen where the visitor can correct a refused order, by the error's code."""


def _customer(draft: CheckoutDraft, *, is_delivered: bool) -> dict[str, str]:
    """Return the contact details of an order, with an address only for a delivery."""
    details = {name: draft.details.get(name, "") for name in FIELDS}
    return details if is_delivered else details | {ADDRESS: ""}


class WaitingRoomState(rx.State):
    """The amounts to pay, and the time left."""

    visit: str = ""
    """A random id that `open` sets: until it changes, the amounts are those of the visit before."""
    current_order_id: str = rx.SessionStorage("", name="currentOrderId")
    """The number of the order for whose payment this tab waits; empty for none."""
    seconds: int = 0
    """The seconds left to pay, when the screen opened."""
    is_over: bool = False
    is_paying: bool = False
    has_problem: bool = False
    retry_seconds: int = 0
    """The seconds until the payment is retried automatically; 0 for no retry."""
    pay_url: str = ""
    restaurant: str = ""
    phone: str = ""
    summary: str = ""
    bill: dict[str, str] = {}
    _since: float = 0.0
    """When `open` first showed the current countdown, in seconds since 1970.

    An order whose wait began before a pause of the kitchen may still be paid (10.21).
    """
    _since_countdown: tuple[int, float] = (0, 0.0)
    """The restaurant and the end of that countdown; if either differs, `_since` is set again."""

    @rx.event
    async def open(self):
        """Show the amounts, or the missing step, when the screen opens."""
        quote = await quote_as_shown(self)
        if not isinstance(quote, Quote):
            return quote
        draft = await checkout_draft(self)
        if customer_errors(draft.details, is_delivered=not quote.is_pre_reserved):
            await show_banner(self, DETAILS_MISSING, next_screen=True)
            return rx.redirect(routes.PERSONAL_INFO, replace=True)
        dishes = dishes_text(sum(line.quantity for line in quote.lines))
        self.restaurant = quote.restaurant.name
        self.phone = format_phone(quote.restaurant.vendor_phone)
        table = await ordered_table(self, quote.restaurant.id)
        name, address = (normalize_text(draft.details.get(each, "")) for each in (NAME, ADDRESS))
        self.summary = (
            t(
                "{dishes}, {table}, for {name}",
                dishes=dishes,
                name=name,
                table=table_words(table.reservation),
            )
            if table
            else t("{dishes} for {name}, to {address}", dishes=dishes, name=name, address=address)
        )
        self.bill = bill_texts(quote.bill)
        left = round(draft.pay_until - wiring.services().clock.now().timestamp())
        self.seconds = max(0, min(left, WAITING_ROOM_SECONDS))
        countdown = (quote.restaurant.id, draft.pay_until)
        if countdown != self._since_countdown:
            self._since_countdown = countdown
            self._since = wiring.services().clock.now().timestamp()
        self.is_over = self.seconds == 0
        self.is_paying = self.has_problem = False
        self.retry_seconds, self.pay_url = 0, ""
        self.visit = secrets.token_hex(4)
        return None

    @rx.event
    def expire(self):
        """Mark the time as over when the countdown ends."""
        self.is_over = True
        if self.retry_seconds:
            self.is_paying, self.retry_seconds = False, 0

    @rx.event
    def retry_payment(self):
        """Retry the payment after the wait that the server asked for."""
        if not self.retry_seconds:
            return None
        self.is_paying, self.retry_seconds = False, 0
        return WaitingRoomState.pay

    @rx.event
    async def return_to_details(self):
        """Go back to the contact details, with a new countdown."""
        draft = await checkout_draft(self)
        await store_draft(self, replace(draft, pay_until=0.0))
        return rx.redirect(routes.PERSONAL_INFO)

    @rx.event(background=True)
    async def pay(self):
        """Store the order once, and go to the payment page."""
        async with self:
            if self.is_paying or self.is_over:
                return None
            self.is_paying, self.has_problem, self.pay_url = True, False, ""
            self.retry_seconds = 0
        try:
            return await self._pay()
        except RateLimited as limited:
            async with self:
                self._retry_in(limited.seconds)
            return None
        except ProviderBusy as busy:
            async with self:
                self._retry_in(busy.retry_after_seconds)
            return None
        except OrderingError as error:
            async with self:
                return await self._refused(error)
        except Exception:
            logger.exception("waiting room: the order could not be prepared")
            async with self:
                self.is_paying, self.has_problem = False, True
            return None

    async def _pay(self):
        services = wiring.services()
        async with self:
            requester = Requester.at(Priority.KNOWN, self.router.session.client_ip)
            # An address may be that of a whole campus: its limits are above all orders of one.
            services.prepare_limit.reserve(requester.client, max_wait_seconds=0.0)
            await services.open_orders.require_room(requester.client)
            if redirect := await group_step(self):
                self.is_paying = False
                return redirect
            cart_key, request = await self._request()
            if request is None:
                self.is_paying = False
                return await missing_step(self)
        stored = await services.carts.prepare(request, cart_key, requester)
        services.open_orders.record(requester.client, stored)
        async with self:
            await remember_order(self, stored.order.response_token)
        if stored.payment.state is PaymentState.PAID:
            async with self:
                return await self._to_confirmation(stored)
        checkout = await services.checkouts.open(stored, requester)
        async with self:
            await hide_banner(self)
            self.current_order_id = stored.order.number
            self.pay_url = checkout.url
        return None

    def _retry_in(self, seconds: float) -> None:
        """Let the page retry automatically, and show when."""
        self.retry_seconds = max(1, math.ceil(seconds))

    async def _request(self) -> tuple[str, OrderRequest | None]:
        cart, quote = await current_cart(self), await current_quote(self)
        if cart is None or quote is None:
            return "", None
        draft = await checkout_draft(self)
        table = await ordered_table(self, cart.restaurant_id)
        # A dish that has left the menu is refused as such.
        if draft.shown is None or not (quote.missing or shows_order(quote, draft.shown)):
            raise Conflict("price_mismatch", OrderMessage.PRICE_MISMATCH)
        request = OrderRequest(
            restaurant_id=cart.restaurant_id,
            campus=quote.campus.value,
            customer=_customer(draft, is_delivered=table is None),
            quantities=cart.quantities,
            donation=draft.donation,
            instructions=draft.instructions(cart.key),
            reservation=table_request(table) if table else None,
            displayed_amounts=[
                ("grand_total", draft.shown.grand_total),
                ("online", draft.shown.online),
            ],
            language=language(),
            waiting_since=self._waiting_since(cart.restaurant_id),
        )
        return cart.key, request

    def _waiting_since(self, restaurant_id: int) -> datetime | None:
        """Return when the countdown of this restaurant was first shown; None for another one's."""
        if self._since_countdown[0] != restaurant_id:
            return None
        return datetime.fromtimestamp(self._since, UTC)

    async def _to_confirmation(self, stored: StoredOrder):
        await settle_order(self, stored.order.id)
        self.is_paying = False
        return rx.redirect(
            routes.order_confirmation(
                order_id=stored.order.number,
                token=stored.order.response_token,
                status=public_status(stored.payment.state, stored.order.state).value,
            ),
            replace=True,
        )

    async def _refused(self, error: OrderingError):
        """Show why the order was refused, on the screen where it can be corrected."""
        self.is_paying = False
        if error.code == "already_paid":
            await settle_paid_cart(self)
            return await missing_step(self)
        code, message = await self._correctable(error)
        screen = _CORRECTION_SCREENS.get(code)
        if code == "restaurant_closed":
            await show_banner(self, message, *await cart_kept_message(self))
        else:
            await show_change_banner(self, message, next_screen=screen is not None)
        if code == "slot_unavailable":
            await clear_table(self)
        return rx.redirect(screen) if screen else None

    async def _correctable(self, error: OrderingError) -> tuple[str, str]:
        """Return the error's code and message.

        A changed bill is reported first, because the error may only follow from it: an order that
        has lost its table has another bill, and for that reason now needs an address.
        """
        if error.code not in {"price_mismatch", "validation_error"}:
            return error.code, error.message
        quote, draft = await current_quote(self), await checkout_draft(self)
        if quote is None or is_as_shown(quote, draft):
            return error.code, error.message
        return "price_mismatch", price_change(quote, draft)


async def forget_current_order(state: rx.State, number: str) -> None:
    """Forget that this tab waits for an order's payment; its receipt is about to be shown."""
    waiting = await state.get_state(WaitingRoomState)
    if waiting.current_order_id == number:
        waiting.current_order_id = ""
