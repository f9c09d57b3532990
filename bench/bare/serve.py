"""Serves the bare app with the same server and event loop as ours, and with rare collections."""

import gc
import os
from functools import partial
from typing import Any

import uvicorn

_GC_THRESHOLDS = (5_000, 20, 1_000)


def main() -> None:
    """Serve until the process gets SIGTERM."""
    os.environ["REFLEX_ENV_MODE"] = "prod"
    os.environ["__REFLEX_SKIP_COMPILE"] = "true"
    os.environ["__REFLEX_MOUNT_FRONTEND_COMPILED_APP"] = "true"
    gc.set_threshold(*_GC_THRESHOLDS)
    from bare_app.bare_app import app  # noqa: PLC0415 - it reads the variables above

    uvicorn.run(
        partial(_create_app, app),
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


def _create_app(app: Any) -> Any:
    created = app()
    gc.collect()
    gc.freeze()
    return created


if __name__ == "__main__":
    main()
