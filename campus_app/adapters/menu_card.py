"""A menu as a printed card, drawn from the very menu that is sold, so that they can't disagree."""

import base64
from dataclasses import dataclass
from functools import cache
from textwrap import wrap
from xml.sax.saxutils import escape, quoteattr

from campus_app.domain.customer import tidy_text
from campus_app.domain.menu import Menu, MenuItem, MenuSection
from campus_app.domain.money import format_rupees
from campus_app.domain.restaurant import Restaurant
from campus_app.infrastructure.fonts import font_file

_COLUMN, _MARGIN, _GAP = 380, 40, 44
_HEAD, _FOOT = 156, 40
_LINE, _WRAPPED_LINE, _SECTION = 30, 20, 66
_NAME_CHARACTERS = 34
_TITLE_LINE, _FACTS_LINE = 88, 122
_TITLE = {1: 44, 2: 64}
_PRICE_SIZE = 15


@dataclass(frozen=True)
class _Placed:
    svg: str
    height: int


@cache
def _font(name: str) -> str:
    encoded = base64.b64encode(font_file(name).read_bytes()).decode()
    return f'url("data:font/woff2;base64,{encoded}") format("woff2")'


def _shown(text: str) -> str:
    """Return a text as XML may hold it: without what can't be seen, and escaped."""
    return escape(tidy_text(text))


def _style() -> str:
    display, rupee = (
        _font("bricolage-grotesque-latin"),
        _font("bricolage-grotesque-rupee"),
    )
    return (
        f'@font-face{{font-family:"Card";src:{display};font-weight:700 800;font-stretch:75% 92%;'
        "unicode-range:U+20-7E,U+A0-FF,U+2013-2026}"
        f'@font-face{{font-family:"Card";src:{rupee};font-weight:700 800;font-stretch:75% 92%;'
        "unicode-range:U+20B9}"
        'text{font-family:"Card","Arial Narrow",Arial,sans-serif;fill:#1b1714}'
        ".name{font-size:17px;font-weight:700;font-stretch:92%}"
        f".price{{font-size:{_PRICE_SIZE}px;font-weight:700;text-anchor:end}}"
        ".section{font-size:26px;font-weight:800;font-stretch:80%}"
        ".title{font-weight:800;font-stretch:78%;letter-spacing:-1px}"
        ".small{font-size:15px;font-weight:500;fill:#4a4039}"
        ".leader{stroke:#85776a;stroke-width:2;stroke-dasharray:2 4}"
    )


def _text(text: str) -> str:
    """Return a text as XML takes it, within an element or an attribute."""
    return escape(tidy_text(text), {'"': "&quot;"})


def _dish(item: MenuItem) -> _Placed:
    lines = wrap(tidy_text(item.name), _NAME_CHARACTERS) or [""]
    names = "".join(
        f'<text class="name" x="0" y="{index * _WRAPPED_LINE}">{_text(line)}</text>'
        for index, line in enumerate(lines)
    )
    last = (len(lines) - 1) * _WRAPPED_LINE
    price = format_rupees(item.price)
    start = min(len(lines[-1]) * 8 + 14, _COLUMN - 80)
    end = _COLUMN - len(price) * 9 - 8
    leader = f'<line class="leader" x1="{start}" x2="{end}" y1="{last - 2}" y2="{last - 2}"/>'
    figure = f'<text class="price" x="{_COLUMN}" y="{last}">{_text(price)}</text>'
    return _Placed(names + leader + figure, last + _LINE)


def _section(section: MenuSection) -> _Placed:
    parts = [
        f'<text class="section" x="0" y="24">{_text(section.name)}</text>'
        f'<rect y="34" width="{_COLUMN}" height="3" fill="#1b1714"/>'
    ]
    height = _SECTION
    for dish in map(_dish, section.items):
        parts.append(f'<g transform="translate(0 {height})">{dish.svg}</g>')
        height += dish.height
    return _Placed("".join(parts), height + 18)


def menu_card(restaurant: Restaurant, menu: Menu, *, columns: int = 2) -> str:
    """Return the card as SVG: one column for phones or two, as high as the menu is long."""
    heights, drawn = [0] * columns, list[str]()
    for section in (_section(section) for section in menu.sections() if section.items):
        column = heights.index(min(heights))
        x, y = _MARGIN + column * (_COLUMN + _GAP), _HEAD + heights[column]
        drawn.append(f'<g transform="translate({x} {y})">{section.svg}</g>')
        heights[column] += section.height
    width = 2 * _MARGIN + columns * _COLUMN + (columns - 1) * _GAP
    height = _HEAD + max(heights) + _FOOT
    label = quoteattr(tidy_text(f"Menu card of {restaurant.name}"))
    facts = f"{restaurant.hours} · {len(menu.items)} dishes · all prices in rupees"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label={label}>'
        f"<style>{_style()}</style>"
        f'<rect width="{width}" height="{height}" fill="#fbf7f0"/>'
        f'<rect width="{width}" height="12" fill="#c7341a"/>'
        f'<text class="title" x="{_MARGIN}" y="{_TITLE_LINE}" font-size="{_TITLE[columns]}">'
        f"{_shown(restaurant.name)}</text>"
        f'<text class="small" x="{_MARGIN}" y="{_FACTS_LINE}">{facts}</text>'
        f"{''.join(drawn)}</svg>"
    )
