"""What the desk's page of offers shows, as the browser gets it: all texts are ready."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypedDict

from campus_app.operators.screens.desk_menu_view import (
    DifferenceGroup,
    DifferenceLine,
    VersionRow,
)
from campus_app.operators.screens.desk_words import ListEnd, at
from campus_app.ordering.rules.offer_list import WEEKDAYS, offer_json
from campus_app.ordering.rules.offer_version import OfferVersion, offer_difference
from campus_app.ordering.rules.offers import Offer
from campus_app.ordering.screens import offer_texts
from campus_app.shared.rules.money import format_rupees
from campus_app.shared.translations import t

NEW_OFFER: Final[Mapping[str, Any]] = {
    "title": "",
    "restaurantId": "",
    "benefit": "percent",
    "percent": "10",
    "from": "00:00",
    "until": "00:00",
    "firstDay": "",
    "lastDay": "",
    "minimum": "",
}
"""What the form of a further offer begins with."""


class OfferRow(TypedDict):
    """An offer of the list; `mark` says what publishing the list would do with it."""

    id: str
    title: str
    restaurant: str
    gives: str
    holds: str
    minimum: str
    mark: str


class OffersView(TypedDict, total=False):
    """The list as a whole; `base` is the version that it was edited on."""

    base: int
    version: str
    at: str
    by: str
    history: list[VersionRow]
    historyEnd: ListEnd
    canUndo: bool
    canAdd: bool
    isChanged: bool
    isOutdated: bool


class OfferForm(TypedDict, total=False):
    """The offer that is edited; `faults` are by the members, `days` the chosen weekdays."""

    key: str
    id: str
    values: dict[str, str]
    days: dict[str, bool]
    faults: dict[str, str]


def offer_form(id_: str, offer: Offer | None, key: str) -> OfferForm:
    """Return the form of an offer, or of a further one; `key` differs for each that is opened."""
    members = offer_json(offer) if offer else {**NEW_OFFER, "weekdays": []}
    days = members.pop("weekdays")
    values = {name: str(value) for name, value in members.items()}
    values["minimum"] = values["minimum"].removeprefix("0")
    values["percent"] = values["percent"].removeprefix("0") or str(NEW_OFFER["percent"])
    return OfferForm(
        key=key, id=id_, values=values, days={day: day in days for day in WEEKDAYS}, faults={}
    )


def offer_rows(
    offers: Sequence[Offer], published: Sequence[Offer], names: Mapping[int, str]
) -> list[OfferRow]:
    """Return the offers of a list; `names` are those of the restaurants, by id."""
    former = {offer.id: offer for offer in published}
    return [
        OfferRow(
            id=offer.id,
            mark="" if offer == former.get(offer.id) else _mark(offer, former),
            **_facts(offer, names),
        )
        for offer in offers
    ]


def offer_groups(
    before: Sequence[Offer], after: Sequence[Offer], names: Mapping[int, str]
) -> list[DifferenceGroup]:
    """Return what differs between two lists of offers, a group for each kind."""
    found = offer_difference(before, after)
    changed = [
        DifferenceLine(name=old.title, what=_changes(_facts(old, names), _facts(new, names)))
        for old, new in found.changed
    ]
    groups = (
        (t("New"), [_line(offer, names) for offer in found.new]),
        (t("Gone"), [_line(offer, names) for offer in found.gone]),
        (t("Changed"), changed),
    )
    return [
        DifferenceGroup(title=title, count=len(lines), lines=lines)
        for title, lines in groups
        if lines
    ]


def version_rows(versions: Sequence[OfferVersion], now: datetime) -> list[VersionRow]:
    """Return the latest versions, for the history."""
    return [
        VersionRow(
            key=str(each.number),
            at=at(each.at, now),
            what=t("Version {number}", number=each.number),
            by=each.author,
            note=each.note,
        )
        for each in versions
    ]


def _mark(offer: Offer, former: Mapping[str, Offer]) -> str:
    return t("changed") if offer.id in former else t("new")


def _facts(offer: Offer, names: Mapping[int, str]) -> dict[str, str]:
    return {
        "title": offer.title,
        "restaurant": names.get(offer.restaurant_id, str(offer.restaurant_id)),
        "gives": offer_texts.gift(offer),
        "holds": offer_texts.timing(offer),
        "minimum": format_rupees(offer.minimum) if offer.minimum else "–",
    }


def _line(offer: Offer, names: Mapping[int, str]) -> DifferenceLine:
    facts = _facts(offer, names)
    return DifferenceLine(
        name=offer.title, what=f"{facts['restaurant']} · {facts['gives']} · {facts['holds']}"
    )


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    pairs = [(before[name], after[name]) for name in before]
    return " · ".join(f"{old} → {new}" for old, new in pairs if old != new)
