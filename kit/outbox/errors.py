"""What a transport may say of an effect that did not happen."""


class DeliveryRejected(Exception):
    """It will never happen: a wrong address, a refused number."""


OUTCOME_UNKNOWN = "outcome unknown, not repeated"
"""What is written down of an effect that may have happened; nobody lets it happen again."""


CHANNEL_DOWN = "channel down: "
"""Begins what is stored as last_error of an effect that waits until its transport is back."""


class OutcomeUnknown(DeliveryRejected):
    """It may have happened or not: whoever must not do it twice leaves it at that."""

    def __init__(self) -> None:
        super().__init__(OUTCOME_UNKNOWN)


class DeliveryPostponed(Exception):
    """It may happen later; what must not happen twice says so only if it certainly did not."""


class ChannelDown(DeliveryPostponed):
    """Nothing at all goes through now: what waits for it has not been tried."""

    def __init__(self, reason: str, seconds: float) -> None:
        super().__init__(reason)
        self.seconds = seconds
        """After how long the transport may be asked again."""


class OutcomeAwaited(DeliveryPostponed):
    """It is under way: how it ends is asked again later, and that is no other try."""

    def __init__(self, reason: str, seconds: float) -> None:
        super().__init__(reason)
        self.seconds = seconds
        """After how long to ask."""
