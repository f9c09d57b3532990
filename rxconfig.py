"""One Reflex app serves both products; every choice about the framework is made here."""

import os
import sys
from pathlib import Path
from typing import Any, cast

# Node comes with the virtual environment, and npm, not bun, installs what the build needs.
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
os.environ.setdefault("REFLEX_USE_NPM", "1")

import reflex as rx

from campus_app.ordering.screens import menu_template
from campus_app.shared.rules import routes
from campus_app.shared.settings import settings
from campus_app.shared.translations import IN_TEMPLATES
from kit.reflex.browser_targets import BrowserTargetsPlugin
from kit.reflex.development import DevelopmentPlugin
from kit.reflex.page_plugins import (
    PaintFirstPlugin,
    PrerenderPatternsPlugin,
    TemplatePagePlugin,
)
from kit.reflex.page_templates import PageTemplatesPlugin
from kit.reflex.patches import PatchesPlugin
from kit.reflex.shared_scripts import SharedScriptsPlugin
from kit.templates import page_templates
from kit.translations import language

_settings = settings()
_ALONE = Path(__file__).parent / "campus_app" / "templates" / "alone"

config = rx.Config(
    app_name="campus_app",
    api_url=_settings.origin,
    deploy_url=_settings.origin,
    cors_allowed_origins=_settings.allowed_origins,
    state_manager_mode=cast("Any", "redis" if _settings.redis_url else "memory"),  # becomes an enum
    redis_url=_settings.redis_url or None,
    # In memory too, whatever the name says. Sessions with a socket are renewed
    # (kit/reflex/session_limits.py); the others lose nothing that the browser does not keep.
    redis_token_expiration=_settings.idle_session_seconds,
    # An event waits at most for two calls of the payment provider, each 5 s for a permit and 10 s
    # for the answer. After this time a session that a killed process has locked can be used again;
    # its page does not wait for that, since Reflex gives it a new session.
    redis_lock_expiration=30_000,
    redis_lock_warning_threshold=15_000,
    telemetry_enabled=False,
    show_built_with_reflex=False,
    default_color_mode="system",
    frontend_compression_formats=["brotli", "gzip"],
    plugins=[
        BrowserTargetsPlugin(),
        SharedScriptsPlugin({"kit": 4, "campus_app/operators": 2, "campus_app": 4}),
        PatchesPlugin(),
        DevelopmentPlugin(routes.API_SEGMENTS),
        PrerenderPatternsPlugin(routes.PRERENDERED_EXAMPLES),
        PaintFirstPlugin(routes.HYDRATED_AT_ONCE),
        PageTemplatesPlugin(routes.MENU_TEMPLATES, menu_template.LOOPS, language()),
        TemplatePagePlugin(page_templates(_ALONE, IN_TEMPLATES), "offline.html"),
    ],
    disable_plugins=[rx.plugins.SitemapPlugin],
)
