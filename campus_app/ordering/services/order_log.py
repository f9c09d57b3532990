"""Log records about orders: each has the order's id as its field `subject`."""

import logging


def order_extra(order_id: str) -> dict[str, str]:
    """Return the `extra` of a log record about an order."""
    return {"subject": order_id}


def log_order(
    logger: logging.Logger, level: int, message: str, order_id: str, *arguments: object
) -> None:
    """Log a message whose first placeholder is the order's id."""
    logger.log(level, message, order_id, *arguments, extra=order_extra(order_id), stacklevel=2)
