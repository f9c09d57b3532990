"""The order confirmation: shown as confirmed only after the provider reports the payment."""

import logging
from enum import StrEnum

import reflex as rx

from campus_app.ordering import wiring
from campus_app.ordering.rules.customer import format_phone
from campus_app.ordering.rules.notification import (
    MissedCallStatus,
    Notification,
    NotificationState,
    notifications_due,
)
from campus_app.ordering.rules.order import Order
from campus_app.ordering.rules.payment import FAILURE_MESSAGE, PublicStatus
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.ordering.screens.browser_storage import stored_order_token
from campus_app.ordering.screens.customer_state import report_payment_failure
from campus_app.ordering.screens.paid_cart_state import settle_order
from campus_app.ordering.screens.receipt_state import clear_receipt, show_receipt
from campus_app.ordering.screens.reservation_state import table_words
from campus_app.ordering.screens.waiting_room_state import forget_current_order
from campus_app.ordering.services.order_lookup import PaymentProgress
from campus_app.shared.rules import constants, routes
from campus_app.shared.rules.messages import ConfirmationMessage
from campus_app.shared.rules.money import format_rupees
from campus_app.shared.translations import t
from campus_app.shell.banner_state import show_at_the_end, show_banner
from kit.text import gettext_noop

logger = logging.getLogger(__name__)

_EMAIL_TEXTS = {1: gettext_noop("Customer notified"), 2: gettext_noop("Customer & vendor notified")}
_UNKNOWN_NAME = gettext_noop("Valued Customer")


class Phase(StrEnum):
    """The content of the screen."""

    PROCESSING = "processing"
    LOADING = "loading"
    CONFIRMED = "confirmed"
    UNVERIFIED = "unverified"
    REFUND = "refund"


class ConfirmationState(rx.State):
    """The order as the visitor sees it, and the progress of its notifications."""

    phase: str = Phase.PROCESSING
    is_paid: bool = False
    order_id: str = ""
    name: str = ""
    amount_due: str = ""
    refund_amount: str = ""
    restaurant: str = ""
    phone: str = ""
    minutes: str = constants.DEFAULT_DELIVERY_MINUTES
    table: str = ""
    """The reserved table as text; empty for a delivery."""
    hint: str = ""
    emails_sent: int = 0
    emails_text: str = ""
    missed_call: str = MissedCallStatus.PENDING
    are_notifications_pending: bool = True
    mails_due: int = constants.NOTIFIED_PARTIES
    is_staying: bool = False
    _key: str = ""
    _path: str = ""
    """The address of the order's own page."""
    _is_retriggered: bool = False

    @rx.event
    async def open(self):
        """Query the provider when the screen opens; the address is not trusted.

        A reconnect opens it again: a countdown that was stopped does not begin anew.
        """
        # A number has at most ten characters.
        number = self.router.url.query_parameters.get("order_id", "")[:16]
        is_staying = self.is_staying and number == self.order_id
        await clear_confirmation(self)
        self.order_id, self.is_staying = number, is_staying
        try:
            return await self._open()
        except Exception:
            # The overlay stays; `reveal` tries again.
            logger.exception("confirmation: the order could not be read")
            return None

    @rx.event
    async def reveal(self, stored: str):
        """Show the order after the overlay; `stored` is the browser's copy of the order, if any."""
        token = "" if self._key else stored_order_token(stored)
        if token:
            self.phase = Phase.LOADING
            yield
        try:
            await self._load(token)
            await self._show(await self._progress())
        except Exception:
            logger.exception("confirmation: the order could not be shown")
            self.phase = Phase.UNVERIFIED
            self.hint = t(ConfirmationMessage.HAS_ERROR)

    @rx.event
    async def poll(self):
        """Update the progress of the notifications, or of the payment."""
        try:
            return await self._poll()
        except Exception:
            logger.exception("confirmation: the poll failed")
            return None

    @rx.event
    def stay(self):
        """Stop the countdown."""
        self.is_staying = True

    @rx.event
    async def leave(self, is_home_blocked: bool = False):
        """Redirect home when the countdown ends, or to the order where the device can't show home.

        Source: specification 10.56.
        """
        if self.is_staying:
            return None
        order_page = self._path or routes.UNDER_PROGRESS
        if self.phase == Phase.UNVERIFIED:
            # The order's own page would lead back here.
            order_page = routes.UNDER_PROGRESS
            unclear = ConfirmationMessage.DETAILS_UNCLEAR
            await show_at_the_end(self, unclear, self.order_id, self._path)
        return rx.redirect(order_page if is_home_blocked is True else routes.HOME, replace=True)

    async def _open(self):
        stored = await self._load(self._named_token())
        if stored is not None:
            await self._refresh(stored)
        elif self.order_id:
            await self._refresh()
        progress = await self._progress()
        if progress.status is PublicStatus.NOT_FOUND:
            await show_banner(self, ConfirmationMessage.ORDER_NOT_FOUND, next_screen=True)
            return rx.redirect(routes.HOME, replace=True)
        self._set_progress(progress)
        return await self._redirect_if_failed(progress)

    async def _poll(self):
        if not self._key:
            await self._load(self._named_token())
        progress = await self._progress()
        has_arrived = _has_arrived(progress)
        if not has_arrived or (
            progress.notifications.emails_sent == 0 and not self._is_retriggered
        ):
            # Query once more; repeated queries cause no second notification.
            self._is_retriggered = has_arrived
            await self._refresh()
            progress = await self._progress()
        await self._show(progress)
        return await self._redirect_if_failed(progress)

    def _named_token(self) -> str:
        return self.router.url.query_parameters.get("token", "")

    async def _load(self, token: str) -> StoredOrder | None:
        """Show the personal data of an order if the visitor has its secret token."""
        stored = await wiring.services().lookup.by_token(token)
        if stored is not None:
            self._show_order(stored.order)
        return stored

    def _show_order(self, order: Order) -> None:
        self._key = order.id
        self.order_id, self._path = order.number, order.response_path
        self.name = order.customer.full_name.upper()
        self.amount_due = format_rupees(order.bill.remaining)
        self.restaurant = order.restaurant_name
        self.table = table_words(order.reservation) if order.reservation else ""
        restaurant = wiring.services().catalogue.restaurant(order.restaurant_id)
        if restaurant is not None:
            self.phone = format_phone(restaurant.vendor_phone)
            self.minutes = restaurant.delivery_minutes

    async def _refresh(self, stored: StoredOrder | None = None) -> None:
        services = wiring.services()
        stored = stored or await services.lookup.by_id(self._key)
        address = self.router.session.client_ip
        await services.payments.refresh_for_visitor(stored, self.order_id, address)

    async def _progress(self) -> PaymentProgress:
        lookup = wiring.services().lookup
        stored = await lookup.by_id(self._key)
        if stored is not None:
            return await lookup.progress_of(stored)
        return await lookup.progress(self.order_id)

    def _set_progress(self, progress: PaymentProgress) -> None:
        self.is_paid = progress.status is PublicStatus.SUCCESS
        self.emails_sent = progress.notifications.emails_sent
        self.emails_text = t(_EMAIL_TEXTS.get(self.emails_sent, ""))
        self.missed_call = progress.notifications.missed_call

    async def _show(self, progress: PaymentProgress) -> None:
        self._set_progress(progress)
        if not _has_arrived(progress):
            query = self.router.url.query_parameters
            self.phase = Phase.UNVERIFIED
            hint = (
                ConfirmationMessage.HAS_ERROR
                if "hasError" in query
                else ConfirmationMessage.NEEDS_VERIFICATION
            )
            self.hint = t(hint)
            return
        lookup = wiring.services().lookup
        stored = await (lookup.by_id(self._key) if self._key else lookup.by_number(self.order_id))
        if stored is not None and self._key:
            self._show_order(stored.order)
            await settle_order(self, self._key)
            await forget_current_order(self, stored.order.number)
            await show_receipt(self, stored)
            paid = stored.payment.paid
            self.refund_amount = "" if paid is None else format_rupees(paid)
        due = notifications_due(stored.order.state) if stored else tuple(Notification)
        self.are_notifications_pending = any(
            progress.notifications.of(each) is NotificationState.PENDING for each in due
        )
        mails = {Notification.CUSTOMER_MAIL, Notification.VENDOR_MAIL}.intersection(due)
        # An order that goes back later has had both.
        self.mails_due = max(len(mails), self.emails_sent)
        is_refund = progress.is_refund_due
        self.phase = Phase.REFUND if is_refund else Phase.CONFIRMED
        self.hint = t(stored.order.refund_reason) if stored and is_refund and self._key else ""
        self.name = self.name or t(_UNKNOWN_NAME).upper()

    async def _redirect_if_failed(self, progress: PaymentProgress):
        """Redirect to the contact details with the reason if the payment failed."""
        if progress.is_refund_due or progress.status not in FAILURE_MESSAGE:
            return None
        await report_payment_failure(self, FAILURE_MESSAGE[progress.status])
        return rx.redirect(routes.PERSONAL_INFO, replace=True)


def _has_arrived(progress: PaymentProgress) -> bool:
    """Whether money has arrived for the order, even if it goes back."""
    return progress.status is PublicStatus.SUCCESS or progress.is_refund_due


async def shown_order(state: rx.State) -> StoredOrder | None:
    """Return the order on the confirmation, if the visitor has its secret token."""
    confirmation = await state.get_state(ConfirmationState)
    key = confirmation._key  # noqa: SLF001 - public variables are sent to the browser
    return await wiring.services().lookup.by_id(key)


async def clear_confirmation(state: rx.State) -> None:
    """Clear the screen before another order comes up on it."""
    (await state.get_state(ConfirmationState)).reset()
    await clear_receipt(state)
