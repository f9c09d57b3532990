"""How it goes at the payment page, and what becomes of the provider's notice; by shares and seed."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from random import Random


class Fate(StrEnum):
    """What a customer does once the order is prepared."""

    PAYS = "pays"
    PAYS_AT_SECOND_TRY = "pays at the second try"
    PAYS_AND_LEAVES = "pays and closes the tab"
    DECLINED = "is declined"
    CANCELS = "cancels"
    ABANDONS = "abandons"
    PENDING_THEN_PAID = "pending, then paid"
    PENDING_THEN_LATE = "pending, paid when it is too late"
    PENDING_FOR_EVER = "leaves it pending"
    PAYS_TWICE = "pays twice"
    PAYS_SHORT = "pays too little"


SHARES = {
    Fate.PAYS: 60.0,
    Fate.PAYS_AT_SECOND_TRY: 6.0,
    Fate.PAYS_AND_LEAVES: 10.0,
    Fate.DECLINED: 5.0,
    Fate.CANCELS: 4.0,
    Fate.ABANDONS: 8.0,
    Fate.PENDING_THEN_PAID: 2.5,
    Fate.PENDING_THEN_LATE: 1.2,
    Fate.PENDING_FOR_EVER: 1.5,
    Fate.PAYS_TWICE: 1.2,
    Fate.PAYS_SHORT: 0.6,
}
"""Of a hundred, an assumption: three quarters pay, as at a counter with a queue behind it."""


class NoticeFate(StrEnum):
    """What becomes of the provider's notice of a payment."""

    PROMPT = "prompt"
    LATE = "late"
    LOST = "lost"
    DOUBLED = "doubled"


_NOTICE_SHARES = {
    NoticeFate.PROMPT: 70,
    NoticeFate.LATE: 12,
    NoticeFate.LOST: 10,
    NoticeFate.DOUBLED: 8,
}


def dealt(rng: Random, shares: Mapping[Fate, float], count: int) -> Sequence[Fate]:
    """Return so many fates by their shares, in any order; each twice at least, where there is room."""
    hundred = sum(shares.values())
    cards = [fate for fate, share in shares.items() for _ in range(int(count * share / hundred))]
    rare = [fate for fate in shares for _ in range(2 - cards.count(fate))]
    cards = [*rare, *cards][:count]
    cards += rng.choices(list(shares), list(shares.values()), k=count - len(cards))
    rng.shuffle(cards)
    return cards


def notice_fate(rng: Random) -> NoticeFate:
    """Return what becomes of a notice."""
    return rng.choices(list(_NOTICE_SHARES), list(_NOTICE_SHARES.values()))[0]
