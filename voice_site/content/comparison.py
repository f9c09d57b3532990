"""The comparison, four columns by eight rows. Figures only where the specification has them."""

from dataclasses import dataclass

CAPTION = "TARA compared with call centres and other bots, in eight respects"
COLUMNS = ("TARA", "Call centre", "Other bots")
FOOTNOTE = (
    "₹9,800 is the monthly price of TARA BASE, up to 1,000 interactions. It is a price, not a"
    " salary: the two costs are not like for like."
)
COMPANY_FIGURE = "company figure"


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
        "Cost per agent per month",
        Cell("₹9,800", of="TARA BASE"),
        Cell("₹25,547", of=COMPANY_FIGURE),
        Cell("Varies by vendor"),
    ),
    Row(
        "Attrition",
        Cell("Does not apply"),
        Cell("45%", of=COMPANY_FIGURE),
        Cell("Does not apply"),
    ),
    Row("Hours", Cell("Day and night"), Cell("By shift"), Cell("Day and night")),
    Row(
        "Indian languages",
        Cell("Spoken as the caller speaks them"),
        Cell("As the team on shift allows"),
        Cell("Often English first"),
    ),
    Row(
        "Peaks",
        Cell("Calls answered side by side"),
        Cell("Callers wait in a queue"),
        Cell("Chats answered side by side"),
    ),
    Row(
        "Conversation",
        Cell("Free speech"),
        Cell("Free speech"),
        Cell("Often menus and fixed replies"),
    ),
    Row(
        "Forms and registration",
        Cell("Filled in during the call, from TARA\u00a0PRO"),
        Cell("Typed in by the agent"),
        Cell("Often a link to a form"),
    ),
    Row(
        "Memory of a caller",
        Cell("Persistent, with TARA ENTERPRISE"),
        Cell("In the agent’s notes"),
        Cell("Often one session only"),
    ),
)
