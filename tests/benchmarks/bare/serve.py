"""Serves the bare app as `campus_app.serve` serves ours: same server, loop and collector."""

import gc
import os
from functools import partial
from typing import Any

import uvicorn

_COLLECT_AFTER = (5_000, 20, 1_000)


def main() -> None:
    """Serve until the process is told to stop."""
    os.environ["REFLEX_ENV_MODE"] = "prod"
    os.environ["__REFLEX_SKIP_COMPILE"] = "true"
    os.environ["__REFLEX_MOUNT_FRONTEND_COMPILED_APP"] = "true"
    gc.set_threshold(*_COLLECT_AFTER)
    from bare_app.bare_app import app  # noqa: PLC0415 - it reads what is set above

    uvicorn.run(
        partial(_made, app),
        factory=True,
        host="127.0.0.1",
        port=int(os.environ["PORT"]),
        loop="uvloop",
        ws="websockets-sansio",
        ws_max_size=1 << 20,
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=3,
    )


def _made(app: Any) -> Any:
    made = app()
    gc.collect()
    gc.freeze()
    return made


if __name__ == "__main__":
    main()
