"""The return from the payment page: asks for the payment's status until it is final."""

import logging
from typing import TYPE_CHECKING

import reflex as rx

from campus_app import routes, wiring
from campus_app.domain.messages import ConfirmationMessage, PaymentMessage
from campus_app.domain.order import is_response_token
from campus_app.domain.payment import PublicStatus
from campus_app.domain.payment_return import (
    ReturnAction,
    ReturnProgress,
    ReturnStep,
    after_answer,
    after_error,
    after_failure,
    order_not_found,
    without_order,
)
from campus_app.ports.orders import StoredOrder
from campus_app.states.banner import show_banner
from campus_app.states.browser_storage import CheckoutDraft
from campus_app.states.cart import empty_ordered_cart
from campus_app.states.checkout import checkout_draft, keep_draft
from campus_app.states.confirmation import forget_shown_order
from campus_app.states.customer import report_payment_failure
from campus_app.states.receipt import forget_receipt, show_receipt
from campus_app.states.stored_order import stored_order_json
from campus_app.states.waiting_room import WaitingRoomState
from campus_app.translations import t

logger = logging.getLogger(__name__)

_ASK_PROVIDER_EVERY = 5
_MS = 1000
_FLAGS = {
    ReturnAction.NEEDS_VERIFICATION: "needsVerification",
    ReturnAction.HAS_ERROR: "hasError",
}
"""The query parameter of the confirmation's address for an unverified payment."""
_SAID_AT_HOME: dict[str, str] = {
    PaymentMessage.ORDER_NOT_FOUND: ConfirmationMessage.ORDER_NOT_FOUND,
}


class PaymentReturnState(rx.State):
    """The spinner's message, and the milliseconds until the next request; 0 for none.

    The browser leaves by itself for `leave_to`, after `leave_ms`: the server may be away by then.
    """

    last_order_id: str = rx.SessionStorage("", name="lastOrderId")
    stored_order_number: str = rx.LocalStorage("", name="lastOrderNumber")
    stored_order_token: str = rx.LocalStorage("", name="lastOrderToken")
    message: str = PaymentMessage.CHECKING
    ask_ms: int = 0
    leave_ms: int = 0
    leave_to: str = ""
    answers: int = 0
    """The number of answers; a change shows the browser that the server is reachable."""
    stored_number: str = ""
    stored_content: str = ""
    _key: str = ""
    _number: str = ""
    _attempts: int = 0
    _errors: int = 0

    if TYPE_CHECKING:
        splat: list[str]  # Set by Reflex from the route.

    @rx.event
    async def open(self):
        """Start to ask for the status, or show the receipt, when the screen opens."""
        await forget_receipt(self)
        self._attempts = self._errors = self.leave_ms = 0
        self.leave_to = ""
        self.stored_number = self.stored_content = self._key = self._number = ""
        self.message = t(PaymentMessage.CHECKING)
        try:
            is_over = await self._shows_receipt()
        except Exception:
            # `ask` counts failures.
            logger.exception("payment return: the order could not be read")
            is_over = False
        return None if is_over else PaymentReturnState.ask

    @rx.event
    async def ask(self):
        """Ask for the payment's status once, and act on it."""
        if self.leave_ms or self.stored_number:
            return None
        return await self._take(await self._step())

    @rx.event
    async def confirm(self, number: str):
        """Show the confirmation once the browser has stored the order."""
        if number != self._number or not self.stored_number:
            return None
        try:
            return await self._confirmed()
        except Exception:
            # The next `ask` stores the order again, and repeats this step.
            logger.exception("payment return: the confirmation could not be reached")
            self.stored_number = self.stored_content = ""
            await self._follow(after_error(ReturnProgress()))
            return None

    async def _confirmed(self):
        """Redirect to the confirmation of the paid order."""
        stored = await self._stored()
        if stored is None:
            return None
        progress = await wiring.services().lookup.progress_of(stored)
        await self._forget_current()
        await forget_shown_order(self)
        return rx.redirect(
            routes.order_confirmation(
                order_id=stored.order.number,
                payment_id=stored.payment.reference,
                status=progress.status.value,
                paymentSuccess=str(progress.status is PublicStatus.SUCCESS).lower(),
                fromPayment="true",
                emailsSent=str(progress.notifications.emails_sent),
                missedCallStatus=progress.notifications.missed_call.value,
                token=stored.order.response_token,
            ),
            replace=True,
        )

    async def _shows_receipt(self) -> bool:
        """Show the receipt of a paid order, unless this tab went to pay it and is to be thanked."""
        stored = await wiring.services().lookup.by_token(self._token())
        waiting = await self.get_state(WaitingRoomState)
        if stored is None or waiting.current_order_id == stored.order.number:
            return False
        if not await show_receipt(self, stored):
            return False
        await empty_ordered_cart(self, stored.order.id)
        return True

    async def _step(self) -> ReturnStep:
        """Return the next step, from the payment's stored status."""
        progress = ReturnProgress(self._attempts, self._errors)
        services = wiring.services()
        try:
            if not self._number and (unknown := await self._find_order()):
                return unknown
            # A query of the provider each second would exhaust its rate limit for all visitors.
            if self._attempts % _ASK_PROVIDER_EVERY == 0:
                stored, address = await self._stored(), self.router.session.client_ip
                await services.payments.refresh_for_visitor(stored, self._number, address)
            answer = await services.lookup.progress(self._number)
        except Exception:
            logger.exception("payment return: the status could not be read")
            step = after_error(progress)
        else:
            step = after_answer(
                progress,
                answer.status,
                is_processed=answer.is_processed,
                is_refund_due=answer.is_refund_due,
            )
        self._attempts, self._errors = step.progress.attempts, step.progress.errors
        return step

    async def _find_order(self) -> ReturnStep | None:
        """Look up the order; return the step for an unknown order, else None."""
        token = self._token()
        stored = await wiring.services().lookup.by_token(token)
        if stored is not None:
            self._key, self._number = stored.order.id, stored.order.number
            return None
        self._number = await self._named_number()
        if self._number:
            return None
        return order_not_found(ReturnProgress()) if token else without_order()

    def _token(self) -> str:
        parts = self.splat if isinstance(self.splat, list) else []
        token = parts[0] if parts else ""
        return token if is_response_token(token) else ""

    async def _named_number(self) -> str:
        """Return the order number in the address, or of the payment that this tab started."""
        named = self.router.url.query_parameters.get("order_id", "")
        kept: object = (await self.get_state(WaitingRoomState)).current_order_id
        return named or (kept if isinstance(kept, str) else "")

    async def _stored(self) -> StoredOrder | None:
        return await wiring.services().lookup.by_id(self._key)

    async def _follow(self, step: ReturnStep) -> None:
        self.message = t(step.message)
        self.answers += 1
        is_waiting = step.action is ReturnAction.WAIT
        self.ask_ms = step.seconds * _MS if is_waiting else 0
        self.leave_to = await self._leave_to(step)
        self.leave_ms = step.seconds * _MS if self.leave_to else 0

    async def _leave_to(self, step: ReturnStep) -> str:
        """Return the address to go to after the message; empty to stay."""
        if step.action is ReturnAction.HOME:
            said = _SAID_AT_HOME.get(step.message, ConfirmationMessage.PROCESSING_ERROR)
            await show_banner(self, said, next_screen=True)
            return routes.HOME
        if step.action not in _FLAGS:
            return ""
        await forget_shown_order(self)
        # No query here: this step may be due because nothing answers.
        token = {"token": self._token()} if self._key else {}
        flags = {_FLAGS[step.action]: "true"}
        return routes.order_confirmation(order_id=self._number, **flags, **token)

    async def _take(self, step: ReturnStep):
        await self._follow(step)
        try:
            return await self._act(step)
        except Exception:
            logger.exception("payment return: the answer could not be followed")
            await self._follow(after_failure(step.progress))
            return None

    async def _act(self, step: ReturnStep):
        if step.action is ReturnAction.CONFIRM:
            return await self._to_confirmation()
        if step.action is ReturnAction.PAYMENT_FAILED:
            await report_payment_failure(self, step.message)
            return rx.redirect(routes.PERSONAL_INFO, replace=True)
        return None

    async def _to_confirmation(self):
        """Let the browser store the paid order for the confirmation."""
        stored = await self._stored()
        self.last_order_id = self._number
        if stored is None:
            await self._forget_current()
            await forget_shown_order(self)
            status = (await wiring.services().lookup.progress(self._number)).status
            return rx.redirect(
                routes.order_confirmation(order_id=self._number, status=status.value), replace=True
            )
        self.stored_order_number = stored.order.number
        self.stored_order_token = stored.order.response_token
        await empty_ordered_cart(self, self._key)
        draft = await checkout_draft(self)
        await keep_draft(self, CheckoutDraft(details=draft.details))
        self.stored_content = stored_order_json(stored.order, wiring.services().catalogue)
        self.stored_number = self._number
        return None

    async def _forget_current(self) -> None:
        """Forget the order that this tab went to pay."""
        (await self.get_state(WaitingRoomState)).current_order_id = ""
