"""The texts with which a page says that its connection is lost."""

import reflex as rx


class ConnectionTexts(rx.Component):
    """Replaces texts of the banner of a lost connection on the page that renders it.

    `words` are shown while the connection is lost, `silent` while the server does not answer.
    """

    library = rx.asset("js/kit/connection.jsx").importable_path
    tag = "ConnectionTexts"
    words: rx.Var[str]
    silent: rx.Var[str]
