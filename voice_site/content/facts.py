"""The facts that the operator has set, and their labels on the page."""

import logging
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kit.translations import language
from voice_site.adapters.fact_file import FILE, read_facts
from voice_site.content.plans import PLANS
from voice_site.domain.facts import NO_FACTS, FactName, Facts
from voice_site.settings import voice_settings
from voice_site.translations import t

logger = logging.getLogger(__name__)
_BASE, _PRO, _ENTERPRISE = PLANS


@dataclass(frozen=True)
class ShownFact:
    """A fact as the page shows it, in the current language."""

    label: str
    value: str


@cache
def published_facts() -> Facts:
    """Return the facts of this process's data folder, read once."""
    return facts_in(voice_settings().data_dir)


def facts_in(folder: Path) -> Facts:
    """Return the facts of a folder, and log each fault of its file."""
    read = read_facts(folder)
    if read is None:
        return NO_FACTS
    for fault in read.faults:
        logger.warning("%s row %s: the fact is hidden: %s", FILE, fault.row, fault)
    return read.facts


def shown(facts: Facts, *names: FactName) -> tuple[ShownFact, ...]:
    """Return those of the named facts that have a value."""
    labels = _labels()
    values = {name: facts.value(name, language()) for name in names}
    return tuple(ShownFact(labels[name], value) for name, value in values.items() if value)


def price_of_one_more(facts: Facts) -> tuple[ShownFact, ...]:
    """Return the price of an interaction beyond a plan's limit, of each plan that has one."""
    prices = [
        t("{price} with {plan}", price=price, plan=plan.name)
        for plan, name in ((_BASE, FactName.ONE_MORE_BASE), (_PRO, FactName.ONE_MORE_PRO))
        if (price := facts.value(name, language()))
    ]
    return (ShownFact(t("One more interaction"), ", ".join(prices)),) if prices else ()


def _labels() -> dict[FactName, str]:
    return {
        FactName.INTERACTION: t("What counts as an interaction"),
        FactName.GST: t("GST"),
        FactName.SET_UP: t("Set-up"),
        FactName.GO_LIVE: t("Until it answers"),
        FactName.SYSTEMS: t("Systems"),
        FactName.TELEPHONY: t("Telephone line"),
        FactName.NUMBERS: t("Phone numbers"),
        FactName.CONCURRENCY: t("Calls at the same time"),
        FactName.HOSTING: t("Where data is stored"),
        FactName.HAND_OVER: t("How the call is passed on"),
        FactName.NOTICE: t("Notice"),
    }
