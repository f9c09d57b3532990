"""What a customer may choose when the kitchen can't cook a dish of a paid order.

Source: specification 10.67.
"""

import logging
from typing import Final, TypedDict

import reflex as rx

from campus_app.catalogue.rules.menu import is_dish_id
from campus_app.ordering import wiring
from campus_app.ordering.rules.shortage import ShortageAnswer, ShortageReason
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.ordering.screens.receipt_state import ReceiptState, show_receipt
from campus_app.ordering.services.shortages import OpenChoice
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from campus_app.shared.rules.messages import OrderMessage, ShortageMessage
from campus_app.shared.rules.money import ZERO, format_rupees
from campus_app.shared.translations import t
from campus_app.shell.banner_state import show_banner
from kit.text import gettext_noop, isolate

logger = logging.getLogger(__name__)

_ANSWERS: Final = tuple(ShortageAnswer)
_REASONS: Final = {
    ShortageReason.NO_GAS: gettext_noop("The kitchen has no gas."),
    ShortageReason.DISH_GONE: gettext_noop("It is gone."),
    ShortageReason.CLOSING: gettext_noop("The kitchen closes early."),
    ShortageReason.OTHER: "",
}
_LESS_AT_THE_DOOR = gettext_noop("You pay {amount} less upon delivery.")
_LESS_THERE = gettext_noop("You pay {amount} less at the restaurant.")


class DishInstead(TypedDict):
    """A dish that the customer may choose instead."""

    id: str
    name: str


class ShownChoice(TypedDict):
    """A dish that can't be cooked, as text; `less` is empty if the rest can't be kept."""

    dish_id: str
    dish: str
    reason: str
    until: str
    price: str
    instead: list[DishInstead]
    less: str
    whole: str


class ShortageState(rx.State):
    """The open choices of the order on the receipt."""

    choices: list[ShownChoice] = []

    @rx.event
    async def show(self):
        """Show what can be chosen now for the order on the receipt."""
        await self._show()

    @rx.event
    async def choose(self, dish_id: str, answer: str, instead: str = ""):
        """Choose what becomes of a dish; what is not among the choices has no effect."""
        stored = await self._stored()
        are_dishes = _is_dish(dish_id) and (instead == "" or _is_dish(instead))
        if stored is None or answer not in _ANSWERS or not are_dishes:
            return
        try:
            counts = await wiring.services().shortages.choose(
                stored.order.id, dish_id, ShortageAnswer(answer), instead
            )
        except Exception:
            logger.exception("shortages: the choice could not be stored")
            await show_banner(self, OrderMessage.FAILED)
            return
        await show_banner(self, ShortageMessage.STORED if counts else ShortageMessage.TOO_LATE)
        await self._show()

    async def _show(self) -> None:
        stored = await self._stored()
        if stored is None:
            self.choices = []
            return
        await show_receipt(self, stored)
        found = await wiring.services().shortages.choices(stored.order)
        self.choices = [_shown(each, stored) for each in found]

    async def _stored(self) -> StoredOrder | None:
        """Return the order on the receipt, which the visitor has the secret token of."""
        receipt = await self.get_state(ReceiptState)
        token = receipt._token  # noqa: SLF001 - public variables are sent to the browser
        return await wiring.services().lookup.by_token(token)


def _is_dish(value: object) -> bool:
    """Whether a value from the browser has the format of a dish's id."""
    return isinstance(value, str) and is_dish_id(value)


def _shown(choice: OpenChoice, stored: StoredOrder) -> ShownChoice:
    order, until = stored.order, choice.shortage.answer_by.astimezone(CAMPUS_TIME_ZONE)
    paid = stored.payment.paid
    return ShownChoice(
        dish_id=choice.line.dish_id,
        dish=f"{choice.line.quantity}×\N{NO-BREAK SPACE}{isolate(choice.line.name)}",
        reason=t(_REASONS[choice.shortage.reason]),
        until=f"{until:%H:%M}",
        price=format_rupees(choice.line.price),
        instead=[DishInstead(id=dish.id, name=isolate(dish.name)) for dish in choice.instead],
        less=_less(choice, has_table=order.reservation is not None),
        whole="" if paid is None else format_rupees(paid),
    )


def _less(choice: OpenChoice, *, has_table: bool) -> str:
    """Return what the customer does not pay, or gets back, without the dish."""
    if choice.reduction is None:
        return ""
    refund, bill = choice.reduction.refund, choice.reduction.bill
    at_the_door = choice.bill.remaining - bill.remaining
    sentences = (
        (
            at_the_door,
            t(_LESS_THERE if has_table else _LESS_AT_THE_DOOR, amount=format_rupees(at_the_door)),
        ),
        (
            refund,
            t("{amount} goes back to the account it was paid from.", amount=format_rupees(refund)),
        ),
    )
    return " ".join(text for amount, text in sentences if amount > ZERO)
