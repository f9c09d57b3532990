"""An HTTP server on a free port of this machine."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.server import ServerState


@contextlib.asynccontextmanager
async def serving(app: ASGIApp, port: int = 0) -> AsyncIterator[str]:
    """Serve an application during the block; yield its address.

    Uvicorn's own shutdown takes a quarter of a second, and hundreds of tests would wait for it, so
    only its protocol class is used.
    """
    config = uvicorn.Config(app, lifespan="off", ws="websockets-sansio", log_config=None)
    config.load()
    state = ServerState()
    protocol: Any = config.http_protocol_class
    accepted = partial(protocol, config=config, server_state=state, app_state={})
    with socket.create_server(("127.0.0.1", port)) as listening:
        server = await asyncio.get_running_loop().create_server(accepted, sock=listening)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.close()
            for connection in list(state.connections):
                connection.shutdown()
            while state.tasks:
                await asyncio.wait(state.tasks)
            await server.wait_closed()
