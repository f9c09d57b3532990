"""Devices that a link has enrolled, once, and that a cookie identifies afterwards.

Kitchens' tablets (specification 10.24) and the operators' desks (11.1) are such devices.
"""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True)
class EnrolmentLink:
    """A link that enrols one device; only the hash of its token is stored."""

    token_hash: str
    expires_at: datetime


@dataclass(frozen=True, kw_only=True)
class Device:
    """An enrolled device; only the hash of its cookie's token is stored."""

    id: str
    enrolled_at: datetime
    last_used_at: datetime
