"""A circuit breaker whose open time doubles with each failure.

Libraries (`purgatory`, `pybreaker`, `circuitbreaker`) have one fixed open time.
"""

import time
from collections.abc import Callable
from enum import StrEnum
from typing import Generic, TypeVar

Error = TypeVar("Error", bound=Exception)


class CircuitState(StrEnum):
    """The state of a circuit breaker, which decides about the next call."""

    CLOSED = "closed"
    """The last call worked."""
    OPEN = "open"
    """The last call failed; calls are refused for a while."""
    HALF_OPEN = "half-open"
    """Calls are admitted again, and none has worked yet."""


class CircuitBreaker(Generic[Error]):
    """Refuses calls to an outside system for a while after a failure."""

    def __init__(
        self,
        first_seconds: float,
        longest_seconds: float,
        error: Callable[[str, float], Error],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start closed.

        Args:
            first_seconds: The open time after the first failure.
            longest_seconds: The longest open time.
            error: Makes the error of a refused call from the reason and the seconds left.
            now: Returns the time in seconds.
        """
        self._first = first_seconds
        self._longest = longest_seconds
        self._error = error
        self._now = now
        self._failures = 0
        self._open_until = 0.0
        self._reason = ""

    @property
    def state(self) -> CircuitState:
        if not self._failures:
            return CircuitState.CLOSED
        return CircuitState.OPEN if self._now() < self._open_until else CircuitState.HALF_OPEN

    def check(self) -> None:
        """Admit a call.

        Raises:
            Error: If the circuit is open.
        """
        if self.state is CircuitState.OPEN:
            raise self._refusal()

    def record_failure(self, reason: str, *, needs_operator: bool = False) -> Error:
        """Open the circuit, and return the error to raise.

        Calls that were in progress when the circuit opened do not extend the open time.

        Args:
            reason: The text of the error of refused calls.
            needs_operator: Whether only an operator can fix the cause; then the open time is the
                longest.
        """
        if self.state is CircuitState.OPEN and not needs_operator:
            return self._refusal()
        seconds = min(self._first * 2**self._failures, self._longest)
        if needs_operator:
            seconds = self._longest
        self._failures += 1
        self._reason = reason
        self._open_until = self._now() + seconds
        return self._refusal()

    def record_success(self) -> None:
        """Close the circuit."""
        self.reset()

    def reset(self) -> None:
        """Close the circuit, although no call has worked: the system may have been repaired."""
        self._failures = 0

    def _refusal(self) -> Error:
        return self._error(self._reason, max(0.0, self._open_until - self._now()))
