"""The benchmark `scaling`: the model beside reality, and what it says about larger universities."""

from pathlib import Path

from plan import Plan
from report import Figure, Result

from scaling.points import compare
from scaling.populations import figures as noon_figures


def measure(plan: Plan, folder: Path) -> Result:
    """Return how far the predictions are from what was measured, and the predictions of noon."""
    compared = list(compare(plan, folder))
    complete = compared[-1]
    predicted: list[Figure] = list(noon_figures(complete.costs, complete.written))
    points = [figure for each in compared for figure in each.figures]
    return Result([*points, *predicted], {"points": [each.details for each in compared]})
