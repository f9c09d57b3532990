"""The contact details, the special instructions and the payment method."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import reflex as rx

from campus_app.catalogue.screens.campus_state import selected_campus
from campus_app.ordering import wiring
from campus_app.ordering.rules.customer import (
    ADDRESS,
    EMAIL,
    FIELDS,
    PHONE,
    PHONE_PREFIX,
    customer_errors,
    format_phone,
    parse_customer,
    suggest_email,
)
from campus_app.ordering.rules.instructions import CHECKED, DOOR_NOTE, KITCHEN_NOTE, NO_CUTLERY
from campus_app.ordering.rules.instructions import FIELDS as INSTRUCTION_FIELDS
from campus_app.ordering.screens.bill_texts import bill_texts
from campus_app.ordering.screens.browser_storage import CheckoutDraft
from campus_app.ordering.screens.cart_state import cart_kept_message, current_cart
from campus_app.ordering.screens.checkout_state import (
    checkout_draft,
    current_quote,
    missing_step,
    quote_as_shown,
    store_draft,
)
from campus_app.ordering.screens.reservation_state import extend_ordered_table, ordered_table
from campus_app.ordering.services.ordering import Quote
from campus_app.shared.rules import routes
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.constants import WAITING_ROOM_SECONDS
from campus_app.shared.rules.errors import Conflict
from campus_app.shared.rules.messages import CustomerMessage
from campus_app.shared.translations import t
from campus_app.shell.banner_state import hide_banner, show_banner

AGAIN = "again"
"""The value of the button that submits the form of a failed payment again."""
IS_REMEMBERED = "isRemembered"
"""The hidden field of a form that is submitted as this browser remembers it (`CHECKED`) from an
order, before which the visitor has checked the details; else the value of the pressed button."""
NEXT_BUTTON = "next-button"
"""The id of the button NEXT."""

_MAXIMUM_CHARACTERS = 400
"""Of a text that is stored; longer than each contact detail may be, so that it is still refused."""
_TABLE_FIELDS = tuple(name for name in FIELDS if name != ADDRESS)
"""The fields of an order that is not delivered."""
_NO_ERRORS: dict[str, str] = dict.fromkeys(FIELDS, "")
_EMPTY: dict[str, str] = {
    **dict.fromkeys((*FIELDS, *INSTRUCTION_FIELDS), ""),
    PHONE: f"{PHONE_PREFIX} ",
}


class CustomerState(rx.State):
    """The values of the form, their errors, and the details that the visitor must confirm."""

    values: dict[str, str] = _EMPTY
    errors: dict[str, str] = _NO_ERRORS
    confirmed_name: str = ""
    confirmed_email: str = ""
    confirmed_phone: str = ""
    confirmed_address: str = ""
    confirmed_campus: str = ""
    """The name of the campus to which the order is delivered; empty for a table."""
    likely_email: str = ""
    """A probable correction of the e-mail address."""
    mistyped_email: str = ""
    """The typed address that the visitor has replaced by `likely_email`."""
    alert: str = ""
    payment_error: str = ""
    _failed_cart: str = ""
    """The key of the cart whose payment failed, with `payment_error`."""
    is_accepted: bool = False
    """Whether the last submitted form led to the waiting room."""
    restaurant: str = ""
    cart_key: str = ""
    """The key of the cart that is ordered: the note for the kitchen belongs to it."""
    campus: str = ""
    """The id of the campus of the order: the address belongs to it."""
    bill: dict[str, str] = {}
    _confirmed: dict[str, str] = {}
    _accepted: dict[str, str] = {}
    """The details with which the visitor last went to the waiting room."""

    @rx.event
    async def open(self):
        """Fill in the stored details, or show the missing step, when the screen opens."""
        quote = await quote_as_shown(self)
        if not isinstance(quote, Quote):
            return quote
        draft = await checkout_draft(self)
        self.restaurant = quote.restaurant.name
        self.campus = quote.campus.value
        self.bill = bill_texts(quote.bill)
        self.values = {**_EMPTY, **{name: draft.details.get(name, "") for name in FIELDS}}
        self.cart_key = await self._cart_key()
        if self.payment_error and self._failed_cart != self.cart_key:
            self.payment_error = ""
        asked = draft.instructions(self.cart_key)
        self.values |= {
            KITCHEN_NOTE: asked.note,
            DOOR_NOTE: asked.door_note,
            NO_CUTLERY: CHECKED if asked.no_cutlery else "",
        }
        self.values[PHONE] = self.values[PHONE] or _EMPTY[PHONE]
        self.errors = dict(_NO_ERRORS)
        self.alert = ""
        # A reconnect opens the screen again: the details to confirm stay shown.
        if any(draft.details.get(name) != value for name, value in self._confirmed.items()):
            self._discard_confirmation()
        return None

    @rx.event
    def edit(self, name: str):
        """Clear the error of an edited field, and ask to confirm the details again."""
        if name in FIELDS:
            self.errors[name] = ""
            self.alert = ""
            self._discard_confirmation()

    @rx.event
    async def store_value(self, name: str, value: str, cart_key: str = ""):
        """Store the value of a field that lost the focus, so that a reload does not lose it.

        A note for the kitchen is about the cart with `cart_key`; a late one of another is ignored.
        """
        if not isinstance(name, str) or not isinstance(value, str):
            return
        current = await self._cart_key()
        if name != KITCHEN_NOTE or cart_key == current:
            draft = await checkout_draft(self)
            value = value[:_MAXIMUM_CHARACTERS]
            await store_draft(self, _with_value(draft, name, value, current))

    @rx.event
    async def next(self, form: dict[str, Any]):
        """Validate the details and show them; if they were confirmed, go to the waiting room."""
        self.is_accepted = False
        is_delivered = not await self._is_for_a_table()
        typed = _typed(form, FIELDS if is_delivered else _TABLE_FIELDS)
        draft = await checkout_draft(self)
        cart_key = await self._cart_key()
        for name, value in (typed | _instructions(form, is_delivered=is_delivered)).items():
            draft = _with_value(draft, name, value, cart_key)
        await store_draft(self, draft)
        if errors := customer_errors(typed, is_delivered=is_delivered):
            self.errors = {**_NO_ERRORS, **{name: t(why) for name, why in errors.items()}}
            self.alert = "" if all(typed.values()) else t(CustomerMessage.DETAILS_MISSING)
            self._discard_confirmation()
            return rx.set_focus(next(iter(errors)))
        campus = await selected_campus(self)
        mark = _typed(form, [IS_REMEMBERED])[IS_REMEMBERED]
        is_known = mark == CHECKED
        has_failed = self.payment_error != "" and self._failed_cart == cart_key
        is_again = mark == AGAIN and has_failed and self._accepted == typed
        is_checked = (is_known or is_again) and campus is not None and campus == self.campus
        if self._confirmed != typed and not is_checked:
            self._confirm(typed, campus if is_delivered else None)
            return None
        self._accepted = typed
        return await self._to_waiting_room(draft)

    @rx.event
    async def forget_details(self):
        """Forget what was typed: the browser has forgotten or changed what it remembers."""
        self.values = dict(_EMPTY)
        self._accepted = {}
        self._discard_confirmation()
        await store_draft(self, replace(await checkout_draft(self), details={}))

    @rx.event
    async def correct_email(self):
        """Replace the e-mail address by the suggested one, and show the details with it."""
        if not self.likely_email:
            return None
        mistyped, likely = self._confirmed[EMAIL], self.likely_email
        draft = _with_value(await checkout_draft(self), EMAIL, likely, await self._cart_key())
        await store_draft(self, draft)
        campus = None if await self._is_for_a_table() else await selected_campus(self)
        self._confirm(self._confirmed | {EMAIL: likely}, campus)
        self.values[EMAIL], self.mistyped_email = likely, mistyped
        return rx.set_focus(NEXT_BUTTON)  # the button that was pressed is gone

    async def _cart_key(self) -> str:
        cart = await current_cart(self)
        return cart.key if cart else ""

    async def _is_for_a_table(self) -> bool:
        cart = await current_cart(self)
        return cart is not None and await ordered_table(self, cart.restaurant_id) is not None

    async def _to_waiting_room(self, draft: CheckoutDraft):
        quote = await current_quote(self)
        if quote is None:
            return await missing_step(self)
        services = wiring.services()
        try:
            services.ordering.require_open(quote.restaurant)
        except Conflict as closed:
            await show_banner(self, closed.message, *await cart_kept_message(self))
            return None
        await extend_ordered_table(self, quote.restaurant.id)
        until = services.clock.now().timestamp() + WAITING_ROOM_SECONDS
        await store_draft(self, replace(draft, pay_until=until))
        self.payment_error, self.is_accepted = "", True
        self._discard_confirmation()
        await hide_banner(self)
        return rx.redirect(routes.WAITING_ROOM)

    def _confirm(self, typed: dict[str, str], campus: Campus | None) -> None:
        """Show the details to confirm; an order for a table has no campus."""
        customer = parse_customer(typed, is_delivered=ADDRESS in typed)
        self._confirmed = typed
        self.errors = dict(_NO_ERRORS)
        self.alert = ""
        self.confirmed_name, self.confirmed_address = customer.full_name, customer.address
        self.confirmed_campus = t(campus.place_name) if campus else ""
        self.confirmed_email = customer.email
        self.confirmed_phone = format_phone(customer.phone)
        self.likely_email, self.mistyped_email = suggest_email(customer.email), ""

    def _discard_confirmation(self) -> None:
        self._confirmed = {}
        self.confirmed_name = self.confirmed_email = self.confirmed_phone = ""
        self.confirmed_address = self.confirmed_campus = ""
        self.likely_email = self.mistyped_email = ""


def _typed(form: object, names: Sequence[str]) -> dict[str, str]:
    values: Mapping[Any, Any] = form if isinstance(form, Mapping) else {}
    return {
        name: value[:_MAXIMUM_CHARACTERS] if isinstance(value := values.get(name), str) else ""
        for name in names
    }


def _instructions(form: object, *, is_delivered: bool) -> dict[str, str]:
    """Return the special instructions of a form; a browser leaves out a box that is not ticked."""
    return _typed(form, INSTRUCTION_FIELDS if is_delivered else (KITCHEN_NOTE,))


def _with_value(draft: CheckoutDraft, name: str, value: str, cart_key: str) -> CheckoutDraft:
    if name in FIELDS:
        return replace(draft, details={**draft.details, name: value})
    if name == KITCHEN_NOTE:
        return replace(draft, note=value, note_cart=cart_key)
    if name == DOOR_NOTE:
        return replace(draft, door_note=value)
    return replace(draft, no_cutlery=value == CHECKED) if name == NO_CUTLERY else draft


async def report_payment_failure(state: rx.State, reason: str) -> None:
    """Show on the contact screen of the current cart why the payment failed."""
    cart, shown = await current_cart(state), await state.get_state(CustomerState)
    shown.payment_error, shown._failed_cart = t(reason), cart.key if cart else ""  # noqa: SLF001 - public variables are sent to the browser


async def clear_choices(state: rx.State) -> None:
    """Clear what the visitor chose for an order that is paid; what is about their door stays."""
    draft = await checkout_draft(state)
    kept = CheckoutDraft(
        draft.details, draft.address_campus, door_note=draft.door_note, no_cutlery=draft.no_cutlery
    )
    await store_draft(state, kept)
    shown = await state.get_state(CustomerState)
    if shown.payment_error:
        shown.payment_error = ""
