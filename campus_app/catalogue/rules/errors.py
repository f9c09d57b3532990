"""The exceptions of the catalogue."""

from collections.abc import Sequence

from campus_app.shared.rules.errors import Conflict
from campus_app.shared.rules.messages import OrderMessage
from kit.text import join_isolated


class DishesSoldOut(Conflict):
    """Dishes of the order are sold out; `fields` names them. Source: specification 10.20."""

    def __init__(self, dishes: Sequence[str]) -> None:
        names = join_isolated(dishes)
        super().__init__("item_unavailable", OrderMessage.SOLD_OUT.of(dishes=names))
        self.fields = {"items": names}


class MenuUnavailable(Exception):
    """The menu cannot be shown; `status` is an HTTP status code."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
