"""A Reflex app with nothing but Tailwind: what the framework alone costs."""

import reflex as rx
from reflex.constants import StateManagerMode

from campus_app.infrastructure.reflex_build import SameOriginPlugin

config = rx.Config(
    app_name="bare_app",
    state_manager_mode=StateManagerMode.MEMORY,
    telemetry_enabled=False,
    show_built_with_reflex=False,
    frontend_compression_formats=["brotli", "gzip"],
    plugins=[rx.plugins.TailwindV4Plugin(), SameOriginPlugin()],
    disable_plugins=[rx.plugins.SitemapPlugin],
)
