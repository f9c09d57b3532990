"""The event that the current task handles."""

from reflex_base.event.context import EventContext


def current_event() -> tuple[str, str | None]:
    """Return the id of the event that this task handles, and the id of the event that chained it.

    Raises:
        LookupError: Outside of an event.
    """
    context = EventContext.get()
    return context.txid, context.parent_txid
