"""The three market figures. No source is known for them: the page says whose they are."""

from dataclasses import dataclass

LABEL = "Company figure"


@dataclass(frozen=True)
class MarketFigure:
    """A figure, its unit, and the parts of the string that draw it, in hundredths."""

    number: str
    unit: str
    length: float
    marks: tuple[float, ...]


FIGURES = (
    MarketFigure("72", "%", 72, (72,)),
    MarketFigure("95", "%", 95, (95,)),
    MarketFigure("3.5", "x", 100, (0, 28.6, 57.1, 85.7, 100)),
)
