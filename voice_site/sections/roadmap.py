"""Where TARA stands: the roadmap, each phase drawn as a wave."""

from typing import Any

import reflex as rx

from voice_site.components.figures import standing_wave
from voice_site.components.layout import heading, lede, section
from voice_site.content import copy
from voice_site.content.roadmap import PHASES, Phase, Progress
from voice_site.translations import t

_MARKS = {Progress.COMPLETED: "done", Progress.ACTIVE: "active", Progress.PENDING: "pending"}


def roadmap() -> rx.Component:
    """Render each phase with its progress and its wave."""
    return section(
        "roadmap",
        "road-h",
        rx.el.div(
            rx.el.div(
                heading(t("Where TARA stands"), "road-h"),
                lede(t(copy.ROADMAP_LEAD)),
                class_name="road__head",
            ),
            rx.el.ol(*(_phase(each) for each in PHASES), class_name="road"),
            class_name="grid",
        ),
    )


def _phase(phase: Phase) -> rx.Component:
    is_active = phase.progress is Progress.ACTIVE
    current: dict[str, Any] = {"aria_current": "step"} if is_active else {}
    return rx.el.li(
        rx.el.span(str(phase.number), class_name="k", aria_hidden=True),
        rx.el.h3(t(phase.name)),
        rx.el.span(t(phase.progress.value), class_name="s"),
        standing_wave(phase),
        class_name="phase",
        data_s=_MARKS[phase.progress],
        **current,
    )
