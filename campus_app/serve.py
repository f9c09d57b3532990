"""Serves the whole product from one process and one port: `python -m campus_app.serve`.

The pages must have been built (`make build`). Several processes are several of these on ports of
their own, behind a proxy (`deploy/`). Source: specification H5.
"""

import logging
import os
from collections.abc import Callable
from functools import partial

import uvicorn
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import ASGIApp

from campus_app.migrations import VERSIONS
from campus_app.settings import Settings, settings
from kit import gc_tuning
from kit.db.errors import query_problem
from kit.db.schema_version import schema_problem
from kit.http.request_timeouts import timed_protocol
from kit.observability import logs
from kit.settings import LogFormat

logger = logging.getLogger("campus_app.serve")  # which is __main__ when it is run

_LONGEST_MESSAGE_BYTES = 1 << 20
"""A little more than the framework's own socket takes: the others take no more."""


def main() -> None:
    """Serve until the process is told to stop."""
    # Reflex reads these when the app is imported: nothing is compiled any more, pages are mounted.
    os.environ["REFLEX_ENV_MODE"] = "prod"  # noqa: TID251 - written, not read
    os.environ["__REFLEX_SKIP_COMPILE"] = "true"  # noqa: TID251 - written, not read
    os.environ["__REFLEX_MOUNT_FRONTEND_COMPILED_APP"] = "true"  # noqa: TID251 - written, not read
    gc_tuning.begin()
    chosen = settings()
    logs.configure(chosen.log_format)
    if chosen.otel_exporter_otlp_endpoint:
        _begin_to_tell(chosen)
    _require_migrated(chosen.database_url)
    if chosen.log_format is LogFormat.TEXT:
        print(f"FOOD_points is served at {chosen.origin}", flush=True)  # noqa: T201 - for people
    else:
        logger.info("serve: at %s", chosen.origin)
    # Not in the server's loop: what Reflex registers meanwhile would be known to one task alone.
    from campus_app.campus_app import served  # noqa: PLC0415 - it reads what is set above

    uvicorn.run(
        partial(_made, served),
        factory=True,
        host=chosen.listen_address,
        port=chosen.port,
        forwarded_allow_ips=chosen.trusted_proxies,
        loop="uvloop",
        http=timed_protocol(chosen.request_header_seconds, chosen.request_body_seconds),
        ws="websockets-sansio",
        ws_max_size=_LONGEST_MESSAGE_BYTES,
        access_log=False,
        log_config=None,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=3,
    )


def _made(served: Callable[[], ASGIApp]) -> ASGIApp:
    """Return what is served; what a server begins with, the collector never looks at again."""
    app = served()
    gc_tuning.look_at_everything()
    return app


def _begin_to_tell(chosen: Settings) -> None:
    from kit.observability import tracing  # noqa: PLC0415 - half a second for who wants it

    address = chosen.otel_exporter_otlp_endpoint.rstrip("/")
    tracing.begin(address, chosen.otel_service_name, chosen.otel_traces_sampler_arg)


def _require_migrated(url: str) -> None:
    try:
        problem = schema_problem(url, VERSIONS)
    except SQLAlchemyError as error:
        if wrong := query_problem(error):
            raise SystemExit(f"Database: {wrong}") from None
        raise SystemExit(f"Database: {type(error).__name__}, it does not answer") from None
    if problem:
        raise SystemExit(f"Database: {problem}; run `python -m campus_app.migrate` first")


if __name__ == "__main__":
    main()
