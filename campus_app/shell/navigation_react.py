"""Components that navigate, set the title or replace a screen without an event of the server."""

import reflex as rx

_LIBRARY = rx.asset("js/campus_app/shell/navigation.jsx").importable_path


class ExternalRedirect(rx.Component):
    """Navigates to an address outside the app when `url` changes.

    Its first value is ignored: it may be of an earlier visit.
    """

    library = _LIBRARY
    tag = "ExternalRedirect"
    url: rx.Var[str]


class NavigateAfter(rx.Component):
    """Replaces this screen by the one at `to` after `ms`, or later, once its code is loaded."""

    library = _LIBRARY
    tag = "NavigateAfter"
    ms: rx.Var[int]
    to: rx.Var[str]


class NavigateUnlessPresent(rx.Component):
    """Navigates to `to` if no element has the id `target` after `ms` (specification 2.51)."""

    library = _LIBRARY
    tag = "NavigateUnlessPresent"
    target: rx.Var[str]
    ms: rx.Var[int]
    to: rx.Var[str]


class DocumentTitle(rx.Component):
    """Sets the title of the page, for routes whose title depends on their data."""

    library = _LIBRARY
    tag = "DocumentTitle"
    words: rx.Var[str]


class FallbackAfterTimeout(rx.Component):
    """Shows its second child instead of its first if the server does not respond in time."""

    library = _LIBRARY
    tag = "FallbackAfterTimeout"
    waiting: rx.Var[bool]
    """Whether the first child waits for the server. It is replaced after 30 s, or 10 s without a
    connection; after 5 s, or at once, if the address has `hasError=true`: then the visitor has
    waited on the payment screen before."""
