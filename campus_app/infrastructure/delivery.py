"""What a transport may say of an effect that did not happen."""


class DeliveryRejected(Exception):
    """It will never happen: a wrong address, a refused number."""


class DeliveryPostponed(Exception):
    """It may happen later; what must not happen twice says so only if it certainly did not."""


class ChannelDown(DeliveryPostponed):
    """Nothing at all goes through now: what waits for it has not been tried."""

    def __init__(self, reason: str, seconds: float) -> None:
        super().__init__(reason)
        self.seconds = seconds
        """After how long the transport may be asked again."""
