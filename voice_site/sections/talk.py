"""Say it in your own words: a conversation with the demonstration."""

import reflex as rx

from voice_site.components import browser
from voice_site.components.layout import heading, note, section
from voice_site.content import talk as content
from voice_site.states.talk_state import TalkState
from voice_site.translations import t


def talk() -> rx.Component:
    """Render the conversation, its form and the measured steps, on a light ground."""
    parts = section(
        "talk",
        "talk-h",
        rx.el.div(
            heading(t("Now say it yourself"), "talk-h"),
            note(t(content.LABEL), t(content.NOTE)),
            class_name="replay__head",
        ),
        browser.Talk.create(
            words=content.words(),
            steps=content.steps(),
            forms=content.forms(),
            suggestions=content.suggestions(),
            longest=content.longest(),
            answer=TalkState.answer,
            on_say=TalkState.say,
        ),
        rx.el.noscript(rx.el.p(t("This needs JavaScript, which is off."), class_name="lede")),
        is_light=True,
    )
    parts.custom_attrs = {"data-testid": "talk"}
    return parts
