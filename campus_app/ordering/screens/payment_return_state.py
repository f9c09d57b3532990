"""The return from the payment page: polls the payment's status until it is final."""

import logging
from typing import TYPE_CHECKING

import reflex as rx

from campus_app.ordering import wiring
from campus_app.ordering.rules.order import is_response_token
from campus_app.ordering.rules.payment import PublicStatus
from campus_app.ordering.rules.payment_return import (
    ReturnAction,
    ReturnProgress,
    ReturnStep,
    after_answer,
    after_error,
    return_home,
)
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.ordering.screens.confirmation_state import clear_confirmation
from campus_app.ordering.screens.customer_state import clear_choices, report_payment_failure
from campus_app.ordering.screens.new_cart_state import withdraw_offer
from campus_app.ordering.screens.own_orders_state import remember_order
from campus_app.ordering.screens.paid_cart_state import (
    remember_last_order,
    settle_order,
    settle_paid_cart,
)
from campus_app.ordering.screens.receipt_state import clear_receipt, show_receipt
from campus_app.ordering.screens.stored_order import stored_order_json
from campus_app.ordering.screens.waiting_room_state import (
    WaitingRoomState,
    forget_current_order,
)
from campus_app.shared.rules import routes
from campus_app.shared.rules.messages import ConfirmationMessage, PaymentMessage
from campus_app.shared.translations import t
from campus_app.shell.banner_state import show_at_the_end

logger = logging.getLogger(__name__)

_POLLS_PER_QUERY = 5
_MS = 1000
_FLAGS = {
    ReturnAction.NEEDS_VERIFICATION: "needsVerification",
    ReturnAction.HAS_ERROR: "hasError",
}
"""The query parameter of the confirmation's address for an unverified payment."""
_HOME_MESSAGES: dict[str, str] = {
    PaymentMessage.ORDER_NOT_FOUND: ConfirmationMessage.ORDER_NOT_FOUND,
}


class PaymentReturnState(rx.State):
    """The spinner's message, and the milliseconds until the next poll; 0 for none.

    After `leave_ms` the browser redirects to `leave_to` without the server, which may be
    unavailable then.
    """

    message: str = PaymentMessage.CHECKING
    poll_ms: int = 0
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
        """Start to poll the status, or show the receipt, when the screen opens."""
        await clear_receipt(self)
        await withdraw_offer(self)
        self._attempts = self._errors = self.leave_ms = 0
        self.leave_to = ""
        self.stored_number = self.stored_content = self._key = self._number = ""
        self.message = t(PaymentMessage.CHECKING)
        try:
            is_over = await self._shows_receipt()
        except Exception:
            # `poll` counts failures.
            logger.exception("payment return: the order could not be read")
            is_over = False
        return None if is_over else PaymentReturnState.poll

    @rx.event
    async def poll(self):
        """Read the payment's status once, and take the next step."""
        if self.leave_ms or self.stored_number:
            return None
        return await self._apply(await self._step())

    @rx.event
    async def confirm(self, number: str):
        """Show the confirmation once the browser has stored the order."""
        if number != self._number or not self.stored_number:
            return None
        try:
            return await self._confirmed()
        except Exception:
            # The next `poll` stores the order again, and repeats this step.
            logger.exception("payment return: the confirmation could not be reached")
            self.stored_number = self.stored_content = ""
            await self._show(after_error(ReturnProgress()))
            return None

    async def _confirmed(self):
        """Redirect to the confirmation of the paid order."""
        stored = await self._stored()
        if stored is None:
            return None
        progress = await wiring.services().lookup.progress_of(stored)
        await forget_current_order(self, stored.order.number)
        await clear_confirmation(self)
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
        """Show the receipt of a paid order, unless this tab paid it and gets the confirmation."""
        stored = await wiring.services().lookup.by_token(self._token())
        waiting = await self.get_state(WaitingRoomState)
        if stored is None or waiting.current_order_id == stored.order.number:
            return False
        if not await show_receipt(self, stored):
            return False
        await settle_order(self, stored.order.id)
        await settle_paid_cart(self)
        return True

    async def _step(self) -> ReturnStep:
        """Return the next step, from the payment's stored status."""
        progress = ReturnProgress(self._attempts, self._errors)
        services = wiring.services()
        try:
            if not self._number and (unknown := await self._find_order()):
                return unknown
            # A query of the provider each second would exhaust its rate limit for all visitors.
            if self._attempts % _POLLS_PER_QUERY == 0:
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
        return return_home(
            PaymentMessage.ORDER_NOT_FOUND if token else PaymentMessage.ORDER_ID_MISSING
        )

    def _token(self) -> str:
        parts = self.splat if isinstance(self.splat, list) else []
        token = parts[0] if parts else ""
        return token if is_response_token(token) else ""

    async def _named_number(self) -> str:
        """Return the order number in the address, or of the payment that this tab started."""
        named = self.router.url.query_parameters.get("order_id", "")
        current: object = (await self.get_state(WaitingRoomState)).current_order_id
        return named or (current if isinstance(current, str) else "")

    async def _stored(self) -> StoredOrder | None:
        return await wiring.services().lookup.by_id(self._key)

    async def _show(self, step: ReturnStep) -> None:
        self.message = t(step.message)
        self.answers += 1
        is_waiting = step.action is ReturnAction.WAIT
        self.poll_ms = step.seconds * _MS if is_waiting else 0
        self.leave_to = await self._leave_to(step)
        self.leave_ms = step.seconds * _MS if self.leave_to else 0

    async def _leave_to(self, step: ReturnStep) -> str:
        """Return the address to redirect to after the message; empty to stay."""
        if step.action is ReturnAction.HOME:
            message = _HOME_MESSAGES.get(step.message, ConfirmationMessage.PROCESSING_ERROR)
            path = routes.response(self._token()) if self._key else ""
            await show_at_the_end(self, message, self._number, path)
            return routes.HOME
        if step.action not in _FLAGS:
            return ""
        await clear_confirmation(self)
        # No query here: this step may be due because the database is unavailable.
        token = {"token": self._token()} if self._key else {}
        flags = {_FLAGS[step.action]: "true"}
        return routes.order_confirmation(order_id=self._number, **flags, **token)

    async def _apply(self, step: ReturnStep):
        await self._show(step)
        try:
            return await self._redirect(step)
        except Exception:
            logger.exception("payment return: the next step failed")
            await self._show(return_home(PaymentMessage.PROCESSING_ERROR, step.progress))
            return None

    async def _redirect(self, step: ReturnStep):
        if step.action is ReturnAction.CONFIRM:
            return await self._store_order()
        if step.action is ReturnAction.PAYMENT_FAILED:
            await report_payment_failure(self, step.message)
            return rx.redirect(routes.PERSONAL_INFO, replace=True)
        return None

    async def _store_order(self):
        """Let the browser store the paid order for the confirmation."""
        stored = await self._stored()
        await remember_last_order(self, self._number)
        if stored is None:
            await forget_current_order(self, self._number)
            await clear_confirmation(self)
            status = (await wiring.services().lookup.progress(self._number)).status
            return rx.redirect(
                routes.order_confirmation(order_id=self._number, status=status.value), replace=True
            )
        await remember_order(self, stored.order.response_token)
        await settle_order(self, self._key)
        await clear_choices(self)
        self.stored_content = stored_order_json(stored.order, wiring.services().catalogue)
        self.stored_number = self._number
        return None
