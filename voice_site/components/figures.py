"""The figures of the page, as SVG: strings, waves, lengths."""

from collections.abc import Sequence

import reflex as rx

from voice_site.content.roadmap import Phase

_WIDTH, _MIDDLE = 720, 31
_AMPLITUDE, _AMPLITUDE_STEP = 25.0, 0.9
_NEAR_X, _NEAR_Y, _FAR_X = 0.163, 0.512, 0.319
"""The control points of the Bézier curves that approximate half a sine, relative to its size."""


def svg(view_box: str, *shapes: rx.Component, is_stretched: bool = False) -> rx.Component:
    """Draw shapes; `is_stretched` fills the width and height of the element."""
    stretched = {"preserveAspectRatio": "none"} if is_stretched else {}
    return rx.el.svg(*shapes, view_box=view_box, aria_hidden=True, custom_attrs=stretched)


def line(
    start: tuple[float, float], end: tuple[float, float], class_name: str = ""
) -> rx.Component:
    """Draw a line between two points (x, y)."""
    (x1, y1), (x2, y2) = start, end
    return rx.el.line(x1=f"{x1:g}", y1=f"{y1:g}", x2=f"{x2:g}", y2=f"{y2:g}", class_name=class_name)


def arc(start: int, radius: int) -> rx.Component:
    """Draw a half circle above the hero's string, from x = `start`."""
    return rx.el.path(d=f"M{start} 306a{radius} {radius} 0 0 1 {2 * radius} 0")


def string() -> rx.Component:
    """Draw the hairline above a section, with the divisions of the page's grid."""
    return rx.el.i(class_name="string", aria_hidden=True)


def measuring_string() -> rx.Component:
    """Draw the hero's string with arcs between 6, 8, 9 and 12 of its twelve parts."""
    arcs = [arc(600, 300), arc(600, 100), arc(800, 200), arc(800, 50), arc(900, 150)]
    ticks = [line((x, 300), (x, 312), "st") for x in (0, 300, 600, 800, 900, 1200)]
    hairline = line((0, 306), (1200, 306), "st")
    return svg("0 0 1200 312", *arcs, hairline, *ticks, is_stretched=True)


def standing_wave(phase: Phase) -> rx.Component:
    """Draw a string with as many half-waves as the number of the phase."""
    nodes = "".join(
        f"M{_format(_WIDTH * node / phase.number)} {_MIDDLE}h.01"
        for node in range(phase.number + 1)
    )
    return svg(
        f"0 0 {_WIDTH} {2 * _MIDDLE}",
        line((0, _MIDDLE), (_WIDTH, _MIDDLE)),
        rx.el.path(d=_wave(phase.number, -1)),
        rx.el.path(d=_wave(phase.number, 1)),
        rx.el.path(d=nodes, class_name="nd"),
        is_stretched=True,
    )


def _wave(half_waves: int, sign: int) -> str:
    width = _WIDTH / half_waves
    amplitude = sign * (_AMPLITUDE - _AMPLITUDE_STEP * (half_waves - 1))
    return f"M0 {_MIDDLE}" + "".join(
        _half_wave(index * width, width, amplitude * (-1) ** index) for index in range(half_waves)
    )


def _half_wave(start: float, width: float, amplitude: float) -> str:
    peak, bend = _format(_MIDDLE + amplitude), _format(_MIDDLE + amplitude * _NEAR_Y)
    return (
        f"C{_format(start + width * _NEAR_X)} {bend}"
        f" {_format(start + width * _FAR_X)} {peak} {_format(start + width / 2)} {peak}"
        f"S{_format(start + width * (1 - _NEAR_X))} {bend} {_format(start + width)} {_MIDDLE}"
    )


def _format(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def length(part: float, marks: Sequence[float]) -> rx.Component:
    """Draw a string of 100 units; `part` of it and the `marks` are highlighted."""
    ends = [line((x, 0), (x, 10)) for x in (0, 100)]
    return svg(
        "0 0 100 10",
        line((0, 5), (100, 5)),
        *ends,
        line((0, 5), (part, 5), "on"),
        *(line((x, 0), (x, 10), "on") for x in marks),
        is_stretched=True,
    )


def spectrum() -> rx.Component:
    """Define the gradient `#spectrum`, which the style sheet uses for strokes."""
    stops = [("0", "#5c86ff"), (".52", "#a377ff"), ("1", "#35d3bd")]
    gradient = rx.el.linear_gradient(
        *(rx.el.stop(offset=at, custom_attrs={"stopColor": colour}) for at, colour in stops),
        id="spectrum",
        gradient_units="userSpaceOnUse",
        x1=0,
        x2=_WIDTH,
        y1=0,
        y2=0,
    )
    return rx.el.svg(
        rx.el.defs(gradient),
        class_name="sr-only",
        aria_hidden=True,
        custom_attrs={"width": "0", "height": "0"},
    )
