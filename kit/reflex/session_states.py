"""Renewal and deletion of the states that Reflex stores for a session."""

from collections.abc import Iterator, Sequence
from typing import Any

import reflex as rx

_SESSIONS_PER_PIPELINE = 100


class MemoryStates:
    """States in the memory of this process."""

    def __init__(self, manager: Any) -> None:
        """`manager` is Reflex's StateManagerMemory."""
        self._manager = manager

    async def renew(self, tokens: Sequence[str]) -> None:
        """Restart the time until the states of these sessions expire."""
        for token in tokens:
            if token in self._manager.states:  # reading a state restarts its time
                await self._manager.get_state(rx.BaseStateToken(ident=token, cls=rx.State))

    async def delete(self, token: str) -> None:
        """Delete the state of a session that has no socket."""
        # An event in progress ends on the deleted state; the session's lock stays, so that an event
        # of a page that has returned waits for it.
        self._manager.states.pop(token, None)

    def tokens(self) -> list[str]:
        """Return the tokens of the states in this process's memory."""
        return list(self._manager.states)


class RedisStates:
    """States in Redis, which all processes of the deployment share."""

    # In one step: another process could connect the session between a check and the deletion.
    _DELETE_UNLESS_CONNECTED = """
        if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
        return redis.call('UNLINK', unpack(KEYS, 2))
    """
    _SOCKET_RECORD = "token_manager_socket_record_"

    def __init__(self, manager: Any) -> None:
        """`manager` is Reflex's StateManagerRedis."""
        self._redis = manager.redis
        self._seconds = manager.token_expiration
        self._classes = list(_with_substates(rx.State))

    async def renew(self, tokens: Sequence[str]) -> None:
        for start in range(0, len(tokens), _SESSIONS_PER_PIPELINE):
            pipeline = self._redis.pipeline(transaction=False)
            for token in tokens[start : start + _SESSIONS_PER_PIPELINE]:
                for key in self._keys(token):
                    pipeline.expire(key, self._seconds)
            await pipeline.execute()

    async def delete(self, token: str) -> None:
        keys = self._keys(token)
        await self._redis.eval(self._DELETE_UNLESS_CONNECTED, len(keys), *keys)

    def tokens(self) -> list[str]:
        return []  # states without a process that renews them expire in Redis

    def _keys(self, token: str) -> list[str]:
        states = (str(rx.BaseStateToken(ident=token, cls=each)) for each in self._classes)
        return [self._SOCKET_RECORD + token, *states]


def session_states(app: rx.App) -> MemoryStates | RedisStates:
    """Return the states of an app's sessions; rxconfig.py chooses memory or Redis."""
    manager = app.state_manager
    return RedisStates(manager) if hasattr(manager, "redis") else MemoryStates(manager)


def _with_substates(state: Any) -> Iterator[Any]:
    yield state
    for each in state.get_substates():
        yield from _with_substates(each)
