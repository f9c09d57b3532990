"""The versions of the offers that are published at the desk, and what differs between two.

Source: specification 14.5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from campus_app.ordering.rules.offers import Offer


@dataclass(frozen=True)
class OfferVersion:
    """What all offers are from a time on: number, from 1, author, time and note."""

    number: int
    at: datetime
    author: str
    note: str
    offers: tuple[Offer, ...]


@dataclass(frozen=True)
class OfferDifference:
    """What differs between two lists of offers; an offer is the same one if its id is."""

    new: Sequence[Offer]
    gone: Sequence[Offer]
    changed: Sequence[tuple[Offer, Offer]]
    """Each as before, and as after."""


def offer_difference(before: Sequence[Offer], after: Sequence[Offer]) -> OfferDifference:
    """Return what differs; the order of a list does not count."""
    old = {offer.id: offer for offer in before}
    kept = {offer.id for offer in after}
    return OfferDifference(
        new=[offer for offer in after if offer.id not in old],
        gone=[offer for offer in before if offer.id not in kept],
        changed=[
            (old[offer.id], offer) for offer in after if offer.id in old and old[offer.id] != offer
        ],
    )
