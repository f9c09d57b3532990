"""Columns whose values Python reads and writes as times, enums or other types."""

from collections.abc import Callable
from datetime import date, datetime, time
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, BindParameter, Column, Dialect, String, bindparam
from sqlalchemy.types import TypeDecorator, TypeEngine
from sqlmodel import Field

from kit.clock import from_ms, to_ms


class Converted(TypeDecorator[Any]):
    """A value that the database stores in another form; None is NULL."""

    impl = String
    cache_ok = True

    def __init__(
        self,
        impl: type[TypeEngine[Any]],
        encode: Callable[[Any], Any],
        decode: Callable[[Any], Any],
    ) -> None:
        """Store `encode(value)` in a column of the type `impl`; read it with `decode`."""
        super().__init__()
        self.impl = impl()
        self.encode = encode
        self.decode = decode

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:  # noqa: ARG002
        return None if value is None else self.encode(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:  # noqa: ARG002
        return None if value is None else self.decode(value)


def _minutes(value: time) -> str:
    return value.isoformat("minutes")


DATE = Converted(String, date.isoformat, date.fromisoformat)
TIME = Converted(String, _minutes, time.fromisoformat)
"""A date, and a time of day to the minute, as ISO 8601."""


def converted(kind: Converted, name: str | None = None, **options: Any) -> Any:
    """Return a model's field whose column has this type, and this name if it is another one."""
    options.setdefault("nullable", False)
    return Field(sa_column=Column(name, kind, **options))


def timestamp(key: str, **options: Any) -> Any:
    """Return the field `key` for an aware time, stored as milliseconds since 1970 in `<key>_ms`."""
    return converted(Converted(BigInteger, to_ms, from_ms), f"{key}_ms", key=key, **options)


def moment(name: str) -> BindParameter[datetime]:
    """Return a statement's parameter for an aware time, converted as in a `timestamp` column."""
    return bindparam(name, type_=Converted(BigInteger, to_ms, from_ms))


def enum_text(kind: type[StrEnum], **options: Any) -> Any:
    """Return a field for an enum, stored as its text."""
    return converted(Converted(String, str, kind), **options)
