"""Page-wide functions of the browser: readiness, offline use, busy buttons, printing, language."""

from typing import Any

import reflex as rx

from kit.reflex.binding import action, of_module
from kit.translations import COOKIE

_LANGUAGE = rx.asset("js/campus_app/shell/language.jsx").importable_path
reload_page = action("window.location.reload()")
print_page = action("window.print()")


class PageReady(rx.Component):
    """Reports that React handles the page's events, and whether the page is hydrated."""

    library = rx.asset("js/kit/page_ready.jsx").importable_path
    tag = "PageReady"
    hydrated: rx.Var[bool]


class RegisterServiceWorker(rx.Component):
    """Registers a service worker once the page has loaded, and names it each page that opens."""

    library = rx.asset("js/kit/service_worker.jsx").importable_path
    tag = "RegisterServiceWorker"
    path: rx.Var[str]


class BusyButtons(rx.Component):
    """Marks buttons of the class `asks` as busy from the click until the server's response."""

    library = rx.asset("js/campus_app/shell/busy_buttons.jsx").importable_path
    tag = "BusyButtons"


MANIFEST = rx.asset("js/campus_app/shell/app_manifest.jsx").importable_path


class AppManifest(rx.Component):
    """The link to the app's manifest: `href`, or `shortcuts` with the ids of the last kitchens."""

    library = MANIFEST
    tag = "AppManifest"
    href: rx.Var[str] = rx.Var.create("/manifest.webmanifest")
    shortcuts: rx.Var[str] = rx.Var.create("/api/app-manifest?kitchens=")


class PrintOnly(rx.Component):
    """Adds its children to the page only while it is printed."""

    library = rx.asset("js/campus_app/shell/print.jsx").importable_path
    tag = "PrintOnly"


def choose_language(code: str) -> Any:
    """Return an event handler that stores a language, and reloads the page in it."""
    return action(f'chooseLanguage("{COOKIE}", "{code}")', of_module(_LANGUAGE, "chooseLanguage"))


class LanguageWatch(rx.Component):
    """Reloads a page that is not in the chosen language, like one from a cache or another tab."""

    library = _LANGUAGE
    tag = "LanguageWatch"
    cookie: rx.Var[str]
