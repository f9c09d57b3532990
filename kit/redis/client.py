"""Clients of Redis that notice a line which is closed already.

Where something is written to one, uvloop raises a RuntimeError, which the client takes for a
mistake of whoever asked: it would go up through everything that waits for a Redis to come back.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as LineLost

_CLOSED = "the handler is closed"
"""Source: uvloop, handles/handle.pyx."""


class _Line(AbstractConnection):
    async def send_packed_command(
        self, command: bytes | str | Iterable[bytes], check_health: bool = True
    ) -> None:
        try:
            await super().send_packed_command(command, check_health)
        except RuntimeError as error:
            if not str(error).endswith(_CLOSED):
                raise
            raise LineLost(_CLOSED) from error


def redis_at(url: str, **options: Any) -> Any:
    """Return a client of the Redis there; its own types say little of what it takes and gives."""
    return noticing(Redis.from_url(url, **options))  # pyright: ignore[reportUnknownMemberType]


def noticing(client: Any) -> Any:
    """Let a client, which is returned, raise of every line that is lost that it is."""
    pool = client.connection_pool
    pool.connection_class = _line(pool.connection_class)
    return client


@cache
def _line(kind: type[AbstractConnection]) -> type[AbstractConnection]:
    if issubclass(kind, _Line):
        return kind
    return type(f"Noticing{kind.__name__}", (_Line, kind), {})
