"""SVG charts; colours are classes, so that they follow the page's theme."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDTH = 1120.0
LEFT, RIGHT = 56.0, 26.0
_LANE = 22.0
_TICK_MINUTES = 10


@dataclass(frozen=True)
class Lane:
    """Spans below an axis; `kind` is the class of their colour."""

    name: str
    spans: Sequence[tuple[float, float]]
    kind: str


def stacked(
    title: str, bars: Sequence[Mapping[str, float]], kinds: Sequence[str], lanes: Sequence[Lane]
) -> str:
    """Return a stacked bar per minute, with lanes below the axis."""
    height, top = 240.0, 12.0
    most = max((sum(bar.values()) for bar in bars), default=1.0) or 1.0
    step = (WIDTH - LEFT - RIGHT) / max(len(bars), 1)
    parts = [*_grid(most, top, height)]
    for index, bar in enumerate(bars):
        y = top + height
        for kind in kinds:
            part = bar.get(kind, 0) / most * height
            y -= part
            parts.append(_box(LEFT + index * step + 1, y, step - 2, part, kind))
    parts += _hours(top + height, len(bars))
    parts += _lanes(lanes, top + height + 34, len(bars))
    return _svg(title, top + height + 34 + len(lanes) * _LANE, parts)


def lines(title: str, series: Mapping[str, Sequence[tuple[float, float]]], minutes: float) -> str:
    """Return one line per kind over the minutes of the hour."""
    height, top = 170.0, 12.0
    most = max((value for points in series.values() for _at, value in points), default=1.0) or 1.0
    parts = [*_grid(most, top, height)]
    for kind, points in series.items():
        placed = " ".join(
            f"{_x(at, minutes):.1f},{top + height * (1 - value / most):.1f}" for at, value in points
        )
        parts.append(f'<polyline class="line {kind}" points="{placed}"/>')
    parts += _hours(top + height, minutes)
    return _svg(title, top + height + 30, parts)


def bars(title: str, amounts: Mapping[str, float], *, limit: float | None = None) -> str:
    """Return a bar per amount with its name, and a line at the limit."""
    height, top = 150.0, 24.0
    most = max([*amounts.values(), limit or 0.0, 1.0])
    step = (WIDTH - LEFT - RIGHT) / max(len(amounts), 1)
    parts = [*_grid(most, top, height)]
    for index, (name, amount) in enumerate(amounts.items()):
        x, tall = LEFT + index * step, amount / most * height
        parts.append(_box(x + step * 0.14, top + height - tall, step * 0.72, tall, "confirmed"))
        parts.append(_text(x + step / 2, top + height - tall - 6, f"{amount:g}", "middle"))
        parts.append(_text(x + step / 2, top + height + 18, name, "middle quiet"))
    if limit is not None:
        y = top + height * (1 - limit / most)
        parts.append(f'<path class="limit" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
    return _svg(title, top + height + 28, parts)


def split(title: str, amounts: Mapping[str, float]) -> str:
    """Return one bar divided among its kinds."""
    whole, x, parts = sum(amounts.values()) or 1.0, 0.0, []
    for kind, amount in amounts.items():
        wide = amount / whole * WIDTH
        parts.append(_box(x, 0, max(wide - 2, 0), 44, kind))
        x += wide
    return _svg(title, 44, parts, shape='class="flat" preserveAspectRatio="none"')


def _grid(most: float, top: float, height: float) -> Iterator[str]:
    for share in (0.0, 0.5, 1.0):
        y = top + height * (1 - share)
        yield f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        yield _text(LEFT - 8, y + 4, f"{most * share:g}", "end quiet")


def _hours(y: float, minutes: float) -> Iterator[str]:
    for minute in range(0, int(minutes) + 1, _TICK_MINUTES):
        hour, rest = divmod(12 * 60 + minute, 60)
        yield _text(_x(minute, minutes), y + 18, f"{hour}:{rest:02}", "middle quiet")


def _lanes(lanes: Sequence[Lane], top: float, minutes: float) -> Iterator[str]:
    for index, lane in enumerate(lanes):
        y = top + index * _LANE
        yield _text(LEFT - 8, y + 11, lane.name, "end quiet")
        for begins, ends in lane.spans:
            x = _x(begins, minutes)
            yield _box(x, y, max(_x(ends, minutes) - x, 2.0), 13, lane.kind)


def _x(minute: float, minutes: float) -> float:
    return LEFT + minute / minutes * (WIDTH - LEFT - RIGHT)


def _box(x: float, y: float, wide: float, tall: float, kind: str) -> str:
    return (
        f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}"/>'
        if tall > 0
        else ""
    )


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _svg(title: str, height: float, parts: Sequence[str], *, shape: str = "") -> str:
    inner = "".join(parts)
    return (
        f'<svg viewBox="0 0 {WIDTH:g} {height:.0f}" role="img" aria-label="{escape(title)}" {shape}>'
        f"{inner}</svg>"
    )
