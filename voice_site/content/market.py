"""The three market figures. Nothing but the company's own statement is known of them."""

from dataclasses import dataclass

from kit.text import gettext_noop

LABEL = gettext_noop("Company figure")


@dataclass(frozen=True)
class MarketFigure:
    """A figure, its unit, and the highlighted length and marks of its string, of 100 units."""

    number: str
    unit: str
    length: float
    marks: tuple[float, ...]


FIGURES = (
    MarketFigure("72", "%", 72, (72,)),
    MarketFigure("95", "%", 95, (95,)),
    MarketFigure("3.5", "x", 100, (0, 28.6, 57.1, 85.7, 100)),
)
