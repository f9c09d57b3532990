"""What the sections have in common: their frame, their head, the wordmark, the scene's place."""

from typing import Any

import reflex as rx

from voice_site.components.figures import string, svg


def section(section_id: str, heading_id: str, *content: rx.Component) -> rx.Component:
    return rx.el.section(
        rx.el.div(string(), *content, class_name="width"),
        id=section_id,
        aria_labelledby=heading_id,
        class_name="section",
    )


def heading(words: str, heading_id: str, more: str = "") -> rx.Component:
    return rx.el.h2(words, id=heading_id, tab_index=-1, class_name=f"h-1 {more}".strip())


def inline(**properties: str) -> dict[str, dict[str, str]]:
    """Return attributes that set properties of one element; `__v` is the custom one `--v`.

    As Reflex's `style` each would be a class of its own, made again when the page wakes up.
    """
    return {"style": {name.replace("_", "-"): value for name, value in properties.items()}}


def note(label: str, words: str) -> rx.Component:
    """A figure's caption in the margin."""
    return rx.el.p(rx.el.b(label), " ", words, class_name="note")


def section_head(main: rx.Component, margin: rx.Component | None = None) -> rx.Component:
    return rx.el.div(
        margin or rx.fragment(), rx.el.div(main, class_name="head__main"), class_name="grid head"
    )


def lede(words: str) -> rx.Component:
    return rx.el.p(words, class_name="lede")


def icons() -> list[rx.Component]:
    """The icons and the manifest of the site; React puts them into the head of its page alone."""
    return [
        rx.el.link(rel="icon", href="/tara.svg", type="image/svg+xml"),
        rx.el.link(rel="apple-touch-icon", href="/images/tara/icon-180.png"),
        rx.el.link(rel="manifest", href="/tara.webmanifest"),
    ]


def wordmark() -> rx.Component:
    return rx.el.span("DA", rx.el.span("'", class_name="apos"), "VINCI", class_name="mark")


def stage(*played: rx.Component, is_first: bool) -> rx.Component:
    """The scene's still, and what is `played` over it; the page opens with the first one."""
    haste = {"fetchPriority": "high"} if is_first else {"loading": "lazy"}
    return rx.el.div(
        rx.el.picture(
            rx.el.source(type="image/avif", src_set="/images/tara/ribbons.avif"),
            rx.el.img(
                src="/images/tara/ribbons.webp",
                alt="",
                custom_attrs={"width": 2400, "height": 1080, **haste},
            ),
        ),
        *played,
        class_name="stage",
        aria_hidden=True,
    )


def definitions(*pairs: tuple[str, rx.Component | str]) -> rx.Component:
    """Terms and what they stand for, ruled."""
    return rx.el.dl(*(rx.el.div(rx.el.dt(term), rx.el.dd(said)) for term, said in pairs))


def close_button(on_click: Any) -> rx.Component:
    """A dialog's cross."""
    return rx.el.button(
        svg("0 0 24 24", rx.el.path(d="M4 4l16 16M20 4L4 20")),
        type="button",
        class_name="dlg__x",
        aria_label="Close",
        on_click=on_click,
    )
