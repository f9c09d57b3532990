"""A violation that the audit found."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """A violated invariant. It fails the run, unless it has an explanation."""

    order: str
    """The order's number, or the provider's reference."""
    text: str
    explanation: str = ""
    """The crash or outage that caused it, as expected; empty if nothing did."""


def rupees(paise: int) -> str:
    """Return an amount formatted in rupees."""
    return f"₹{paise // 100:,}" if paise % 100 == 0 else f"₹{paise / 100:,.2f}"
