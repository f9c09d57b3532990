"""SVG charts; colours are set by CSS classes, so that they follow the page's theme."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDTH = 1120.0
LEFT, RIGHT = 56.0, 26.0
_LANE_HEIGHT = 22.0
_TICK_MINUTES = 10


@dataclass(frozen=True)
class Lane:
    """Time spans below an axis; `kind` is the CSS class of their colour."""

    name: str
    spans: Sequence[tuple[float, float]]
    kind: str


def stacked(
    title: str, bars: Sequence[Mapping[str, float]], kinds: Sequence[str], lanes: Sequence[Lane]
) -> str:
    """Return a stacked bar per minute, with lanes below the axis."""
    height, top = 240.0, 12.0
    maximum = max((sum(bar.values()) for bar in bars), default=1.0) or 1.0
    step = (WIDTH - LEFT - RIGHT) / max(len(bars), 1)
    parts = [*_grid(maximum, top, height)]
    for index, bar in enumerate(bars):
        y = top + height
        for kind in kinds:
            part = bar.get(kind, 0) / maximum * height
            y -= part
            parts.append(_box(LEFT + index * step + 1, y, step - 2, part, kind))
    parts += _hours(top + height, len(bars))
    parts += _lanes(lanes, top + height + 34, len(bars))
    return _svg(title, top + height + 34 + len(lanes) * _LANE_HEIGHT, parts)


def lines(title: str, series: Mapping[str, Sequence[tuple[float, float]]], minutes: float) -> str:
    """Return one line per kind over the minutes of the hour."""
    height, top = 170.0, 12.0
    maximum = (
        max((value for points in series.values() for _at, value in points), default=1.0) or 1.0
    )
    parts = [*_grid(maximum, top, height)]
    for kind, points in series.items():
        coordinates = " ".join(
            f"{_x(at, minutes):.1f},{top + height * (1 - value / maximum):.1f}"
            for at, value in points
        )
        parts.append(f'<polyline class="line {kind}" points="{coordinates}"/>')
    parts += _hours(top + height, minutes)
    return _svg(title, top + height + 30, parts)


def bars(title: str, amounts: Mapping[str, float], *, limit: float | None = None) -> str:
    """Return a bar per amount with its name, and a line at the limit."""
    height, top = 150.0, 24.0
    maximum = max([*amounts.values(), limit or 0.0, 1.0])
    step = (WIDTH - LEFT - RIGHT) / max(len(amounts), 1)
    parts = [*_grid(maximum, top, height)]
    for index, (name, amount) in enumerate(amounts.items()):
        x, bar_height = LEFT + index * step, amount / maximum * height
        parts.append(
            _box(x + step * 0.14, top + height - bar_height, step * 0.72, bar_height, "confirmed")
        )
        parts.append(_text(x + step / 2, top + height - bar_height - 6, f"{amount:g}", "middle"))
        parts.append(_text(x + step / 2, top + height + 18, name, "middle quiet"))
    if limit is not None:
        y = top + height * (1 - limit / maximum)
        parts.append(f'<path class="limit" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
    return _svg(title, top + height + 28, parts)


def split(title: str, amounts: Mapping[str, float]) -> str:
    """Return one bar, divided in proportion to the amounts."""
    total, x, parts = sum(amounts.values()) or 1.0, 0.0, []
    for kind, amount in amounts.items():
        width = amount / total * WIDTH
        parts.append(_box(x, 0, max(width - 2, 0), 44, kind))
        x += width
    return _svg(title, 44, parts, shape='class="flat" preserveAspectRatio="none"')


def _grid(maximum: float, top: float, height: float) -> Iterator[str]:
    for share in (0.0, 0.5, 1.0):
        y = top + height * (1 - share)
        yield f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        yield _text(LEFT - 8, y + 4, f"{maximum * share:g}", "end quiet")


def _hours(y: float, minutes: float) -> Iterator[str]:
    for minute in range(0, int(minutes) + 1, _TICK_MINUTES):
        hour, remainder = divmod(12 * 60 + minute, 60)
        yield _text(_x(minute, minutes), y + 18, f"{hour}:{remainder:02}", "middle quiet")


def _lanes(lanes: Sequence[Lane], top: float, minutes: float) -> Iterator[str]:
    for index, lane in enumerate(lanes):
        y = top + index * _LANE_HEIGHT
        yield _text(LEFT - 8, y + 11, lane.name, "end quiet")
        for begins, ends in lane.spans:
            x = _x(begins, minutes)
            yield _box(x, y, max(_x(ends, minutes) - x, 2.0), 13, lane.kind)


def _x(minute: float, minutes: float) -> float:
    return LEFT + minute / minutes * (WIDTH - LEFT - RIGHT)


def _box(x: float, y: float, width: float, height: float, kind: str) -> str:
    return (
        f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'
        if height > 0
        else ""
    )


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _svg(title: str, height: float, parts: Sequence[str], *, shape: str = "") -> str:
    content = "".join(parts)
    return (
        f'<svg viewBox="0 0 {WIDTH:g} {height:.0f}" role="img" aria-label="{escape(title)}" {shape}>'
        f"{content}</svg>"
    )
