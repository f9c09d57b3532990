"""The bare app: Reflex with Tailwind, and nothing else."""

import reflex as rx

from kit.reflex.patches import PatchesPlugin

config = rx.Config(
    app_name="bare_app",
    state_manager_mode="memory",
    telemetry_enabled=False,
    show_built_with_reflex=False,
    frontend_compression_formats=["brotli", "gzip"],
    plugins=[rx.plugins.TailwindV4Plugin(), PatchesPlugin("own_origin")],
    disable_plugins=[rx.plugins.SitemapPlugin],
)
