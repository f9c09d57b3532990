"""Table reservations, and whether the cart is ordered for the reserved table."""

from datetime import date

import reflex as rx

from campus_app.catalogue.rules.restaurant import Restaurant, RestaurantState
from campus_app.catalogue.screens.campus_state import selected_campus
from campus_app.ordering import wiring
from campus_app.ordering.rules.reservation import (
    PreReservation,
    SeatHold,
    next_slot_change,
    parse_slot,
)
from campus_app.ordering.screens.browser_storage import reservation_from, reservation_text
from campus_app.ordering.services.order_requests import ReservationRequest
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE, MAXIMUM_PARTY, MINIMUM_PARTY
from campus_app.shared.rules.errors import Conflict, OrderingError
from campus_app.shared.rules.messages import OrderMessage, ReservationMessage
from campus_app.shared.translations import t
from campus_app.shell.banner_state import hide_banner, ms_until, show_banner, show_change_banner
from kit.rate_limit import rate_limit_key
from kit.translations import date_words

_DEFAULT_PARTY = 2


class ReservationState(rx.State):
    """The slots, the visitor's choice, and the table that is held."""

    stored: str = rx.LocalStorage("", name="preReservation", sync=True)
    day: str = ""
    is_today: bool = True
    seats: dict[str, int] = {}
    """The seats left in each slot that can be booked."""
    slot: str = ""
    slot_version: int = 0
    """Counts the changes of `slot` by the server. As the key of the radio buttons it makes React
    build them again: `slot` is only their default."""
    party_size: int = _DEFAULT_PARTY
    alert: str = ""
    is_reserving: bool = False
    refresh_ms: int = 0
    """Until the next slot or day begins; then the page calls `refresh`."""
    table: str = ""
    """The held table as text; empty without one."""
    held_until: str = ""
    """When the hold expires, as text."""
    held_ms: int = 0
    """Until no food can be ordered for the table: its hold expires, or its slot begins."""
    is_ordering: bool = False
    """Whether the cart is ordered for the table."""
    _date: str = ""
    """The day of `seats`, 2026-11-18; `day` is its text."""
    _hold_id: str = ""
    """The last hold of this session: another one replaces it, whatever the browser has stored."""

    @rx.event
    async def open(self):
        """Show the slots and the held table when the screen opens."""
        self.is_reserving = False
        self.alert = ""
        hold = await self._active_hold()
        if hold is not None and not self.slot:
            self.slot = f"{hold.reservation.slot:%H:%M}"
            self.party_size = hold.reservation.party_size
        self._show_table(hold, is_ordering=self.is_ordering)
        await self._show_slots(hold)
        self.slot_version += 1

    @rx.event
    async def refresh(self):
        """Update the slots when a slot or another day begins."""
        if not self.is_reserving:
            await self._show_slots(await self._active_hold())

    @rx.event
    def choose(self, slot: str):
        """Choose a time."""
        if isinstance(slot, str) and parse_slot(slot) is not None:
            self.slot = slot
            self.alert = ""

    @rx.event
    def more_guests(self):
        """Add a guest."""
        self.party_size = min(self.party_size + 1, MAXIMUM_PARTY)

    @rx.event
    def fewer_guests(self):
        """Remove a guest."""
        self.party_size = max(self.party_size - 1, MINIMUM_PARTY)

    @rx.event
    async def reserve(self):
        """Hold the seats; the browser calls `go_to_menu` after a moment."""
        services = wiring.services()
        restaurant = services.reservations.restaurant()
        if self.is_reserving or restaurant is None:
            return
        if not self.slot or not self._date:
            self.alert = t(ReservationMessage.SLOT_REQUIRED)
            return
        try:
            hold = await services.reservations.hold(
                self._request(restaurant),
                replaces=(self._hold_id,),
                client=rate_limit_key(self.router.session.client_ip),
            )
        except OrderingError as error:
            await self._show_slots(await self._active_hold())
            self.alert = t(error.message)
            return
        self.alert = ""
        self.is_reserving = True
        self._hold_id = hold.id
        self._store(hold, restaurant, is_ordering=True)
        await hide_banner(self)

    @rx.event
    def go_to_menu(self):
        """Redirect to the menu, to order for the held table."""
        restaurant = wiring.services().reservations.restaurant()
        if not self.is_reserving or restaurant is None:
            return None
        self.is_reserving = False
        return rx.redirect(routes.reserved_menu(restaurant.id))

    @rx.event
    async def order_for_table(self):
        """Redirect to the menu with the table that is already held."""
        hold = await self._active_hold()
        if hold is None:
            await show_banner(self, ReservationMessage.HOLD_ENDED)
            return ReservationState.open
        return rx.redirect(routes.reserved_menu(hold.reservation.restaurant_id))

    @rx.event
    async def cancel(self):
        """Release the held table, and redirect to the restaurants."""
        if await self._active_hold() is not None:
            await show_banner(self, ReservationMessage.CANCELLED, next_screen=True)
        stored = reservation_from(self.stored)
        if stored is not None:
            await wiring.services().reservations.release(stored.reservation_id)
        self._clear()
        self.slot, self.is_reserving = "", False
        return rx.redirect(routes.restaurants(await selected_campus(self)))

    def _request(self, restaurant: Restaurant) -> ReservationRequest:
        stored = reservation_from(self.stored)
        return ReservationRequest(
            restaurant.id,
            self.slot,
            self.party_size,
            date.fromisoformat(self._date),
            stored.reservation_id if stored else "",
        )

    async def _active_hold(self) -> SeatHold | None:
        """Return this browser's hold, if food can be ordered for it now."""
        stored = reservation_from(self.stored)
        if stored is None:
            return None
        return await wiring.services().reservations.find_active(stored.reservation_id)

    async def _show_slots(self, own: SeatHold | None) -> None:
        """Show the slots; the visitor's own seats count as free."""
        services = wiring.services()
        restaurant = services.reservations.restaurant()
        if restaurant is None:
            return
        day = await services.reservations.day(restaurant)
        seats = {f"{slot:%H:%M}": left for slot, left in day.seats_left.items()}
        own_slot = f"{own.reservation.slot:%H:%M}" if own else ""
        if own is not None and own.reservation.date == day.date and own_slot in seats:
            seats[own_slot] += own.reservation.party_size
        self.seats = seats
        self.day = date_words(day.date, "EEEE d MMMM")
        self.is_today = day.is_today
        self._date = day.date.isoformat()
        if self.slot and self.slot not in seats:
            self.slot, self.alert = "", t(OrderMessage.SLOT_UNAVAILABLE)
            self.slot_version += 1
        now = services.clock.now()
        self.refresh_ms = ms_until(next_slot_change(now), now)
        self.alert = self._closed_message(restaurant) or self.alert

    def _closed_message(self, restaurant: Restaurant) -> str:
        services = wiring.services()
        if services.statuses.state_of(restaurant) is RestaurantState.CLOSED:
            opens = f"{restaurant.hours.next_opening(services.clock.now()):%H:%M}"
            return t(ReservationMessage.CLOSED, name=restaurant.name, opens=opens)
        try:
            services.ordering.require_open(restaurant)
        except Conflict as unavailable:
            return t(unavailable.message)
        return ""

    def _store(self, hold: SeatHold, restaurant: Restaurant, *, is_ordering: bool) -> None:
        now = wiring.services().clock.now()
        self.stored = reservation_text(hold, restaurant.name, now, is_ordering=is_ordering)
        self._show_table(hold, is_ordering=is_ordering)

    def _clear(self) -> None:
        self.stored = ""
        self._show_table(None, is_ordering=False)

    def _show_table(self, hold: SeatHold | None, *, is_ordering: bool) -> None:
        self.is_ordering = hold is not None and is_ordering
        self.table = table_words(hold.reservation) if hold else ""
        self.held_until = f"{hold.expires_at.astimezone(CAMPUS_TIME_ZONE):%H:%M}" if hold else ""
        now = wiring.services().clock.now()
        ends = min(hold.expires_at, hold.reservation.begins_at) if hold else now
        self.held_ms = ms_until(ends, now) if hold else 0

    async def _enter_menu(self, restaurant_id: int, *, is_for_table: bool) -> SeatHold | None:
        """See `enter_menu`."""
        stored, hold = reservation_from(self.stored), await self._active_hold()
        if stored is not None and hold is None:
            self._clear()
            if is_for_table or stored.is_ordering:
                await show_banner(self, ReservationMessage.HOLD_ENDED)
            return None
        restaurant = wiring.services().catalogue.restaurant(restaurant_id)
        if hold is None or restaurant is None or hold.reservation.restaurant_id != restaurant_id:
            # The table stays stored, and held at its own restaurant.
            self._show_table(None, is_ordering=False)
            if is_for_table:
                await show_change_banner(self, ReservationMessage.NOT_HELD)
            return None
        if stored is not None and stored.is_ordering != is_for_table:
            self._store(hold, restaurant, is_ordering=is_for_table)
        self._show_table(hold, is_ordering=is_for_table)
        return hold if is_for_table else None

    async def _ordered(self, restaurant_id: int) -> SeatHold | None:
        """See `ordered_table`."""
        stored = reservation_from(self.stored)
        if stored is None or not stored.is_ordering:
            self._show_table(None, is_ordering=False)
            return None
        hold = await self._active_hold()
        if hold is None:
            self._clear()
            await show_banner(self, ReservationMessage.HOLD_ENDED)
            return None
        is_here = hold.reservation.restaurant_id == restaurant_id
        self._show_table(hold if is_here else None, is_ordering=is_here)
        return hold if is_here else None


def table_words(table: PreReservation) -> str:
    """Return a table as text: `table for 4 at 13:30, Wed 18 Nov`."""
    return t(
        "table for {guests} at {time}, {day}",
        guests=table.party_size,
        time=f"{table.slot:%H:%M}",
        day=date_words(table.date, "EEE d MMM"),
    )


def table_request(hold: SeatHold) -> ReservationRequest:
    """Return the reservation of an order for a held table."""
    table = hold.reservation
    return ReservationRequest(
        table.restaurant_id, f"{table.slot:%H:%M}", table.party_size, table.date, hold.id
    )


async def enter_menu(state: rx.State, restaurant_id: int, *, is_for_table: bool) -> bool:
    """Update the table when a menu opens; return whether dishes are ordered for it."""
    reservation = await state.get_state(ReservationState)
    hold = await reservation._enter_menu(restaurant_id, is_for_table=is_for_table)  # noqa: SLF001 - public methods are event handlers
    return hold is not None


async def ordered_table(state: rx.State, restaurant_id: int) -> SeatHold | None:
    """Return the hold that a restaurant's dishes are ordered for.

    An expired hold is cleared, and a banner shown.
    """
    reservation = await state.get_state(ReservationState)
    return await reservation._ordered(restaurant_id)  # noqa: SLF001 - public methods are event handlers


async def extend_ordered_table(state: rx.State, restaurant_id: int) -> None:
    """Hold the ordered table for the time to pay, when the contact details are known."""
    hold = await ordered_table(state, restaurant_id)
    if hold is not None:
        await wiring.services().reservations.extend(hold.id)


async def clear_ordered_table(state: rx.State, order_id: str) -> None:
    """Clear the table if a paid order was for it."""
    reservation = await state.get_state(ReservationState)
    stored = reservation_from(reservation.stored)
    if stored is None:
        return
    if await wiring.services().reservations.is_of_order(stored.reservation_id, order_id):
        reservation._clear()  # noqa: SLF001 - public methods are event handlers


async def clear_table(state: rx.State) -> None:
    """Clear the table, whose seats are taken or whose time has passed."""
    (await state.get_state(ReservationState))._clear()  # noqa: SLF001 - public methods are event handlers
