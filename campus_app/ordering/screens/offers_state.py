"""The offers: what each is, whether it applies now, and when that changes."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Final, TypedDict

import reflex as rx

from campus_app.ordering import wiring
from campus_app.ordering.rules.bill import CartTotals
from campus_app.ordering.rules.cart import CartLine
from campus_app.ordering.rules.offers import Offer, next_offer_change, offers_at
from campus_app.ordering.screens import offer_texts
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from campus_app.shared.rules.messages import OfferMessage
from campus_app.shared.translations import t
from campus_app.shell.banner_state import ms_until
from kit.text import gettext_noop
from kit.translations import date_words

ACTIVE: Final = gettext_noop("ACTIVE NOW, UNTIL MIDNIGHT")
_DAY: Final = timedelta(days=1)
_WEEK: Final = 7


class OfferCard(TypedDict):
    """An offer as text, in the visitor's language."""

    id: str
    testId: str
    headingId: str
    restaurantId: int
    restaurant: str
    image: str
    opens: str
    href: str
    number: str
    day: str
    figure: str
    unit: str
    subtitle: str
    description: str
    timing: str
    label: str
    terms: list[str]


class OffersState(rx.State):
    """The published offers, and whether each applies now, by its id."""

    active: dict[str, bool] = {}
    words: dict[str, str] = {}
    refresh_ms: int = 0
    """The milliseconds until a text changes; 0 until the server has sent the offers."""
    version: int = 0
    """The number of the published version; 0 for the offers that the pages were built with."""
    cards: list[OfferCard] = []
    """The offers of the version; empty for 0."""
    titles: str = ""
    titles_ms: int = 0
    """The milliseconds until a list of restaurants asks for the titles; 0 for never."""

    @rx.event
    def refresh(self):
        """Update the offers when the screen opens, or when an offer begins, ends or is new."""
        now, published = wiring.services().clock.now(), wiring.services().offers
        offers = shown_offers(now)
        self.active = {offer.id: offer.is_active_at(now) for offer in offers}
        self.words = {offer.id: when_words(offer, now) for offer in offers}
        self.version = published.number
        self.cards = offer_cards(offers) if published.number else []
        self.refresh_ms = ms_until(_next_change(offers, now), now)

    @rx.event
    def refresh_titles(self):
        """Update the line of the offers' names when a list of restaurants opens, or they change."""
        published = wiring.services().offers
        self.version, self.titles_ms = published.number, 0
        offers = shown_offers(wiring.services().clock.now())
        self.titles = titles_of(offers) if published.number else ""


def shown_offers(now: datetime) -> Sequence[Offer]:
    """Return the offers that apply now or later."""
    offers = wiring.services().offers.offers
    return [each for each in offers if each.is_active_at(now) or each.next_change(now)]


def titles_of(offers: Sequence[Offer]) -> str:
    """Return the names of offers in one line."""
    return " ".join(t("{offer}.", offer=t(offer.title)) for offer in offers)


def offer_cards(offers: Sequence[Offer]) -> list[OfferCard]:
    """Return the offers as text; one whose restaurant does not exist is left out."""
    known = {each.id: each for each in wiring.services().catalogue.restaurants()}
    cards: list[OfferCard] = []
    for offer in offers:
        restaurant = known.get(offer.restaurant_id)
        if restaurant is None:
            continue
        figure, unit = offer_texts.figure(offer)
        timing = offer_texts.timing(offer)
        cards.append(
            OfferCard(
                id=offer.id,
                testId=f"offer-{offer.id}",
                headingId=f"offer-{offer.id}-title",
                restaurantId=restaurant.id,
                restaurant=restaurant.name,
                image=f"/images/{restaurant.image}",
                opens=f"{restaurant.hours.open:%H:%M}",
                href=routes.menu(restaurant.id),
                number=f"{restaurant.id:02}",
                day=offer_texts.day_label(offer),
                figure=figure,
                unit=unit,
                subtitle=offer_texts.subtitle(offer),
                description=offer_texts.description(offer, restaurant.name),
                timing=timing,
                label=timing.upper(),
                terms=offer_texts.terms(offer),
            )
        )
    return cards


def when_words(offer: Offer, now: datetime) -> str:
    """Return the text that an offer applies, or when it begins; empty if it never changes."""
    change = offer.next_change(now)
    if offer.is_active_at(now):
        return _until_words(change, now)
    if change is None:
        return ""
    begins, days = change, (change.date() - now.astimezone(CAMPUS_TIME_ZONE).date()).days
    near = {0: t("TODAY"), 1: t("TOMORROW")}
    pattern = "EEEE" if days < _WEEK else "d MMMM"
    day = near.get(days) or date_words(begins, pattern).upper()
    if begins.time() == time(0):
        return t("STARTS {day}", day=day)
    return t("STARTS {day} {time}", day=day, time=f"{begins:%H:%M}")


def _until_words(end: datetime | None, now: datetime) -> str:
    if end is None or end - now > _DAY:
        return t("ACTIVE NOW")
    if end.time() == time(0):
        return t(ACTIVE)
    return t("ACTIVE NOW, UNTIL {time}", time=f"{end:%H:%M}")


def has_offer(restaurant_id: int) -> bool:
    """Whether an offer of a restaurant applies now."""
    services = wiring.services()
    return bool(offers_at(restaurant_id, services.clock.now(), services.offers.offers))


def current_offer(restaurant_id: int) -> tuple[str, int]:
    """Return the keys of a restaurant's active offers, and the ms until they change.

    The text is empty if no offer is active; the time is 0 if none begins or ends.
    """
    services = wiring.services()
    now, offers = services.clock.now(), services.offers.offers
    keys = " ".join(offer.key for offer in offers_at(restaurant_id, now, offers))
    change = next_offer_change(restaurant_id, now, offers)
    return keys, ms_until(change, now) if change else 0


def offer_message(before: str, after: str, lines: Sequence[CartLine], totals: CartTotals) -> str:
    """Return a message about the offer that ended or began; empty if the price is the same.

    Args:
        before: The keys of the offers that were active, as `current_offer` returns them.
        after: The keys of those that are active now.
        lines: The lines of the cart.
        totals: The totals of the cart now.
    """
    were, are = set(before.split()), set(after.split())
    known = wiring.services().offers
    for offer in known.by_keys(are - were):
        if offer.title == totals.discount_name:
            return OfferMessage.BEGUN.of(offer=offer.title)
    for offer in known.by_keys(were - are):
        if offer.discount(lines) > totals.discount:
            return OfferMessage.ENDED.of(offer=offer.title)
    return ""


def _next_change(offers: Sequence[Offer], now: datetime) -> datetime:
    """Return when the texts change next: with an offer, or at midnight."""
    local = now.astimezone(CAMPUS_TIME_ZONE)
    midnight = datetime.combine(local.date(), time.max, CAMPUS_TIME_ZONE)
    changes = (offer.next_change(now) for offer in offers)
    return min([midnight, *(change for change in changes if change)])
