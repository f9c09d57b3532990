"""Serves with hot reload, for people who write screens: `make dev`.

Vite serves the pages at PORT and passes on every other call to the server, which starts anew when
a source changes. The pages are drawn in the browser, and lie in a folder of their own: those that
`make build` built stay as they are.
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final, NoReturn

from campus_app.settings import settings

_ROOT: Final = Path(__file__).parents[1]
_PAGES: Final = Path(".cache/development/.web")
_WATCHED: Final = ("campus_app", "voice_site", "assets", "rxconfig.py")
"""Not `var/`, below which every start writes; menus are read again by themselves."""
_PATIENCE_SECONDS: Final = 5.0


def main() -> NoReturn:
    """Serve until Ctrl-C or SIGTERM; then end everything that was started."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    (_ROOT / _PAGES).mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "reflex", "run", "--env", "dev"]
    command += ["--frontend-port", str(settings().port), "--backend-port", str(_free_port())]
    chosen = {
        "REFLEX_USE_NPM": "1",
        "REFLEX_WEB_WORKDIR": str(_PAGES),
        "REFLEX_HOT_RELOAD_OVERRIDE_PATHS": ":".join(str(_ROOT / name) for name in _WATCHED),
    }
    environment = {**os.environ, **chosen}  # noqa: TID251 - passed on, not read
    # A session of its own: Reflex leaves Vite behind when it is ended alone.
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
            process.wait(_PATIENCE_SECONDS)
        os.killpg(process.pid, signal.SIGKILL)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


if __name__ == "__main__":
    main()
