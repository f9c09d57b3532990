"""What the open pages of this process show, and what was last sent to each."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

View = TypeVar("View")


class OpenViews(Generic[View]):
    """The pages of this process that show something, by the id of their socket."""

    def __init__(
        self, wake: Callable[[], None], closed: Callable[[str], None] = lambda _: None
    ) -> None:
        """`closed` is called with the id of each page that is closed."""
        self._views: dict[str, View] = {}
        self._sent: dict[str, object] = {}
        self._wake = wake
        self._closed = closed

    def __len__(self) -> int:
        return len(self._views)

    def __contains__(self, socket_id: str) -> bool:
        return socket_id in self._views

    def __iter__(self) -> Iterator[tuple[str, View]]:
        return iter(list(self._views.items()))

    def get(self, socket_id: str) -> View | None:
        """Return what a page shows; None if it is not among these pages."""
        return self._views.get(socket_id)

    def open(self, socket_id: str, view: View) -> None:
        """Show something on a page, and send it soon, even if the page has shown it before."""
        self._views[socket_id] = view
        self._sent.pop(socket_id, None)
        self._wake()

    def show(self, socket_id: str, view: View, content: object) -> None:
        """Note what a page's own event shows there: the same content is not sent to it again."""
        is_first = socket_id not in self._views
        self._views[socket_id], self._sent[socket_id] = view, content
        if is_first:  # it may have changed since the event has read it
            self._wake()

    def replace(self, socket_id: str, view: View) -> None:
        """Change what an open page shows; what was sent to it still counts."""
        if socket_id in self._views:
            self._views[socket_id] = view

    def close(self, socket_id: str) -> None:
        """Stop sending to a page."""
        self._views.pop(socket_id, None)
        self._sent.pop(socket_id, None)
        self._closed(socket_id)

    def is_new(self, socket_id: str, content: object) -> bool:
        """Whether an open page shows other content than this, which then counts as sent."""
        if socket_id not in self._views or self._sent.get(socket_id) == content:
            return False
        self._sent[socket_id] = content
        return True
