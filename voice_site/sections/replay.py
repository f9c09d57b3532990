"""See it work: a scripted call that the visitor steps through, and the form that it fills in."""

import reflex as rx

from voice_site.components import browser
from voice_site.components.layout import heading, note, section
from voice_site.content import replay as content
from voice_site.translations import t


def replay() -> rx.Component:
    """Render the call, its form and the steps behind it, on a light ground."""
    return section(
        "replay",
        "replay-h",
        rx.el.div(
            heading(t("See it work"), "replay-h"),
            note(t(content.EXAMPLE_LABEL), t(content.EXAMPLE_NOTE)),
            class_name="replay__head",
        ),
        browser.Replay.create(
            words=content.words(),
            calls=content.calls(),
            steps=content.steps(),
            languages=content.languages(),
        ),
        is_light=True,
    )
