"""The eight phases: two completed, one active, five pending. Source: specification V4.12."""

from dataclasses import dataclass
from enum import StrEnum

from kit.text import gettext_noop


class Progress(StrEnum):
    """The progress of a phase, in the words of the page."""

    COMPLETED = gettext_noop("Completed")
    ACTIVE = gettext_noop("Active")
    PENDING = gettext_noop("Pending")


@dataclass(frozen=True)
class Phase:
    """One phase; no phase that is pending may name what a plan sells."""

    number: int
    name: str
    progress: Progress


PHASES = (
    Phase(1, gettext_noop("Groundwork"), Progress.COMPLETED),
    Phase(2, gettext_noop("First voice"), Progress.COMPLETED),
    Phase(3, gettext_noop("Pilot"), Progress.ACTIVE),
    Phase(4, gettext_noop("Regional accents"), Progress.PENDING),
    Phase(5, gettext_noop("Messages beside calls"), Progress.PENDING),
    Phase(6, gettext_noop("Calls that TARA starts"), Progress.PENDING),
    Phase(7, gettext_noop("Reports for managers"), Progress.PENDING),
    Phase(8, gettext_noop("A kit for developers"), Progress.PENDING),
)
