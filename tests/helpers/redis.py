"""A Redis server on a free port, which tests can stop and start."""

import contextlib
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator

import pytest

from tests.helpers.ports import free_port

_START_SECONDS = 20.0


class RedisServer:
    """A Redis without persistence, always on the same port."""

    def __init__(self, program: str) -> None:
        self.port = free_port()
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        command = [self._program, "--port", str(self.port), "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + _START_SECONDS
        while not self._is_up():
            if self._process.poll() is not None or time.monotonic() > deadline:
                pytest.fail("Redis did not start", pytrace=False)
            time.sleep(0.02)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _is_up(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False


@contextlib.contextmanager
def running_redis() -> Iterator[RedisServer]:
    """Run a Redis server for the duration of the block."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.fail("Redis is missing (Debian, Ubuntu: apt-get install redis)", pytrace=False)
    server = RedisServer(program)
    server.start()
    try:
        yield server
    finally:
        server.stop()
