"""A result of the audit."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """A violated invariant; with an explanation, the expected effect of a crash or an outage."""

    order: str
    """The order's number, or the provider's reference."""
    text: str
    explanation: str = ""


def rupees(paise: int) -> str:
    """Return an amount formatted in rupees."""
    return f"₹{paise // 100:,}" if paise % 100 == 0 else f"₹{paise / 100:,.2f}"
