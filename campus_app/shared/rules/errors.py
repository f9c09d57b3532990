"""The exceptions that every room of the ordering product raises.

OrderingError                    a business rule refused; `code` is the API's, the text is for users
├── NotFound                     restaurant, dish or order does not exist
├── Conflict                     valid in itself, but not now: closed, taken, changed
└── Invalid                      invalid input; `fields` maps each field to its error
"""

from collections.abc import Mapping


class OrderingError(Exception):
    """A business rule refused the request."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class NotFound(OrderingError):
    """The restaurant, dish or order does not exist."""


class Conflict(OrderingError):
    """The request is valid in itself, but conflicts with the current state."""


class Invalid(OrderingError):
    """The input is invalid; `fields` maps each invalid field to its error message."""

    def __init__(
        self,
        message: str,
        fields: Mapping[str, str] | None = None,
        *,
        code: str = "validation_error",
    ) -> None:
        super().__init__(code, message)
        self.fields = dict(fields or {})
