"""What becomes of a paid order whose kitchen can't cook a dish. Source: specification 10.67."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.catalogue.rules.menu import Dish
from campus_app.catalogue.services.availability import Statuses
from campus_app.ordering.rules.bill import Bill
from campus_app.ordering.rules.order import Order, OrderLine, OrderState
from campus_app.ordering.rules.shortage import (
    WHOLE_ORDER,
    Reduction,
    Shortage,
    ShortageAnswer,
    ShortageReason,
    can_keep_rest,
    dishes_instead,
    has_choice,
    line_of,
    new_shortage,
    without_dish,
)
from campus_app.ordering.services.offer_versions import OfferVersions
from campus_app.ordering.services.order_log import order_extra
from campus_app.ordering.services.order_progress import OrderProgress
from campus_app.ordering.sql.shortages import Choice, SqlShortages
from campus_app.shared.rules.audit import (
    CLOCK_ACTOR,
    CUSTOMER_ACTOR,
    Actor,
    AuditAction,
    AuditEntry,
    audit_entry,
)
from campus_app.shared.rules.errors import OrderingError
from kit.clock import Clock

logger = logging.getLogger(__name__)

_OWN_ANSWERS: Final = (ShortageAnswer.DISH_BACK, ShortageAnswer.ORDER_BACK)
"""What a customer may choose besides another dish."""


@dataclass(frozen=True)
class KitchenActor:
    """The device of a kitchen that reports; `since` is when the order was paid at the earliest."""

    restaurant_id: int
    device_id: str
    actor: Actor
    since: datetime


@dataclass(frozen=True)
class OpenChoice:
    """A dish that can't be cooked, and what its customer may choose."""

    shortage: Shortage
    line: OrderLine
    instead: Sequence[Dish]
    """The dishes of the same price; empty if there is none."""
    reduction: Reduction | None
    """The order without the dish; None if nothing would be left of it."""
    bill: Bill
    """The bill of the order as it is now."""


@dataclass(frozen=True)
class Shortages:
    """Reports of kitchens, and the choices of customers; each counts once."""

    store: SqlShortages
    catalogue: CsvCatalogue
    statuses: Statuses
    progress: OrderProgress
    offers: OfferVersions
    clock: Clock

    async def report(
        self, order_id: str, dish_id: str, reason: ShortageReason, by: KitchenActor
    ) -> bool:
        """Record that a kitchen can't cook a dish of an order, or nothing of it (`WHOLE_ORDER`).

        The dish is sold out from now on.

        Returns:
            False if the kitchen has no such order that it may still cook.
        """
        now = self.clock.now()
        was_sold_out = self.statuses.is_sold_out(by.restaurant_id, dish_id)

        def shortage_of(order: Order) -> tuple[Shortage, bool] | None:
            shortage = new_shortage(order, dish_id, reason, by.device_id, now)
            if shortage is None:
                return None
            marks = dish_id != WHOLE_ORDER and not was_sold_out
            instead = self._dishes_instead(order, shortage)
            return replace(shortage, has_marked=marks), has_choice(order, shortage, instead)

        entry = self._entry(by.actor, AuditAction.REPORT_SHORTAGE, order_id, dish_id, reason=reason)
        is_known = await self.store.report(order_id, by.restaurant_id, shortage_of, entry, by.since)
        if is_known:
            await self._set_sold_out(by, dish_id, is_sold_out=True)
            await self.progress.notify()
        return is_known

    async def undo(self, order_id: str, dish_id: str, by: KitchenActor) -> bool:
        """Take a report back, unless its customer has chosen; return whether it was.

        The dish is available again if a report had marked it, and no order lacks it any more.
        """
        entry = self._entry(by.actor, AuditAction.UNDO_SHORTAGE, order_id, dish_id)
        undone = await self.store.undo(order_id, dish_id, by.restaurant_id, entry)
        if undone is None:
            return False
        if undone.has_marked:
            await self._set_sold_out(by, dish_id, is_sold_out=False)
        await self.progress.notify()
        return True

    async def tell(self, order_id: str, dish_id: str, shortage_id: str) -> None:
        """Begin the time to choose, unless the report was taken back."""
        await self.store.tell(order_id, dish_id, shortage_id, self.clock.now())
        await self.progress.notify()

    async def choices(self, order: Order) -> Sequence[OpenChoice]:
        """Return what the customer of an order may choose now."""
        if order.state is not OrderState.CONFIRMED or await self._is_handed_over(order):
            return []
        now = self.clock.now()
        offers = self.offers.in_force_at(order.created_at)
        found = await self.store.of_orders([order.id])
        return [
            OpenChoice(
                shortage,
                line,
                self._dishes_instead(order, shortage),
                without_dish(order, shortage.dish_id, offers) if can_keep_rest(order) else None,
                order.bill,
            )
            for shortage in found
            if shortage.is_open_at(now) and (line := line_of(order, shortage.dish_id))
        ]

    async def choose(
        self, order_id: str, dish_id: str, answer: ShortageAnswer, instead: str = ""
    ) -> bool:
        """Do what a customer chooses; `instead` is the id of the dish that replaces another.

        Returns:
            False if it is not among the order's choices any more.
        """

        def choice_of(order: Order, shortage: Shortage) -> Choice | None:
            if not shortage.is_open_at(self.clock.now()):
                return None
            if answer is ShortageAnswer.REPLACED:
                dishes = self._dishes_instead(order, shortage)
                dish = next((each for each in dishes if each.id == instead), None)
                return Choice(answer, dish) if dish else None
            if answer is ShortageAnswer.DISH_BACK and not can_keep_rest(order):
                return None
            return Choice(answer) if answer in _OWN_ANSWERS else None

        entry = self._entry(
            CUSTOMER_ACTOR,
            AuditAction.ANSWER_SHORTAGE,
            order_id,
            dish_id,
            answer=answer,
            instead=instead,
        )
        return await self._answer(order_id, dish_id, choice_of, entry)

    async def lapse(self, order_id: str, dish_id: str, shortage_id: str) -> None:
        """Give the whole order's money back if its customer has not chosen in time."""

        def choice_of(_order: Order, shortage: Shortage) -> Choice | None:
            is_over = shortage.id == shortage_id and shortage.answer_by <= self.clock.now()
            return Choice(ShortageAnswer.ORDER_BACK) if is_over else None

        answer = ShortageAnswer.ORDER_BACK
        entry = self._entry(
            CLOCK_ACTOR, AuditAction.ANSWER_SHORTAGE, order_id, dish_id, answer=answer
        )
        await self._answer(order_id, dish_id, choice_of, entry)

    async def _answer(
        self,
        order_id: str,
        dish_id: str,
        choice_of: Callable[[Order, Shortage], Choice | None],
        entry: AuditEntry,
    ) -> bool:
        has_changed = await self.store.answer(order_id, dish_id, choice_of, entry)
        if has_changed:
            logger.info(
                "shortages: %s of an order is answered",
                dish_id or "all",
                extra=order_extra(order_id),
            )
            await self.progress.notify()
        return has_changed

    async def _is_handed_over(self, order: Order) -> bool:
        return (await self.progress.cooking_of([order.id]))[order.id].is_handed_over

    def _dishes_instead(self, order: Order, shortage: Shortage) -> Sequence[Dish]:
        restaurant_id = order.restaurant_id
        try:
            menu = self.catalogue.menu(restaurant_id)
        except MenuUnavailable:
            return ()
        sold_out = self.statuses.sold_out(restaurant_id)
        return dishes_instead(order, shortage, menu.dishes, sold_out)

    async def _set_sold_out(self, by: KitchenActor, dish_id: str, *, is_sold_out: bool) -> None:
        if dish_id == WHOLE_ORDER:
            return
        try:
            await self.statuses.set_sold_out(
                by.restaurant_id, dish_id, is_sold_out=is_sold_out, by=by.actor
            )
        except (OrderingError, MenuUnavailable) as error:
            # The dish has left the menu since it was ordered: nobody can order it.
            logger.info("shortages: %s is not marked: %s", dish_id, type(error).__name__)

    def _entry(
        self, by: Actor, action: AuditAction, order_id: str, dish_id: str, **details: str
    ) -> AuditEntry:
        dish = dish_id or "all"
        return audit_entry(self.clock.now(), by, action, order_id, dish=dish, **details)
