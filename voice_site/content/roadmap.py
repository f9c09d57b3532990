"""The eight phases: two completed, one active, five pending. Source: specification V4.12."""

from dataclasses import dataclass
from enum import StrEnum


class Progress(StrEnum):
    """The progress of a phase, in the words of the page."""

    COMPLETED = "Completed"
    ACTIVE = "Active"
    PENDING = "Pending"


@dataclass(frozen=True)
class Phase:
    """One phase; names are working titles."""

    number: int
    name: str
    progress: Progress


PHASES = (
    Phase(1, "Groundwork", Progress.COMPLETED),
    Phase(2, "First voice", Progress.COMPLETED),
    Phase(3, "Pilot", Progress.ACTIVE),
    Phase(4, "More languages", Progress.PENDING),
    Phase(5, "Integrations", Progress.PENDING),
    Phase(6, "Memory", Progress.PENDING),
    Phase(7, "Custom training", Progress.PENDING),
    Phase(8, "Open release", Progress.PENDING),
)
