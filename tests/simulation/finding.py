"""What an audit says of one order."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """Something that is not as it has to be; with an explanation, something that may be so."""

    order: str
    """The order's number, or the provider's name for it."""
    words: str
    explanation: str = ""


def rupees(paise: int) -> str:
    """Return an amount as people write it."""
    return f"₹{paise // 100:,}" if paise % 100 == 0 else f"₹{paise / 100:,.2f}"
