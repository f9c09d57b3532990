"""Serves the bare app as `campus_app.serve` serves ours: same server, loop and collector."""

import gc
import os

import uvicorn

_COLLECT_AFTER = (50_000, 50, 1_000)


def main() -> None:
    """Serve until the process is told to stop."""
    os.environ["REFLEX_ENV_MODE"] = "prod"
    os.environ["__REFLEX_SKIP_COMPILE"] = "true"
    os.environ["__REFLEX_MOUNT_FRONTEND_COMPILED_APP"] = "true"
    gc.set_threshold(*_COLLECT_AFTER)
    uvicorn.run(
        "bare_app.bare_app:app",
        factory=True,
        host="127.0.0.1",
        port=int(os.environ["PORT"]),
        loop="uvloop",
        ws="websockets-sansio",
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=3,
    )


if __name__ == "__main__":
    main()
