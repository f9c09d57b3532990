"""A real HTTP server on a free port of this machine."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator

import uvicorn
from starlette.types import ASGIApp

from tests.support.waiting import eventually


@contextlib.asynccontextmanager
async def serving(app: ASGIApp) -> AsyncIterator[str]:
    """Serve an application for as long as the block runs; give its address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(
            uvicorn.Config(app, lifespan="off", ws="websockets-sansio", log_config=None)
        )
        task = asyncio.create_task(server.serve(sockets=[listening]))
        await eventually(lambda: server.started, "the server starts")
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            await task
