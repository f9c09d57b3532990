"""The versions of the offers: what is published at the desk, and what every process applies.

The latest version counts; before the first one the product's own offers do.
Source: specification 14.3, 14.5.
"""

import asyncio
from collections.abc import Awaitable, Callable, Container, Sequence
from datetime import datetime
from itertools import chain

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.ordering.rules.offer_list import offer_json, read_offers
from campus_app.ordering.rules.offer_version import OfferVersion, offer_difference
from campus_app.ordering.rules.offers import OFFERS, Offer
from campus_app.ordering.sql.offer_versions import SqlOfferVersions
from campus_app.shared.rules.audit import Actor, AuditAction, AuditEntry, audit_entry
from campus_app.shared.rules.constants import MAXIMUM_VERSION_NOTE_CHARACTERS
from campus_app.shared.rules.errors import Conflict, Invalid
from campus_app.shared.rules.messages import DeskMenuMessage
from kit.clock import Clock
from kit.text import gettext_noop, normalize_text

_CHANGED = gettext_noop(
    "Someone else has changed the offers meanwhile. Your list is kept: look at what it changes."
)
_SAME = gettext_noop("These are the offers that hold already.")


class OfferVersions:
    """Publishes offers; all stored versions are in memory: an order keeps the offers it had."""

    def __init__(
        self,
        catalogue: CsvCatalogue,
        store: SqlOfferVersions,
        clock: Clock,
        publish_change: Callable[[], Awaitable[None]],
    ) -> None:
        self._catalogue = catalogue
        self._store = store
        self._clock = clock
        self._publish_change = publish_change
        self._versions: list[OfferVersion] = []
        self.changed = asyncio.Event()
        """Set whenever this process applies another version than before."""

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What the offers are now."""
        return self._versions[-1].offers if self._versions else OFFERS

    @property
    def number(self) -> int:
        """The number of the latest version; 0 before the first one."""
        return self._versions[-1].number if self._versions else 0

    def history(self) -> Sequence[OfferVersion]:
        """Return the versions, the latest first."""
        return self._versions[::-1]

    def in_force_at(self, moment: datetime) -> Sequence[Offer]:
        """Return what the offers were at a time."""
        former = (each.offers for each in self.history() if each.at <= moment)
        return next(former, OFFERS)

    def by_keys(self, keys: Container[str]) -> Sequence[Offer]:
        """Return the latest offer with each key, also one that is not published any more."""
        former = chain(OFFERS, *(each.offers for each in self._versions))
        return list({offer.key: offer for offer in former if offer.key in keys}.values())

    async def load(self) -> None:
        """Apply the versions that are newer than those of this process."""
        for version in await self._store.after(self.number):
            self._apply(version)

    async def publish(self, value: object, base: int, *, note: str, by: Actor) -> OfferVersion:
        """Publish a JSON list of offers; `base` is the number of the version it was edited on.

        Raises:
            Conflict: `offers_changed` if there is a newer version, `offers_same` if nothing
                changes.
            Invalid: `offers_invalid` with the faults in `fields`, or the note is too long.
        """
        await self._require(base)
        restaurant_ids = {each.id for each in self._catalogue.restaurants()}
        offers = read_offers(value, restaurant_ids)
        if offers == self.offers:
            raise Conflict("offers_same", _SAME)
        line = normalize_text(note)
        if len(line) > MAXIMUM_VERSION_NOTE_CHARACTERS:
            raise Invalid(DeskMenuMessage.NOTE_TOO_LONG.of(most=MAXIMUM_VERSION_NOTE_CHARACTERS))
        return await self._add(offers, line, by)

    async def undo(self, base: int, by: Actor) -> OfferVersion:
        """Publish again what held before the latest version.

        Raises:
            Conflict: `offers_changed` as in `publish`; `nothing_to_undo` before the first version.
        """
        await self._require(base)
        if not self._versions:
            raise Conflict("nothing_to_undo", DeskMenuMessage.NOTHING_TO_UNDO)
        before = self._versions[-2].offers if len(self._versions) > 1 else OFFERS
        return await self._add(before, str(DeskMenuMessage.UNDONE.of(number=self.number)), by)

    async def _require(self, base: int) -> None:
        await self.load()
        if self.number != base:
            raise Conflict("offers_changed", _CHANGED)

    async def _add(self, offers: tuple[Offer, ...], note: str, by: Actor) -> OfferVersion:
        """Store the next version, apply it, and publish that it is there."""
        version = OfferVersion(self.number + 1, self._clock.now(), by.name, note, offers)
        if not await self._store.add(version, self._entry(version, by)):
            await self.load()
            raise Conflict("offers_changed", _CHANGED)
        self._apply(version)
        await self._publish_change()
        return version

    def _apply(self, version: OfferVersion) -> None:
        if version.number > self.number:  # else another task has read it meanwhile
            self._versions.append(version)
            self.changed.set()

    def _entry(self, version: OfferVersion, by: Actor) -> AuditEntry:
        found = offer_difference(self.offers, version.offers)
        changed = [after for _, after in found.changed]
        named = {"new": found.new, "gone": found.gone, "changed": changed}
        details = {
            name: "; ".join(map(_summary, offers)) for name, offers in named.items() if offers
        }
        details |= {"note": version.note} if version.note else {}
        details |= {"before": f"version {self.number}", "after": f"version {version.number}"}
        return audit_entry(version.at, by, AuditAction.PUBLISH_OFFERS, "offers", **details)


def _summary(offer: Offer) -> str:
    """Return an offer's data in one line, for the audit trail."""
    members = offer_json(offer)
    days = ",".join(members.pop("weekdays"))
    shown = [f"{name} {value}" for name, value in members.items() if value not in {"", 0}]
    return f"{', '.join(shown)}, {days}"
