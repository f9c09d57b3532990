"""The forms of a page, as a browser without scripts submits them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_UNSENT = {"submit", "button", "image", "reset", "file"}
_CHOSEN = {"checkbox", "radio"}


@dataclass
class Form:
    """The address of a form, and the values that it sends if nobody changes them."""

    action: str
    values: dict[str, str] = field(default_factory=dict)


def forms(page: str) -> list[Form]:
    """Return the forms of a page in their order.

    Of fields with the same name, the last value that would be sent counts.
    """
    parser = _FormParser()
    parser.feed(page)
    return parser.found


def form(page: str, action: str) -> Form:
    """Return the first form whose address contains a text.

    Raises:
        LookupError: There is none.
    """
    for each in forms(page):
        if action in each.action:
            return each
    raise LookupError(f"no form sends to {action!r}")


class _FormParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._open: Form | None = None
        self._select = self._area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = Form(given.get("action", ""))
            self.found.append(self._open)
        elif self._open is not None and "disabled" not in given:
            self._open.values.update(self._sent(tag, given))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "select":
            self._select = ""
        elif tag == "textarea":
            self._area = ""

    def handle_data(self, data: str) -> None:
        if self._open is not None and self._area:
            self._open.values[self._area] = data.removeprefix("\n")

    def _sent(self, tag: str, given: dict[str, str]) -> Iterator[tuple[str, str]]:
        name = given.get("name", "")
        if tag == "input" and name and given.get("type") not in _UNSENT:
            if given.get("type") not in _CHOSEN:
                yield name, given.get("value", "")
            elif "checked" in given:
                yield name, given.get("value", "on")
        elif tag == "select":
            self._select = name
        elif tag == "textarea" and name:
            self._area = name
            yield name, ""
        elif tag == "option" and self._select and "selected" in given:
            yield self._select, given.get("value", "")
