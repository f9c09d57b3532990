"""A Reflex app with nothing but Tailwind: what the framework alone costs."""

import os

import reflex as rx
from reflex.constants import StateManagerMode

from kit.reflex.state_script import StateScriptPlugin, connect_to_own_origin

_redis_url = os.environ.get("REDIS_URL")

config = rx.Config(
    app_name="bare_app",
    state_manager_mode=StateManagerMode.REDIS if _redis_url else StateManagerMode.MEMORY,
    redis_url=_redis_url,
    telemetry_enabled=False,
    show_built_with_reflex=False,
    frontend_compression_formats=["brotli", "gzip"],
    plugins=[rx.plugins.TailwindV4Plugin(), StateScriptPlugin(connect_to_own_origin)],
    disable_plugins=[rx.plugins.SitemapPlugin],
)
