"""What lines of the log have in common."""


def about(order_id: str) -> dict[str, str]:
    """Return the field of a line that says which order it is about."""
    return {"subject": order_id}
