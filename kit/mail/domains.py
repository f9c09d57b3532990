"""Domains that no mail can leave from or arrive at."""

from typing import Final

_RESERVED: Final = (
    *("example", "test", "invalid", "localhost", "local", "onion", "alt", "internal"),
    *("home.arpa", "example.com", "example.net", "example.org"),
)
"""Source: RFC 2606, 6761, 6762, 7686, 8375, 9476; `internal`: ICANN, 2024."""


def is_reserved_domain(domain: str) -> bool:
    """Whether a domain, or one above it, is reserved, or it has no domain above it."""
    name = domain.rstrip(".").lower()
    is_below = any(name == each or name.endswith(f".{each}") for each in _RESERVED)
    return is_below or "." not in name


def has_reserved_domain(address: str) -> bool:
    """Whether an e-mail address, without a display name, is at a reserved domain."""
    return is_reserved_domain(address.rpartition("@")[2])
