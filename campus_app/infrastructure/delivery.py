"""What a transport may say of an effect that did not happen."""


class DeliveryRejected(Exception):
    """It will never happen: a wrong address, a refused number."""


class DeliveryPostponed(Exception):
    """It certainly did not happen, and may happen later."""
