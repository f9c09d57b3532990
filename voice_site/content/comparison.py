"""The comparison, four columns by eight rows. Figures only where the specification has them."""

from dataclasses import dataclass

from kit.text import gettext_noop
from voice_site.content.plans import PLANS, format_rupees
from voice_site.domain.constants import AGENT_RUPEES, ATTRITION_PERCENT
from voice_site.translations import t

CAPTION = gettext_noop("TARA compared with call centres and other bots, in eight respects")
COLUMNS = ("TARA", gettext_noop("Call centre"), gettext_noop("Other bots"))
COMPANY_FIGURE = gettext_noop("company figure")


@dataclass(frozen=True)
class Cell:
    """The text of a cell; `of` is the object or the source of a figure."""

    text: str
    of: str = ""


@dataclass(frozen=True)
class Row:
    """One respect, and its three cells."""

    respect: str
    tara: Cell
    call_centre: Cell
    other_bots: Cell

    @property
    def cells(self) -> tuple[Cell, Cell, Cell]:
        """Return the cells in the order of `COLUMNS`."""
        return (self.tara, self.call_centre, self.other_bots)


ROWS = (
    Row(
        gettext_noop("Cost per agent per month"),
        Cell(PLANS[0].price, of=PLANS[0].name),
        Cell(format_rupees(AGENT_RUPEES), of=COMPANY_FIGURE),
        Cell(gettext_noop("Varies by vendor")),
    ),
    Row(
        gettext_noop("Attrition"),
        Cell(gettext_noop("Does not apply")),
        Cell(f"{ATTRITION_PERCENT}%", of=COMPANY_FIGURE),
        Cell(gettext_noop("Does not apply")),
    ),
    Row(
        gettext_noop("Hours"),
        Cell(gettext_noop("Day and night")),
        Cell(gettext_noop("By shift")),
        Cell(gettext_noop("Day and night")),
    ),
    Row(
        gettext_noop("Indian languages"),
        Cell(gettext_noop("Spoken as the caller speaks them")),
        Cell(gettext_noop("As the team on shift allows")),
        Cell(gettext_noop("Often English first")),
    ),
    Row(
        gettext_noop("Peaks"),
        Cell(gettext_noop("Calls answered side by side")),
        Cell(gettext_noop("Callers wait in a queue")),
        Cell(gettext_noop("Chats answered side by side")),
    ),
    Row(
        gettext_noop("Conversation"),
        Cell(gettext_noop("Free speech")),
        Cell(gettext_noop("Free speech")),
        Cell(gettext_noop("Often menus and fixed replies")),
    ),
    Row(
        gettext_noop("Forms and registration"),
        Cell(gettext_noop("Filled in during the call, from TARA\u00a0PRO")),
        Cell(gettext_noop("Typed in by the agent")),
        Cell(gettext_noop("Often a link to a form")),
    ),
    Row(
        gettext_noop("Memory of a caller"),
        Cell(gettext_noop("Persistent, with TARA ENTERPRISE")),
        Cell(gettext_noop("In the agent’s notes")),
        Cell(gettext_noop("Often one session only")),
    ),
)


def footnote() -> str:
    """Return what the cost of TARA in the first row is, and is not."""
    return t(
        "{price} is the monthly price of {plan}, up to {limit} interactions. It is a price, not a"
        " salary: the two costs are not like for like.",
        price=PLANS[0].price,
        plan=PLANS[0].name,
        limit=PLANS[0].limit,
    )
