"""The events of the desk's page of offers: edit the list, publish it, undo that."""

import json
from collections.abc import Mapping
from typing import Any

import reflex as rx

from campus_app.operators import wiring
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_entry import DeskEntry, actor_of, text_in
from campus_app.operators.screens.desk_menu_view import DifferenceGroup
from campus_app.operators.screens.desk_offers_view import (
    NEW_OFFER,
    OfferForm,
    OfferRow,
    OffersView,
    offer_form,
    offer_groups,
    offer_rows,
    version_rows,
)
from campus_app.operators.screens.desk_words import VERSIONS, versions_end
from campus_app.ordering.rules.offer_list import WEEKDAYS, offer_json, read_offer, read_offers
from campus_app.ordering.rules.offers import Offer
from campus_app.shared.rules.constants import MAXIMUM_OFFERS, MAXIMUM_VERSIONS
from campus_app.shared.rules.errors import Invalid, OrderingError
from campus_app.shared.rules.messages import DeskMenuMessage
from campus_app.shared.translations import t


class DeskOffers(DeskEntry, mixin=True):
    """The list of offers as it is edited; nothing of it holds before it is published."""

    offers: OffersView = {}
    offer_list: list[OfferRow] = []
    offer_changes: list[DifferenceGroup] = []
    offer_form: OfferForm = {}
    """The offer that is edited; empty without one."""
    _offers: str = "[]"
    """The list as JSON: a session may be older than a release."""
    _offers_base: int = 0
    _has_offer_draft: bool = False
    """Whether the list was changed since it was read; it then outlives its page."""
    _forms: int = 0
    _offer_versions_shown: int = VERSIONS

    @rx.event
    async def open_offers(self):
        """Show the offers that hold, or the list and the form that were edited before."""
        if await self._entered(DeskArea.MENUS) is None:
            return
        self._say()
        await wiring.services().offers.load()
        if self._has_offer_draft or self.offer_form.get("id"):
            self._show_offers()
        else:
            self._start_offers()

    @rx.event
    async def discard_offers(self):
        """Begin again with the offers that hold."""
        if await self._entered(DeskArea.MENUS) is not None:
            await wiring.services().offers.load()
            self._say()
            self._start_offers()

    @rx.event
    async def edit_offer(self, offer_id: str):
        """Open the form of an offer, or of a further one if it is empty."""
        if await self._entered(DeskArea.MENUS) is None or not isinstance(offer_id, str):
            return
        edited = self._edited()
        offer = edited.get(offer_id)
        if offer is None and (offer_id or len(edited) >= MAXIMUM_OFFERS):
            return
        self._say()
        self._forms += 1
        self.offer_form = offer_form(offer_id or _next_id(edited), offer, str(self._forms))

    @rx.event
    async def close_offer(self):
        """Close the form without a change."""
        if await self._entered(DeskArea.MENUS) is not None:
            self.offer_form = {}

    @rx.event
    async def store_offer(self, form: dict[str, Any]):
        """Take the form's offer into the list, or show its faults."""
        id_ = self.offer_form.get("id", "")
        if await self._entered(DeskArea.MENUS) is None or not id_:
            return
        value: dict[str, object] = {name: text_in(form, name) for name in NEW_OFFER}
        value |= {"id": id_, "weekdays": [day for day in WEEKDAYS if text_in(form, day)]}
        restaurants = {each.id for each in wiring.services().catalogue.restaurants()}
        try:
            offer = read_offer(value, restaurants)
        except Invalid as error:
            faults = {name: t(fault) for name, fault in error.fields.items()}
            self.offer_form = {**self.offer_form, "faults": faults}
            return
        self._say()
        self._keep(self._edited() | {offer.id: offer})
        self.offer_form = {}
        self._show_offers()

    @rx.event
    async def drop_offer(self, offer_id: str):
        """Take an offer out of the list."""
        if await self._entered(DeskArea.MENUS) is None or not isinstance(offer_id, str):
            return
        self._say()
        edited = self._edited()
        edited.pop(offer_id, None)
        self._keep(edited)
        self.offer_form = {}
        self._show_offers()

    @rx.event
    async def keep_offers(self):
        """Go on with the list on the offers that hold by now."""
        if await self._entered(DeskArea.MENUS) is None:
            return
        await wiring.services().offers.load()
        self._offers_base = wiring.services().offers.number
        self._say()
        self._show_offers()

    @rx.event
    async def publish_offers(self, form: dict[str, Any]):
        """Publish the list, with a note."""
        device = await self._entered(DeskArea.MENUS)
        if device is None or self._keeps_form():
            return
        try:
            version = await wiring.services().offers.publish(
                json.loads(self._offers),
                self._offers_base,
                note=text_in(form, "note"),
                by=actor_of(device),
            )
        except OrderingError as error:
            self._refuse_offers(error)
            return
        self._start_offers()
        self._say(done=t("Version {number} holds now.", number=version.number))

    @rx.event
    async def undo_offers(self):
        """Publish again what held before."""
        device = await self._entered(DeskArea.MENUS)
        if device is None or self._keeps_form():
            return
        is_changed = tuple(self._edited().values()) != wiring.services().offers.offers
        if self._has_offer_draft and is_changed:
            self._say(problem=t(DeskMenuMessage.UNPUBLISHED))
            return
        try:
            base = self._offers_base
            version = await wiring.services().offers.undo(base, actor_of(device))
        except OrderingError as error:
            self._refuse_offers(error)
            return
        self._start_offers()
        done = t("The former offers hold again, as version {number}.", number=version.number)
        self._say(done=done)

    @rx.event
    async def show_more_offer_versions(self):
        """Show further versions below the others."""
        if await self._entered(DeskArea.MENUS) is not None:
            shown = self._offer_versions_shown + VERSIONS
            self._offer_versions_shown = min(shown, MAXIMUM_VERSIONS)
            self._show_offers()

    def _keeps_form(self) -> bool:
        """Whether a form is open, whose content would be lost; then say so."""
        is_open = bool(self.offer_form.get("id"))
        if is_open:
            self._say(problem=t(DeskMenuMessage.OPEN_FORM))
        return is_open

    def _edited(self) -> dict[str, Offer]:
        return {offer.id: offer for offer in read_offers(json.loads(self._offers))}

    def _kept(self) -> dict[str, object]:
        """Keep a list that is not published."""
        names = ("_offers", "_offers_base", "_has_offer_draft")
        own = {name: getattr(self, name) for name in names} if self._has_offer_draft else {}
        return super()._kept() | own

    def _keep(self, offers: Mapping[str, Offer]) -> None:
        self._has_offer_draft = True
        self._offers = json.dumps([offer_json(each) for each in offers.values()])

    def _start_offers(self) -> None:
        """Begin with the offers that hold."""
        published = wiring.services().offers
        self._keep({offer.id: offer for offer in published.offers})
        self._offers_base, self._has_offer_draft = published.number, False
        self.offer_form = {}
        self._show_offers()

    def _refuse_offers(self, error: OrderingError) -> None:
        """Say why nothing was published; the list stays as it is."""
        self._show_offers()
        self._say(problem=t(error.message))

    def _show_offers(self) -> None:
        services = wiring.services()
        published, now = services.offers, services.clock.now()
        names = {each.id: each.name for each in services.catalogue.restaurants()}
        edited = list(self._edited().values())
        history = version_rows(published.history()[: self._offer_versions_shown], now)
        latest = history[0] if history else None
        self.offers = OffersView(
            base=self._offers_base,
            version=latest["what"] if latest else "",
            at=latest["at"] if latest else "",
            by=latest["by"] if latest else "",
            history=history,
            historyEnd=versions_end(len(history), published.number),
            canUndo=bool(history),
            canAdd=len(edited) < MAXIMUM_OFFERS,
            isChanged=tuple(edited) != published.offers,
            isOutdated=self._offers_base != published.number,
        )
        self.offer_list = offer_rows(edited, published.offers, names)
        self.offer_changes = offer_groups(published.offers, edited, names)


def _next_id(offers: Mapping[str, Offer]) -> str:
    """Return an id that no offer of the list has."""
    return next(
        id_ for number in range(1, MAXIMUM_OFFERS + 2) if (id_ := f"offer-{number}") not in offers
    )
