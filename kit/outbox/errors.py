"""The errors that transports raise when a delivery failed, or its outcome is unknown."""


class DeliveryRejected(Exception):
    """Permanent failure, such as a malformed address or an unknown number; never retried."""


OUTCOME_UNKNOWN = "outcome unknown, not repeated"
"""Stored as last_error when the outcome is unknown; such jobs are never retried."""


CHANNEL_DOWN = "channel down: "
"""Prefix of last_error of jobs that wait until their transport works again."""


NEEDS_OPERATOR = "needs an operator: "
"""Prefix of last_error of jobs that fail until an operator changes something."""


class OutcomeUnknown(DeliveryRejected):
    """The effect may or may not have happened; raised by at-most-once effects, never retried."""

    def __init__(self) -> None:
        super().__init__(OUTCOME_UNKNOWN)


class DeliveryPostponed(Exception):
    """Temporary failure; retried. An at-most-once effect raises it only if it did not happen."""


class ChannelDown(DeliveryPostponed):
    """The transport delivers nothing at all now; the job was not tried, and no attempt counts."""

    def __init__(self, reason: str, seconds: float) -> None:
        super().__init__(reason)
        self.seconds = seconds
        """Seconds until the transport may be tried again."""


class OperatorNeeded(DeliveryPostponed):
    """Nothing is wrong with the job, but it fails until an operator changes something.

    It is retried with increasing delays, without an end.
    """


class OutcomeAwaited(DeliveryPostponed):
    """The effect is in progress; the job checks its outcome later, and no attempt counts."""

    def __init__(self, reason: str, seconds: float) -> None:
        super().__init__(reason)
        self.seconds = seconds
        """Seconds until the outcome is checked."""
