"""The order summary: the bill, the donation, the note for the kitchen."""

from dataclasses import replace
from typing import TypedDict

import reflex as rx

from campus_app import routes, wiring
from campus_app.domain import constants
from campus_app.domain.bill import Bill, charged_units
from campus_app.domain.cart import Cart
from campus_app.domain.errors import Conflict, MenuUnavailable, OrderingError
from campus_app.domain.messages import OrderMessage, gettext_noop
from campus_app.domain.money import Rupees, format_rupees
from campus_app.domain.offers import next_offer_change, offer_at
from campus_app.services.ordering import Quote
from campus_app.states.banner import ms_until, show_banner, show_change_banner
from campus_app.states.browser_storage import (
    CheckoutDraft,
    ShownSummary,
    donation_from,
    draft_from,
    draft_text,
)
from campus_app.states.campus import CampusState, selected_campus
from campus_app.states.cart import cart_kept, current_cart
from campus_app.states.offers import offer_message
from campus_app.states.reservation import ordered_table
from campus_app.translations import t
from kit.text import normalize_text

NOTE_FIELD = "note"
"""The note's name in its form, and in the tab's storage of typed values."""

CAMPUS_MISSING = gettext_noop("Please choose your campus first.")
NO_CART = gettext_noop("Your cart is empty. Choose a restaurant to begin.")
SUMMARY_FIRST = gettext_noop("Please look at your order summary first.")
MENU_AWAY = gettext_noop("The menu of your cart can't be read right now. Your cart is kept.")
DISHES_GONE = gettext_noop("Some dishes are no longer on the menu and were taken out of your cart.")
_AT_THE_TABLE = gettext_noop("Free with a reserved table")
_NO_OFFER = gettext_noop("No offer applies now")


class BillLine(TypedDict):
    """A line of the bill, as text."""

    times: str
    name: str
    total: str


class Working(TypedDict):
    """A step of how an amount is computed, as text."""

    label: str
    amount: str


class CheckoutState(rx.State):
    """The order summary; the visitor's choices are in the draft in the browser's storage."""

    draft: str = rx.SessionStorage("", name="checkoutDraft")
    restaurant: str = ""
    menu: str = ""
    """The address of the menu."""
    dishes: str = ""
    campus_id: str = ""
    campus: str = ""
    """The name of the campus of the bill."""
    lacks_campus: bool = False
    """Whether the visitor has to choose a campus before there is a bill.

    Source: specification S14.
    """
    delivered_to: str = ""
    lines: list[BillLine] = []
    bill: dict[str, str] = {}
    online_workings: list[Working] = []
    donation: str = "0.00"
    note: str = ""
    offer_ms: int = 0
    """The milliseconds until an offer of the restaurant begins or ends; 0 if it has none."""

    @rx.event
    async def open(self):
        """Show the bill, or the missing step, when the screen opens or an offer or hold ends."""
        priced = await priced_cart(self)
        if priced is None:
            return await self._missing_step()
        quote = priced[1]
        if quote.missing or quote.bill.shortfall:
            return await self._back_to_menu(quote)
        self.note = self._draft().note
        await show_change_banner(self, offer_change(quote, self._draft()))
        await self._show(quote)
        return None

    @rx.event
    async def change_campus(self, campus: str):
        """Store another campus and show the bill for it."""
        (await self.get_state(CampusState)).select(campus)
        return await self.open()

    @rx.event
    async def choose_donation(self, amount: str):
        """Set the donation and update the bill."""
        self._keep(replace(self._draft(), donation=donation_from(amount)))
        priced = await priced_cart(self)
        if priced is not None:
            await show_change_banner(self, offer_change(priced[1], self._draft()))
            await self._show(priced[1])

    @rx.event
    def keep_note(self, note: str):
        """Store the note for the kitchen."""
        if isinstance(note, str):
            self.note = normalize_text(note)[: constants.MAXIMUM_NOTE_CHARACTERS]
            self._keep(replace(self._draft(), note=self.note))

    @rx.event
    async def next(self):
        """Go on to the contact details, if the kitchen takes orders."""
        priced = await priced_cart(self)
        if priced is None:
            return await self._missing_step()
        quote = priced[1]
        if quote.missing or quote.bill.shortfall:
            return await self._back_to_menu(quote)
        if not is_as_shown(quote.bill, self._draft()):
            await show_change_banner(self, price_change(quote, self._draft()))
            await self._show(quote)
            return None
        try:
            wiring.services().ordering.require_open(quote.restaurant)
            wiring.services().ordering.require_served(quote.restaurant, quote.campus)
        except Conflict as refused:
            await show_banner(self, refused.message, *await cart_kept(self))
            return None
        await show_banner(self, "")
        return rx.redirect(routes.PERSONAL_INFO)

    async def _missing_step(self):
        """Ask for the campus here, or go to the screen of another missing step."""
        self.lacks_campus = await lacks_campus(self)
        return None if self.lacks_campus else await missing_step(self)

    async def _back_to_menu(self, quote: Quote):
        """Go to the menu, which drops dishes that are no longer sold."""
        why = DISHES_GONE if quote.missing else _shortfall(quote.bill)
        await show_change_banner(self, offer_change(quote, self._draft()) or why, next_screen=True)
        return rx.redirect(menu_of(quote), replace=True)

    def _draft(self) -> CheckoutDraft:
        return draft_from(self.draft)

    def _keep(self, draft: CheckoutDraft) -> None:
        self.draft = draft_text(draft)

    async def _show(self, quote: Quote) -> None:
        bill = quote.bill
        self.lacks_campus = False
        self.campus_id = quote.campus.value
        self.campus = t(quote.campus.place_name)
        self.restaurant = quote.restaurant.name
        self.menu = menu_of(quote)
        self.dishes = dishes_words(sum(line.quantity for line in quote.lines))
        self.delivered_to = t(_AT_THE_TABLE) if quote.is_pre_reserved else self.campus
        self.lines = [bill_line(line.quantity, line.item.name, line.total) for line in quote.lines]
        self.bill = bill_texts(bill)
        self.online_workings = _workings(quote)
        self.donation = str(bill.donation)
        now = wiring.services().clock.now()
        change = next_offer_change(quote.restaurant.id, now)
        self.offer_ms = ms_until(change, now) if change else 0
        shown = ShownSummary(
            bill.grand_total, bill.online, quote.restaurant.id, _offer_id(quote.restaurant.id)
        )
        self._keep(replace(self._draft(), shown=shown))


def bill_line(quantity: int, name: str, total: Rupees) -> BillLine:
    """Return a dish as a line of a bill."""
    return BillLine(times=f"{quantity}×", name=name, total=format_rupees(total))


def dishes_words(count: int) -> str:
    """Return a number of dishes as text."""
    return t("1 dish") if count == 1 else t("{count} dishes", count=count)


def menu_of(quote: Quote) -> str:
    """Return the address of a quote's menu."""
    menu = routes.reserved_menu if quote.is_pre_reserved else routes.menu
    return menu(quote.restaurant.id)


def bill_texts(bill: Bill) -> dict[str, str]:
    """Return every amount of a bill as text."""
    figures = {
        name: format_rupees(getattr(bill, name))
        for name in (
            "subtotal",
            "discount",
            "delivery_fee",
            "convenience_fee",
            "donation",
            "grand_total",
            "online",
            "remaining",
        )
    }
    return {**figures, "discount_name": t(bill.discount_name or _NO_OFFER)}


def _workings(quote: Quote) -> list[Working]:
    """Return the steps of the online amount."""
    bill = quote.bill
    if quote.is_pre_reserved:
        steps = [(t("Fixed for a reserved table"), bill.online)]
    elif quote.restaurant.id == constants.FLAT_CHARGE_RESTAURANT_ID:
        steps = [(t("Fixed for this kitchen"), constants.FLAT_CHARGE)]
        if bill.donation:
            extra = bill.donation - constants.FLAT_CHARGE_DONATION_ALLOWANCE
            allowance = format_rupees(constants.FLAT_CHARGE_DONATION_ALLOWANCE)
            steps.append((t("Donation, less {allowance}", allowance=allowance), extra))
    else:
        units = charged_units(quote.lines)
        label = (
            t(
                "Fixed for dishes of {amount} and more",
                amount=format_rupees(constants.LARGE_ORDER_MINIMUM),
            )
            if bill.subtotal >= constants.LARGE_ORDER_MINIMUM
            else t(
                "{charge} for each of {count} dishes of {price} and more",
                charge=format_rupees(constants.VENDOR_CHARGE_PER_UNIT),
                count=units,
                price=format_rupees(constants.CHARGED_UNIT_MINIMUM_PRICE),
            )
        )
        steps = [(label, bill.vendor_charge)] if bill.vendor_charge else []
        steps += [(t("Donation"), bill.donation)] if bill.donation else []
        steps += [(t("Convenience fee"), bill.convenience_fee)] if bill.convenience_fee else []
    return [Working(label=label, amount=format_rupees(amount)) for label, amount in steps]


def _shortfall(bill: Bill) -> str:
    return OrderMessage.BELOW_MINIMUM.of(
        shortfall=format_rupees(bill.shortfall), minimum=format_rupees(bill.minimum)
    )


async def checkout_draft(state: rx.State) -> CheckoutDraft:
    """Return the visitor's checkout draft."""
    return draft_from((await state.get_state(CheckoutState)).draft)


async def keep_draft(state: rx.State, draft: CheckoutDraft) -> None:
    """Store the visitor's checkout draft."""
    (await state.get_state(CheckoutState)).draft = draft_text(draft)


async def priced_cart(state: rx.State) -> tuple[Cart, Quote] | None:
    """Return the visitor's cart and its current quote, or None if it can't be priced.

    A cart without a campus has no price.
    """
    cart, campus = await current_cart(state), await selected_campus(state)
    if cart is None or campus is None:
        return None
    draft = await checkout_draft(state)
    table = await ordered_table(state, cart.restaurant_id)
    try:
        quote = wiring.services().ordering.quote(
            cart.restaurant_id,
            campus,
            cart.quantities,
            donation=draft.donation,
            is_pre_reserved=table is not None,
        )
    except (OrderingError, MenuUnavailable):
        return None
    return cart, quote


async def lacks_campus(state: rx.State) -> bool:
    """Whether the cart can't be priced only because no campus is chosen."""
    return await selected_campus(state) is None and await current_cart(state) is not None


async def missing_step(state: rx.State) -> rx.event.EventSpec:
    """Redirect to the summary if the campus is missing, else to the campus chooser.

    Source: specification S12, S14.
    """
    if await lacks_campus(state):
        await show_banner(state, CAMPUS_MISSING, next_screen=True)
        return rx.redirect(routes.CHECKOUT, replace=True)
    has_cart = await current_cart(state) is not None
    await show_banner(state, MENU_AWAY if has_cart else NO_CART, next_screen=True)
    return rx.redirect(routes.CAMPUS, replace=True)


async def look_again(state: rx.State, quote: Quote, draft: CheckoutDraft) -> rx.event.EventSpec:
    """Redirect to the order summary if it was not seen or has changed, and say why."""
    why = price_change(quote, draft) if draft.shown else SUMMARY_FIRST
    await show_change_banner(state, why, next_screen=True)
    return rx.redirect(routes.CHECKOUT, replace=True)


def _offer_id(restaurant_id: int) -> str:
    """Return the offer that applies at a restaurant now; empty if none does."""
    offer = offer_at(restaurant_id, wiring.services().clock.now())
    return offer.id if offer else ""


def offer_change(quote: Quote, draft: CheckoutDraft) -> str:
    """Return a message about an offer that began or ended since the summary was shown."""
    shown, offer_id = draft.shown, _offer_id(quote.restaurant.id)
    if shown is None or shown.restaurant_id != quote.restaurant.id or shown.offer_id == offer_id:
        return ""
    return offer_message(shown.offer_id, offer_id, quote.lines, quote.bill)


def price_change(quote: Quote, draft: CheckoutDraft) -> str:
    """Return a message about why the bill differs from the summary."""
    return offer_change(quote, draft) or OrderMessage.PRICE_MISMATCH


def is_as_shown(bill: Bill, draft: CheckoutDraft) -> bool:
    """Whether a bill has the amounts that the order summary showed."""
    shown = draft.shown
    return shown is not None and (bill.grand_total, bill.online) == (
        shown.grand_total,
        shown.online,
    )
