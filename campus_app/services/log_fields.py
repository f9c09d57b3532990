"""Fields that log records of several services share."""


def order_extra(order_id: str) -> dict[str, str]:
    """Return the `extra` of a log record about an order."""
    return {"subject": order_id}
