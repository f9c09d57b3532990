"""The order summary: the bill and the donation."""

from dataclasses import replace
from hashlib import sha256

import reflex as rx

from campus_app.catalogue.rules.errors import DishesSoldOut, MenuUnavailable
from campus_app.catalogue.rules.menu import price_list
from campus_app.catalogue.screens.campus_state import CampusState, selected_campus
from campus_app.ordering import wiring
from campus_app.ordering.rules.customer import ADDRESS
from campus_app.ordering.rules.price_changes import price_changes
from campus_app.ordering.screens.bill_texts import (
    BillLine,
    Working,
    bill_line,
    bill_texts,
    dishes_text,
    price_changes_text,
    workings,
)
from campus_app.ordering.screens.browser_storage import (
    CheckoutDraft,
    ShownSummary,
    donation_from,
    draft_from,
    draft_text,
    stored_dishes,
)
from campus_app.ordering.screens.cart_state import cart_kept_message, current_cart
from campus_app.ordering.screens.group_cart import group_of_cart, group_step
from campus_app.ordering.screens.group_order_view import MemberView, group_link, member_views
from campus_app.ordering.screens.offers_state import current_offer, offer_message
from campus_app.ordering.screens.reservation_state import ordered_table
from campus_app.ordering.services.ordering import Quote
from campus_app.shared.rules import routes
from campus_app.shared.rules.errors import Conflict, OrderingError
from campus_app.shared.rules.messages import OrderMessage
from campus_app.shared.rules.money import format_rupees
from campus_app.shared.translations import t
from campus_app.shell.banner_state import hide_banner, show_banner, show_change_banner
from kit.text import gettext_noop

CAMPUS_MISSING = gettext_noop("Please choose your campus first.")
NO_CART = gettext_noop("Your cart is empty. Choose a restaurant to begin.")
SUMMARY_FIRST = gettext_noop("Please look at your order summary first.")
MENU_AWAY = gettext_noop("The menu of your cart can't be read right now. Your cart is kept.")
DISHES_GONE = gettext_noop("Some dishes are no longer on the menu and were taken out of your cart.")
_MAXIMUM_PRICES_CHARACTERS = 4_000
_AT_THE_TABLE = gettext_noop("Free with a reserved table")


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
    offer_ms: int = 0
    """The milliseconds until an offer of the restaurant begins or ends; 0 if it has none."""
    group_order: str = ""
    """The address of the cart's group order, or that of beginning one."""
    members: list[MemberView] = []
    """Who has chosen what; empty for an ordinary cart."""

    @rx.event
    async def open(self):
        """Show the bill, or the missing step, when the screen opens or an offer or hold ends."""
        quote, redirect = await self._orderable_quote()
        if quote is None:
            return redirect
        await show_change_banner(self, offer_change(quote, self._draft()))
        self._show(quote)
        await self._show_group(quote.restaurant.id)
        return None

    @rx.event
    async def change_campus(self, campus: str):
        """Store another campus and show the bill for it."""
        (await self.get_state(CampusState)).select(campus)
        return await self.open()

    @rx.event
    async def choose_donation(self, amount: str):
        """Set the donation and update the bill."""
        self._store(replace(self._draft(), donation=donation_from(amount)))
        quote = await current_quote(self)
        if quote is not None:
            await show_change_banner(self, offer_change(quote, self._draft()))
            self._show(quote)

    @rx.event
    async def next(self):
        """Go on to the contact details, if the kitchen takes orders."""
        quote, redirect = await self._orderable_quote()
        if quote is None:
            return redirect
        if not is_as_shown(quote, self._draft()):
            await show_change_banner(self, price_change(quote, self._draft()))
            self._show(quote)
            return None
        try:
            wiring.services().ordering.require_open(quote.restaurant)
            wiring.services().ordering.require_served(quote.restaurant, quote.campus)
        except Conflict as error:
            await show_banner(self, error.message, *await cart_kept_message(self))
            return None
        await hide_banner(self)
        return rx.redirect(routes.PERSONAL_INFO)

    async def _orderable_quote(self) -> tuple[Quote | None, rx.event.EventSpec | None]:
        """Return the quote; without one that can be ordered, None and a redirect.

        There is no redirect if only the campus is missing: this screen asks for it.
        """
        if redirect := await group_step(self):
            return None, redirect
        quote = await current_quote(self)
        if quote is None:
            self.lacks_campus = await lacks_campus(self)
            return None, None if self.lacks_campus else await missing_step(self)
        if not quote.missing and not quote.sold_out and not quote.bill.shortfall:
            return quote, None
        why = DISHES_GONE if quote.missing else quote.bill.shortfall_message
        if quote.sold_out:
            why = DishesSoldOut(quote.sold_out).message
        await show_change_banner(self, offer_change(quote, self._draft()) or why, next_screen=True)
        group = await group_of_cart(self)
        menu = group_link(group) if group else menu_of(quote)  # which drops unsold dishes
        return None, rx.redirect(menu, replace=True)

    async def _show_group(self, restaurant_id: int) -> None:
        """Show who has chosen what, if the cart is a group order; else the way to begin one."""
        group = await group_of_cart(self)
        self.group_order = group_link(group) if group else routes.group_order(restaurant_id)
        self.members = member_views(group, group.owner.key_hash) if group else []
        if group:
            self.menu = self.group_order

    def _draft(self) -> CheckoutDraft:
        return draft_from(self.draft)

    def _store(self, draft: CheckoutDraft) -> None:
        self.draft = draft_text(draft)

    def _show(self, quote: Quote) -> None:
        bill = quote.bill
        self.lacks_campus = False
        self.campus_id = quote.campus.value
        self.campus = t(quote.campus.place_name)
        self.restaurant = quote.restaurant.name
        self.menu = menu_of(quote)
        self.dishes = dishes_text(sum(line.quantity for line in quote.lines))
        self.delivered_to = t(_AT_THE_TABLE) if quote.is_pre_reserved else self.campus
        self.lines = [bill_line(line.quantity, line.dish.name, line.total) for line in quote.lines]
        self.bill = bill_texts(bill)
        self.online_workings = workings(quote)
        self.donation = str(bill.donation)
        offer_id, self.offer_ms = current_offer(quote.restaurant.id)
        shown = ShownSummary(
            bill.grand_total,
            bill.online,
            quote.restaurant.id,
            offer_id,
            quote.campus.value,
            _dishes_of(quote),
            _prices_of(quote),
        )
        self._store(with_shown(self._draft(), shown))


def menu_of(quote: Quote) -> str:
    """Return the address of a quote's menu."""
    menu = routes.reserved_menu if quote.is_pre_reserved else routes.menu
    return menu(quote.restaurant.id)


def with_shown(draft: CheckoutDraft, shown: ShownSummary) -> CheckoutDraft:
    """Return a draft with what the summary shows now, without the address on another campus."""
    is_other_campus = draft.address_campus not in ("", shown.campus)
    details = {**draft.details, ADDRESS: ""} if is_other_campus else draft.details
    return replace(draft, details=details, address_campus=shown.campus, shown=shown)


async def checkout_draft(state: rx.State) -> CheckoutDraft:
    """Return the visitor's checkout draft."""
    return draft_from((await state.get_state(CheckoutState)).draft)


async def store_draft(state: rx.State, draft: CheckoutDraft) -> None:
    """Store the visitor's checkout draft."""
    (await state.get_state(CheckoutState)).draft = draft_text(draft)


async def current_quote(state: rx.State) -> Quote | None:
    """Return the current quote of the visitor's cart, or None if it can't be priced.

    A cart without a campus has no price.
    """
    cart, campus = await current_cart(state), await selected_campus(state)
    if cart is None or campus is None:
        return None
    table = await ordered_table(state, cart.restaurant_id)
    try:
        return wiring.services().ordering.quote(
            cart.restaurant_id,
            campus,
            cart.quantities,
            donation=(await checkout_draft(state)).donation,
            is_pre_reserved=table is not None,
        )
    except (OrderingError, MenuUnavailable):
        return None


async def quote_as_shown(state: rx.State) -> Quote | rx.event.EventSpec:
    """Return the current quote if the order summary showed it; else the redirect to take."""
    if redirect := await group_step(state):
        return redirect
    quote = await current_quote(state)
    if quote is None:
        return await missing_step(state)
    draft = await checkout_draft(state)
    if is_as_shown(quote, draft) and not quote.sold_out:
        return quote
    why = price_change(quote, draft) if draft.shown else SUMMARY_FIRST
    await show_change_banner(state, why, next_screen=True)
    return rx.redirect(routes.CHECKOUT, replace=True)


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


def offer_change(quote: Quote, draft: CheckoutDraft) -> str:
    """Return a message about an offer that began or ended since the summary was shown."""
    shown, (offer_id, _) = draft.shown, current_offer(quote.restaurant.id)
    if shown is None or shown.restaurant_id != quote.restaurant.id or shown.offer_id == offer_id:
        return ""
    return offer_message(shown.offer_id, offer_id, quote.lines, quote.bill)


def price_change(quote: Quote, draft: CheckoutDraft) -> str:
    """Return a message about why the bill differs from the summary, by name and amount.

    Source: specification 5.16.
    """
    return (
        offer_change(quote, draft)
        or (_shown_change(quote, draft.shown) if draft.shown else "")
        or OrderMessage.PRICE_MISMATCH
    )


def _shown_change(quote: Quote, shown: ShownSummary) -> str:
    """Return a message about the cart, the prices or the campus; empty if none has changed."""
    if not shown.dishes:  # a draft of an earlier release
        return ""
    if not _shows_dishes(quote, shown):
        count = dishes_text(sum(line.quantity for line in quote.lines))
        total = format_rupees(quote.bill.grand_total)
        return OrderMessage.CART_CHANGED.of(dishes=count, total=total)
    if changes := price_changes(shown.prices, quote.lines):
        return OrderMessage.NEW_PRICES.of(dishes=price_changes_text(changes))
    if shown.campus != quote.campus.value:
        campus, fee = t(quote.campus.place_name), format_rupees(quote.bill.delivery_fee)
        return OrderMessage.CAMPUS_CHANGED.of(campus=campus, fee=fee)
    return ""


def _dishes_of(quote: Quote) -> str:
    """Return a digest of the quantities, which is short even for two hundred dishes."""
    dishes = stored_dishes({line.dish.id: line.quantity for line in quote.lines})
    return sha256(dishes.encode()).hexdigest()


def _prices_of(quote: Quote) -> str:
    """Return the prices for the draft; empty for so many dishes that the draft became too long.

    A price that changes is then said without the dish.
    """
    prices = price_list(line.dish for line in quote.lines)
    return prices if len(prices) <= _MAXIMUM_PRICES_CHARACTERS else ""


def is_as_shown(quote: Quote, draft: CheckoutDraft) -> bool:
    """Whether the order summary showed these dishes for this campus, at these amounts."""
    shown, bill = draft.shown, quote.bill
    if shown is None or not shows_order(quote, shown):
        return False
    return (bill.grand_total, bill.online) == (shown.grand_total, shown.online)


def shows_order(quote: Quote, shown: ShownSummary) -> bool:
    """Whether a summary showed these dishes for this campus, at any price."""
    return shown.campus in ("", quote.campus.value) and _shows_dishes(quote, shown)


def _shows_dishes(quote: Quote, shown: ShownSummary) -> bool:
    is_dishes = shown.dishes in ("", _dishes_of(quote))  # empty in a draft of an earlier release
    return is_dishes and shown.restaurant_id == quote.restaurant.id
