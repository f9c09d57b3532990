"""What a piece of work costs the person who does it, in seconds.

The keystroke-level model of S. Card, T. Moran and A. Newell (1980): times of people who know the
task. A machine presses faster than people, so its own time says nothing; only how long the product
lets it wait is measured.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Final

KEY_SECONDS: Final = 0.28
"""A key, by an average typist."""
POINT_SECONDS: Final = 1.1 + 0.2
"""Pointing at something, and pressing and releasing the button."""
THINK_SECONDS: Final = 1.35
"""Deciding what is next, or reading one fact."""


@dataclass
class Effort:
    """The steps of one piece of work."""

    task: str
    keys: int = 0
    presses: int = 0
    thoughts: int = 0
    waited_seconds: float = 0.0

    @property
    def seconds(self) -> float:
        """How long a person who knows the task needs for it."""
        hands = self.keys * KEY_SECONDS + self.presses * POINT_SECONDS
        return hands + self.thoughts * THINK_SECONDS + self.waited_seconds

    def type(self, text: str) -> None:
        """Count the keys of a text, and the thought before them."""
        self.keys += len(text)
        self.thoughts += 1

    def press(self) -> None:
        """Count a press with the pointer, and the thought before it."""
        self.presses += 1
        self.thoughts += 1

    def read(self, facts: int = 1) -> None:
        """Count facts that are read."""
        self.thoughts += facts

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count the time of the block, in which the person waits for the product."""
        start = monotonic()
        yield
        self.waited_seconds += monotonic() - start
