"""The three plans. Source: specification V9.1 to V9.3."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SpecialFeature:
    """The special feature of a plan."""

    title: str
    description: str


@dataclass(frozen=True)
class Plan:
    """A plan of the assistant; prices are whole rupees per month."""

    id: str
    name: str
    tagline: str
    price_rupees: int
    original_rupees: int
    features: tuple[str, ...]
    description: str
    strings: int
    caption: str
    special: SpecialFeature | None = None

    @property
    def price(self) -> str:
        return format_rupees(self.price_rupees)

    @property
    def original_price(self) -> str:
        return format_rupees(self.original_rupees)

    @property
    def summary(self) -> str:
        """Return the features in one line, for the variants of a demo request."""
        first, *others = self.features
        return ", ".join([first, *(_lower_first(feature) for feature in others)])


PERIOD = "/month"

PLANS = (
    Plan(
        id="01",
        name="TARA BASE",
        tagline="A first voice at the front desk",
        price_rupees=9_800,
        original_rupees=15_000,
        features=("Up to 1,000 interactions/month", "5 Indian languages"),
        description="For one team and one process, spoken from start to finish.",
        strings=5,
        caption="Five strings: one for each language",
    ),
    Plan(
        id="02",
        name="TARA PRO",
        tagline="For desks that register, book and enrol",
        price_rupees=24_900,
        original_rupees=35_000,
        features=(
            "Up to 10,000 interactions/month",
            "15+ languages",
            "Form filling and registration",
        ),
        description="For several teams whose callers each begin in a different language.",
        strings=15,
        caption="Fifteen strings, and room for more",
        special=SpecialFeature(
            "Form filling and registration",
            "TARA asks, fills in the form while the caller speaks, and reads it back before it is"
            " sent.",
        ),
    ),
    Plan(
        id="03",
        name="TARA ENTERPRISE",
        tagline="For every line you answer",
        price_rupees=74_900,
        original_rupees=99_000,
        features=(
            "Unlimited interactions and languages",
            "Persistent semantic memory",
            "Custom model training",
        ),
        description="For organisations in which a conversation begun on one day is continued on"
        " another.",
        strings=46,
        caption="Strings too close to count",
        special=SpecialFeature(
            "Persistent semantic memory",
            "What a caller has said stays with TARA, by meaning and not by keyword, from one call"
            " to the next.",
        ),
    ),
)


def format_rupees(rupees: int) -> str:
    """Return whole rupees with India's digit grouping: ₹1,00,000."""
    digits = str(rupees)
    head, tail = digits[:-3], digits[-3:]
    pairs: list[str] = []
    while head:
        pairs.insert(0, head[-2:])
        head = head[:-2]
    return "₹" + ",".join([*pairs, tail])


def _lower_first(text: str) -> str:
    return text[0].lower() + text[1:]
