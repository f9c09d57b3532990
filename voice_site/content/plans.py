"""The three plans, and what a demo request may choose. Source: specification V9.1 to V9.3."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from kit.text import FormattedMessage, gettext_noop
from voice_site.translations import t


class Colour(StrEnum):
    """The theme colour of a plan: a custom property of the style sheet."""

    BLUE = "blue"
    VIOLET = "violet"
    TEAL = "teal"


@dataclass(frozen=True)
class SpecialFeature:
    """The special feature of a plan."""

    title: str
    description: str


@dataclass(frozen=True)
class Plan:
    """A plan of the assistant; prices are whole rupees per month.

    `monthly_interactions` is the limit, None if there is none.
    """

    id: str
    name: str
    tagline: str
    price_rupees: int
    original_rupees: int
    monthly_interactions: int | None
    colour: Colour
    features: tuple[str, ...]
    description: str
    strings: int
    caption: str
    voices: str
    """Which languages have a voice already."""
    special: SpecialFeature | None = None
    is_recommended: bool = False

    @property
    def price(self) -> str:
        return format_rupees(self.price_rupees)

    @property
    def original_price(self) -> str:
        return format_rupees(self.original_rupees)

    @property
    def limit(self) -> str:
        """Return the most interactions in a month, empty if there is no limit."""
        return format_number(self.monthly_interactions) if self.monthly_interactions else ""

    @property
    def interaction_price(self) -> str:
        """Return the price of one interaction if all of a month are used, empty without a limit."""
        if not self.monthly_interactions:
            return ""
        return f"₹{Decimal(self.price_rupees) / self.monthly_interactions:.2f}"

    @property
    def summary(self) -> str:
        """Return the translated features in one line, for the variants of a demo request."""
        first, *others = (t(feature) for feature in self.features)
        return ", ".join([first, *(_lower_first(feature) for feature in others)])


PERIOD = gettext_noop("/month")
_VOICES = gettext_noop("Voices today: English and Hindi. The others are in preparation.")
_BASE_INTERACTIONS = 1_000
_PRO_INTERACTIONS = 10_000


def format_number(number: int) -> str:
    """Return a whole number with India's digit grouping: 1,00,000."""
    digits = str(number)
    head, tail = digits[:-3], digits[-3:]
    pairs: list[str] = []
    while head:
        pairs.insert(0, head[-2:])
        head = head[:-2]
    return ",".join([*pairs, tail])


def format_rupees(rupees: int) -> str:
    """Return whole rupees with India's digit grouping: ₹1,00,000."""
    return f"₹{format_number(rupees)}"


def _up_to(interactions: int) -> str:
    return FormattedMessage(
        gettext_noop("Up to {interactions} interactions/month"),
        {"interactions": format_number(interactions)},
    )


PLANS = (
    Plan(
        id="01",
        name="TARA BASE",
        tagline=gettext_noop("A first voice at the front desk"),
        price_rupees=9_800,
        original_rupees=15_000,
        monthly_interactions=_BASE_INTERACTIONS,
        colour=Colour.BLUE,
        features=(
            _up_to(_BASE_INTERACTIONS),
            gettext_noop("5 Indian languages"),
        ),
        description=gettext_noop("For one team and one process, spoken from start to finish."),
        strings=5,
        caption=gettext_noop("Five languages: Hindi, Bengali, Marathi, Telugu, Tamil"),
        voices=gettext_noop(
            "Voice today: Hindi. Bengali, Marathi, Telugu and Tamil are in preparation."
        ),
    ),
    Plan(
        id="02",
        name="TARA PRO",
        tagline=gettext_noop("For desks that register, book and enrol"),
        price_rupees=24_900,
        original_rupees=35_000,
        monthly_interactions=_PRO_INTERACTIONS,
        colour=Colour.VIOLET,
        features=(
            _up_to(_PRO_INTERACTIONS),
            gettext_noop("15+ languages"),
            gettext_noop("Form filling and registration"),
        ),
        description=gettext_noop(
            "For several teams whose callers each begin in a different language."
        ),
        strings=15,
        caption=gettext_noop("Fifteen languages, and room for more"),
        voices=_VOICES,
        special=SpecialFeature(
            gettext_noop("Form filling and registration"),
            gettext_noop(
                "TARA asks, fills in the form while the caller speaks, and reads it back before"
                " it is sent."
            ),
        ),
        is_recommended=True,
    ),
    Plan(
        id="03",
        name="TARA ENTERPRISE",
        tagline=gettext_noop("For every line you answer"),
        price_rupees=74_900,
        original_rupees=99_000,
        monthly_interactions=None,
        colour=Colour.TEAL,
        features=(
            gettext_noop("Unlimited interactions and languages"),
            gettext_noop("Persistent semantic memory"),
            gettext_noop("Custom model training"),
        ),
        description=gettext_noop(
            "For organisations in which a conversation begun on one day is continued on another."
        ),
        strings=46,
        caption=gettext_noop("Every language that your callers speak"),
        voices=_VOICES,
        special=SpecialFeature(
            gettext_noop("Persistent semantic memory"),
            gettext_noop(
                "What a caller has said stays with TARA, by meaning and not by keyword, from one"
                " call to the next."
            ),
        ),
    ),
)


@dataclass(frozen=True)
class WithoutPlan:
    """The variant of a request that names no plan; it has no price."""

    id: str
    name: str
    summary: str


NO_PLAN = WithoutPlan(
    id="none",
    name=gettext_noop("None of these yet"),
    summary=gettext_noop("We look for the right size together."),
)

VARIANTS = {each.id: each.name for each in (*PLANS, NO_PLAN)}
"""The names of all variants by id: what the form offers and the server accepts."""


def _lower_first(text: str) -> str:
    return text[0].lower() + text[1:]
