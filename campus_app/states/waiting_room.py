"""The waiting room: a countdown, and the button that pays."""

import logging
import secrets
from dataclasses import replace

import reflex as rx

from campus_app import routes, wiring
from campus_app.domain.constants import WAITING_ROOM_SECONDS
from campus_app.domain.customer import FIELDS, customer_errors, format_phone, tidy_text
from campus_app.domain.errors import Conflict, OrderingError
from campus_app.domain.messages import OrderMessage, noted
from campus_app.domain.money import Rupees, rupees
from campus_app.domain.payment import PaymentState
from campus_app.ports import StoredOrder
from campus_app.services.ordering import OrderRequest
from campus_app.states.campus import selected_campus
from campus_app.states.cart import empty_ordered_cart
from campus_app.states.checkout import (
    bill_texts,
    checkout_draft,
    dishes_words,
    is_as_shown,
    keep_draft,
    look_again,
    missing_step,
    price_change,
    priced_cart,
)
from campus_app.states.notice import say, say_change
from campus_app.states.reservation import (
    give_up_table,
    ordered_table,
    table_request,
    table_words,
)
from campus_app.translations import language, t

logger = logging.getLogger(__name__)

DETAILS_MISSING = noted("Tell us who the food is for, then pay.")


def _figure(text: str) -> Rupees:
    """Return an amount that was shown; what is no amount matches none."""
    try:
        return rupees(text)
    except ValueError:
        return rupees(-1)


class WaitingRoomState(rx.State):
    """What is about to be paid, and how long there is."""

    visit: str = ""
    """Another mark for each visit: before it changes, nothing here is of this one."""
    current_order_id: str = rx.SessionStorage("", name="currentOrderId")
    seconds: int = -1
    is_over: bool = False
    is_paying: bool = False
    has_problem: bool = False
    pay_url: str = ""
    restaurant: str = ""
    phone: str = ""
    summary: str = ""
    bill: dict[str, str] = {}

    @rx.event
    async def open(self):
        """The room came up: show what is to be paid, or the step that is missing."""
        priced = await priced_cart(self)
        if priced is None:
            return await missing_step(self)
        quote = priced[1]
        draft = await checkout_draft(self)
        if not is_as_shown(quote.bill, draft):
            return await look_again(self, quote, draft)
        if customer_errors(draft.details):
            await say(self, DETAILS_MISSING)
            return rx.redirect(routes.PERSONAL_INFO, replace=True)
        dishes = dishes_words(sum(line.quantity for line in quote.lines))
        self.restaurant = quote.restaurant.name
        self.phone = format_phone(quote.restaurant.vendor_phone)
        table = await ordered_table(self, quote.restaurant.id)
        address = tidy_text(draft.details["address"])
        self.summary = (
            f"{dishes}, {table_words(table.reservation)}"
            if table
            else t("{dishes}, to {address}", dishes=dishes, address=address)
        )
        self.bill = bill_texts(quote.bill)
        left = round(draft.pay_until - wiring.services().clock.now().timestamp())
        self.seconds = max(0, min(left, WAITING_ROOM_SECONDS))
        self.is_over = self.seconds == 0
        self.is_paying = self.has_problem = False
        self.pay_url = ""
        self.visit = secrets.token_hex(4)
        return None

    @rx.event
    def run_out(self):
        """The countdown has ended."""
        self.is_over = True

    @rx.event
    async def try_again(self):
        """Go back to the contact details; nothing is lost."""
        draft = await checkout_draft(self)
        await keep_draft(self, replace(draft, pay_until=0.0))
        return rx.redirect(routes.PERSONAL_INFO)

    @rx.event(background=True)
    async def pay(self):
        """Store the order once, and leave for the payment page."""
        async with self:
            if self.is_paying or self.is_over:
                return None
            self.is_paying, self.has_problem, self.pay_url = True, False, ""
        try:
            return await self._pay()
        except OrderingError as refused:
            async with self:
                return await self._refused(refused)
        except Exception:
            logger.exception("waiting room: the order could not be prepared")
            async with self:
                self.is_paying, self.has_problem = False, True
            return None

    async def _pay(self):
        services = wiring.services()
        async with self:
            self._require_patience()
            cart_key, request = await self._request()
            if request is None:
                self.is_paying = False
                return await missing_step(self)
        stored = await services.ordering.prepare_cart(request, cart_key)
        if stored.payment.state is PaymentState.PAID:
            async with self:
                return await self._to_confirmation(stored)
        checkout = await services.payments.open_checkout(stored)
        async with self:
            await say(self, "")
            self.current_order_id = stored.order.number
            self.pay_url = checkout.url
        return None

    def _require_patience(self) -> None:
        """Refuse those who order more often than whole campuses do."""
        address = self.router.session.client_ip
        if wiring.services().prepare_limit.seconds_to_wait(address):
            raise Conflict("busy", OrderMessage.BUSY)

    async def _request(self) -> tuple[str, OrderRequest | None]:
        priced = await priced_cart(self)
        if priced is None:
            return "", None
        cart = priced[0]
        draft = await checkout_draft(self)
        table = await ordered_table(self, cart.restaurant_id)
        total, _, online = draft.shown_total.partition(" ")
        request = OrderRequest(
            restaurant_id=cart.restaurant_id,
            campus=(await selected_campus(self)).value,
            customer={name: draft.details.get(name, "") for name in FIELDS},
            quantities=cart.quantities,
            donation=draft.donation,
            note=draft.note,
            reservation=table_request(table) if table else None,
            seen={"grand_total": _figure(total), "online": _figure(online)},
            language=language(),
        )
        return cart.key, request

    async def _to_confirmation(self, stored: StoredOrder):
        await empty_ordered_cart(self, stored.order.id)
        self.is_paying = False
        return rx.redirect(
            routes.order_confirmation(
                order_id=stored.order.number,
                token=stored.order.response_token,
                status="SUCCESS",
            ),
            replace=True,
        )

    async def _refused(self, refused: OrderingError):
        """Say what stands in the way, on the screen where it can be mended."""
        self.is_paying = False
        await say_change(self, await self._why(refused))
        if refused.code == "slot_unavailable":
            await give_up_table(self)
            return rx.redirect(routes.PRE_RESERVE)
        if refused.code in {"price_mismatch", "unknown_item", "below_minimum"}:
            return rx.redirect(routes.CHECKOUT)
        if refused.code in {"validation_error", "order_lapsed"}:
            return rx.redirect(routes.PERSONAL_INFO)
        return None

    async def _why(self, refused: OrderingError) -> str:
        priced = await priced_cart(self) if refused.code == "price_mismatch" else None
        if priced is None:
            return refused.message
        return price_change(priced[1], await checkout_draft(self))
