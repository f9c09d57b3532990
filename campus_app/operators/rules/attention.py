"""What needs somebody: the first lines of the desk, each with what to do.

Source: specification 11.5.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from campus_app.operators.rules.desk import DeskArea
from campus_app.shared.rules.money import Rupees

_ADDRESS: Final = re.compile(r"[^\s<>@]+@[^\s<>@]+")


class AttentionKind(StrEnum):
    """Why somebody is needed, the most urgent first."""

    UNSEEN = "unseen"
    """A kitchen has not seen a paid order: food is late."""
    REFUND = "refund"
    """Money is to be given back."""
    REFUND_ASKED = "refund_asked"
    """The payment provider has not said that it gave the money back."""
    UNREADABLE = "unreadable"
    """The payment provider reports figures that cannot be read."""
    MENU = "menu"
    """A menu's file has faults, so dishes are missing."""
    NOTIFICATION = "notification"
    """An order's e-mail or call was given up."""
    MAIL = "mail"
    """E-mails wait for a mail server, or were given up."""
    LEAD = "lead"
    """A demo request waits for an answer."""
    MORE = "more"
    """There are more orders of a kind than lines; `name` is the filter that lists them."""


SETTLED_BY_HAND: Final = frozenset(
    {AttentionKind.UNSEEN, AttentionKind.UNREADABLE, AttentionKind.NOTIFICATION}
)
"""What a person may mark as settled; the others end when their cause does."""
MAXIMUM_NOTE_CHARACTERS: Final = 300
"""The length limit of the note on what was settled."""


@dataclass(frozen=True)
class Attention:
    """One line; what does not apply is empty.

    `subject` is the key of an order, the id of a restaurant, the topic of e-mails or the reference
    of a lead; `name` is what people call it.
    """

    kind: AttentionKind
    subject: str
    name: str
    detail: str = ""
    place: str = ""
    """The kitchen."""
    phone: str = ""
    since: datetime | None = None
    amount: Rupees | None = None
    count: int = 0


_URGENCY: Final = {kind: number for number, kind in enumerate(AttentionKind)}


def area_of(kind: AttentionKind) -> DeskArea:
    """Return the area whose people see a line."""
    return DeskArea.LEADS if kind is AttentionKind.LEAD else DeskArea.ORDERS


def by_urgency(lines: Sequence[Attention]) -> list[Attention]:
    """Return the lines, the most urgent kind first, in each the one that waits longest."""
    return sorted(
        lines, key=lambda each: (_URGENCY[each.kind], each.since is None, each.since or 0)
    )


def without_addresses(text: str) -> str:
    """Return a mail server's words without the e-mail addresses that it quotes."""
    return _ADDRESS.sub("…", text)
