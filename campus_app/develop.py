"""Serves with hot reload, for people who write screens: `make dev`.

Vite serves the pages at PORT and forwards every other call to the server, which restarts when a
source changes. The browser renders the pages, in English. They are compiled into a folder of their
own, so that the pages of `make build` stay as they are.
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final, NoReturn

from campus_app.shared.settings import settings

_ROOT: Final = Path(__file__).parents[1]
_PAGES: Final = Path(".cache/development/.web")
_WATCHED: Final = ("kit", "campus_app", "voice_site", "assets", "rxconfig.py")
"""Not `var/`, which every start writes to, nor `data/`, which the server reloads itself."""
_TERMINATION_SECONDS: Final = 5.0
_LIBRARIES: Final = (
    "aiosmtplib",
    "alembic",
    "babel.dates",
    "brotli_asgi",
    "fastapi",
    "httpx",
    "jinja2",
    "pandas",
    "phonenumbers",
    "prometheus_client",
    "psycopg",
    "pydantic.v1",
    "pydantic_settings",
    "pyrate_limiter",
    "pythonjsonlogger.json",
    "redis.asyncio",
    "socketio",
    "sqlalchemy.dialects.postgresql",
    "sqlmodel",
    "twilio.request_validator",
    "twilio.rest",
    "uuid_utils",
)
"""The app's dependencies; each reload forks a process that has already imported them."""
_SERVE: Final = f"import {', '.join(_LIBRARIES)}; from reflex.reflex import cli; cli()"


def main() -> NoReturn:
    """Serve until Ctrl-C or SIGTERM, then end every process that was started."""
    for each in (signal.SIGINT, signal.SIGTERM):  # a background shell ignores SIGINT
        signal.signal(each, signal.default_int_handler)
    (_ROOT / _PAGES).mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-c", _SERVE, "run", "--env", "dev"]
    command += ["--frontend-port", str(settings().port), "--backend-port", str(_free_port())]
    chosen = {
        "OPENBLAS_NUM_THREADS": "1",  # of pandas: threads make forking unsafe
        "REFLEX_USE_NPM": "1",
        "REFLEX_WEB_WORKDIR": str(_PAGES),
        "REFLEX_HOT_RELOAD_OVERRIDE_PATHS": ":".join(str(_ROOT / name) for name in _WATCHED),
    }
    environment = {**os.environ, **chosen}  # noqa: TID251 - passed on, not read
    # A process group of its own, since Reflex leaves Vite running when it is terminated.
    process = subprocess.Popen(command, env=environment, cwd=_ROOT, start_new_session=True)  # noqa: S603 - no outside input
    try:
        code = process.wait()
    except KeyboardInterrupt:
        code = 0
    finally:
        _end(process)
    sys.exit(code)


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_TERMINATION_SECONDS)
        os.killpg(process.pid, signal.SIGKILL)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


if __name__ == "__main__":
    main()
