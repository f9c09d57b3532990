"""The weekly offers: whether each applies now, and when that changes."""

from collections.abc import Sequence
from datetime import datetime, time

import reflex as rx

from campus_app.ordering import wiring
from campus_app.ordering.rules.bill import CartTotals
from campus_app.ordering.rules.cart import CartLine
from campus_app.ordering.rules.offers import OFFERS, Offer, next_offer_change, offer_at
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from campus_app.shared.rules.messages import OfferMessage
from campus_app.shared.translations import t
from campus_app.shell.banner_state import ms_until
from kit.text import gettext_noop
from kit.translations import date_words

ACTIVE = gettext_noop("ACTIVE NOW, UNTIL MIDNIGHT")


class OffersState(rx.State):
    """Whether each offer applies now, by its id."""

    active: dict[str, bool] = {}
    words: dict[str, str] = {}
    refresh_ms: int = 0

    @rx.event
    def refresh(self):
        """Update the offers when the screen opens, or when an offer begins or ends."""
        now = wiring.services().clock.now()
        self.active = {offer.id: offer.is_active_at(now) for offer in OFFERS}
        self.words = {offer.id: when_words(offer, now) for offer in OFFERS}
        self.refresh_ms = ms_until(_next_change(now), now)


def when_words(offer: Offer, now: datetime) -> str:
    """Return the text that an offer applies, or when it begins."""
    if offer.is_active_at(now):
        return t(ACTIVE)
    begins = offer.next_change(now)
    days = (begins.date() - now.astimezone(CAMPUS_TIME_ZONE).date()).days
    near = {0: t("TODAY"), 1: t("TOMORROW")}
    day = near.get(days) or date_words(begins, "EEEE").upper()
    if begins.time() == time(0):
        return t("STARTS {day}", day=day)
    return t("STARTS {day} {time}", day=day, time=f"{begins:%H:%M}")


def current_offer(restaurant_id: int) -> tuple[str, int]:
    """Return the id of a restaurant's active offer, and the ms until that changes.

    The id is empty if no offer is active; the time is 0 if the restaurant has none.
    """
    now = wiring.services().clock.now()
    offer, change = offer_at(restaurant_id, now), next_offer_change(restaurant_id, now)
    return offer.id if offer else "", ms_until(change, now) if change else 0


def offer_message(
    ended_id: str, begun_id: str, lines: Sequence[CartLine], totals: CartTotals
) -> str:
    """Return a message about the offer that ended or began; empty if the price is the same."""
    for offer in OFFERS:
        if offer.id == begun_id and offer.title == totals.discount_name:
            return OfferMessage.BEGUN.of(offer=offer.title)
        if offer.id == ended_id and offer.discount(lines) > totals.discount:
            return OfferMessage.ENDED.of(offer=offer.title)
    return ""


def _next_change(now: datetime) -> datetime:
    """Return when the texts change next: with an offer, or at midnight."""
    local = now.astimezone(CAMPUS_TIME_ZONE)
    midnight = datetime.combine(local.date(), time.max, CAMPUS_TIME_ZONE)
    return min(midnight, *(offer.next_change(now) for offer in OFFERS))
