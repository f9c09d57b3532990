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

from campus_app.shared.migrations import VERSIONS
from campus_app.shared.settings import Settings, settings
from kit import gc_tuning
from kit.db.errors import start_problem
from kit.db.schema_version import schema_problem
from kit.http.request_timeouts import timed_protocol
from kit.http.sockets import MAXIMUM_MESSAGE_BYTES
from kit.observability import logs
from kit.settings import LogFormat

logger = logging.getLogger("campus_app.serve")  # __name__ is __main__

_OWN_PACKAGES = ("campus_app", "voice_site", "kit")
_PUBLIC_LOGGERS = (
    "campus_app.ordering.api.payments",
    "campus_app.catalogue.api.restaurants",
    "campus_app.ordering.services.payment_webhooks",
    "campus_app.kitchen.services.ready_push",
)
"""Loggers whose records any client can cause."""
KEEP_ALIVE_SECONDS = 15
"""How long an idle connection is kept; a proxy must close it sooner (deploy/nginx.conf.jinja)."""


def main() -> None:
    """Serve until the process gets SIGTERM or SIGINT."""
    # Reflex reads these when the app is imported: it mounts the built pages and compiles nothing.
    os.environ["REFLEX_ENV_MODE"] = "prod"  # noqa: TID251 - written, not read
    os.environ["__REFLEX_SKIP_COMPILE"] = "true"  # noqa: TID251 - written, not read
    os.environ["__REFLEX_MOUNT_FRONTEND_COMPILED_APP"] = "true"  # noqa: TID251 - written, not read
    gc_tuning.configure()
    chosen = settings()
    logs.configure(chosen.log_format, _OWN_PACKAGES, _PUBLIC_LOGGERS)
    if chosen.otel_exporter_otlp_endpoint:
        _configure_tracing(chosen)
    _require_migrated(chosen.database_url)
    if chosen.log_format is LogFormat.TEXT:
        print(f"FOOD_points is served at {chosen.origin}", flush=True)  # noqa: T201 - for people
    else:
        logger.info("serve: at %s", chosen.origin)
    # Not in the server's event loop: Reflex registers the app in the current context, which there
    # would be the context of a single task.
    from campus_app.campus_app import served  # noqa: PLC0415 - Reflex reads the variables set above

    uvicorn.run(
        partial(_create_app, served),
        factory=True,
        host=chosen.listen_address,
        port=chosen.port,
        forwarded_allow_ips=chosen.trusted_proxies,
        loop="uvloop",
        http=timed_protocol(chosen.request_header_seconds, chosen.request_body_seconds),
        ws="websockets-sansio",
        ws_max_size=MAXIMUM_MESSAGE_BYTES,
        access_log=False,
        log_config=None,
        log_level="warning",
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=3,
    )


def _create_app(served: Callable[[], ASGIApp]) -> ASGIApp:
    """Return the app; the objects it consists of are excluded from garbage collection."""
    app = served()
    logs.remove_other_handlers()
    gc_tuning.freeze()
    return app


def _configure_tracing(chosen: Settings) -> None:
    from kit.observability import tracing  # noqa: PLC0415 - its import takes half a second

    address = chosen.otel_exporter_otlp_endpoint.rstrip("/")
    tracing.configure(address, chosen.otel_service_name, chosen.otel_traces_sampler_arg)


def _require_migrated(url: str) -> None:
    try:
        problem = schema_problem(url, VERSIONS)
    except SQLAlchemyError as error:
        raise SystemExit(start_problem(error)) from None
    if problem:
        raise SystemExit(f"Database: {problem}; run `python -m campus_app.migrate` first")


if __name__ == "__main__":
    main()
