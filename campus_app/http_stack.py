"""The ASGI layers around Reflex: what every request and websocket passes through, in order."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import reflex as rx
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp

from campus_app import routes
from campus_app.api import create_api
from campus_app.api.catalogue import shown_menu
from campus_app.api.restaurants import LIVE
from campus_app.pages.initial_statuses import initial_statuses
from campus_app.pages.prerendered_menu import PrerenderedMenus
from campus_app.settings import Settings
from campus_app.translations import LANGUAGES, chosen_language, language, set_locale
from kit.http.csp import BuiltPages, PagePolicy
from kit.http.locale import PageFolders, in_chosen_language
from kit.http.middleware import (
    body_limit,
    common_headers,
    not_found_in_language,
    one_line_addresses,
    page_addresses,
    short_headers,
    with_first_words,
    written_pages,
)
from kit.http.same_origin import own_origins_only
from kit.http.sockets import EVENTS, LimitedSockets, events_directly
from kit.reflex.page_templates import page_templates_of
from kit.reflex.pages import BUILT_PAGES, Page
from kit.reflex.sessions import Line
from voice_site.api import demo_requests, scene, seo
from voice_site.wiring import Site

_BODY_BYTES = 256 * 1024


def api_transformers(settings: Settings, site: Site, pages: Sequence[Page]) -> list[Any]:
    """Return what `rx.App(api_transformer=…)` takes: the HTTP interface, then layers around it.

    Each layer wraps all that stand before it.
    """
    folders = PageFolders(BUILT_PAGES, LANGUAGES, language)
    policy = PagePolicy(settings.allowed_origins, site.settings.foreign_sources)
    menus = PrerenderedMenus(page_templates_of(BUILT_PAGES), shown_menu, initial_statuses)
    initial_data = {page.route: page.initial_data for page in pages if page.initial_data}
    in_sitemap = [page.route for page in pages if page.is_in_sitemap]
    return [
        create_api(
            demo_requests.create_router(site),
            scene.create_router(site.settings.scene),
            seo.create_router(settings.origin, BUILT_PAGES / "index.html", in_sitemap),
        ),
        body_limit(_BODY_BYTES, ("/api", "/payment/", "/sandbox")),
        partial(BuiltPages, static=BUILT_PAGES, policy=policy),
        page_addresses(folders, routes.PRERENDERED),
        written_pages(with_first_words(folders, initial_data), policy),
        written_pages(menus.page, policy),
        not_found_in_language(folders, policy),
        in_chosen_language(chosen_language, set_locale),
        common_headers(is_encrypted=settings.is_encrypted),
    ]


def served_app(app: rx.App, settings: Settings, line: Line | None) -> ASGIApp:
    """Return the app as a server serves it: behind the checks that come before its first route."""
    layers: list[Callable[[ASGIApp], ASGIApp]] = [events_directly, short_headers]
    if line:
        layers.append(line.wrap)
    layers += [
        partial(LimitedSockets, paths=(EVENTS, LIVE), allowance=settings.sockets),
        own_origins_only(settings.allowed_origins),
        partial(TrustedHostMiddleware, allowed_hosts=settings.allowed_hosts, www_redirect=False),
        one_line_addresses,
    ]
    served: ASGIApp = app
    for layer in layers:
        served = layer(served)
    return served
