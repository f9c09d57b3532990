"""Draws a menu as a printed card, in one SVG document for each side."""

import base64
import html
import re
from dataclasses import dataclass
from functools import cache
from textwrap import wrap

from campus_app.catalogue.rules.menu import Dish, Menu, MenuSection
from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.shared.rules.money import format_rupees
from kit.fonts import font_file

SIDES = 2
WIDTH = 460
"""The width of a side, in CSS pixels."""
_MARGIN = 40
_COLUMN = WIDTH - 2 * _MARGIN
_HEAD, _FOOT = 156, 40
_LINE, _WRAPPED_LINE, _SECTION, _SECTION_GAP = 30, 20, 66, 18
_NAME_CHARACTERS = 34
_NAME_CHARACTER_WIDTH, _PRICE_CHARACTER_WIDTH, _LEADER_GAP = 8, 9, 14
_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True)
class _Block:
    svg: str
    height: int


def menu_card(restaurant: Restaurant, menu: Menu) -> tuple[str, ...]:
    """Return the sides of the card as SVG documents of one height.

    The sections fill the sides so that these differ in height as little as possible without
    changing the order of the sections.
    """
    sections = [_section(section) for section in menu.categories()]
    sides = _split(sections)
    height = _HEAD + max(sum(block.height for block in side) for side in sides) + _FOOT
    return tuple(_side(restaurant, menu, blocks, height) for blocks in sides)


def _split(blocks: list[_Block]) -> tuple[list[_Block], list[_Block]]:
    def taller(cut: int) -> int:
        return max(sum(each.height for each in side) for side in (blocks[:cut], blocks[cut:]))

    cut = min(range(len(blocks) + 1), key=taller)
    return blocks[:cut], blocks[cut:]


def _side(restaurant: Restaurant, menu: Menu, blocks: list[_Block], height: int) -> str:
    drawn, top = list[str](), _HEAD
    for block in blocks:
        drawn.append(f'<g transform="translate({_MARGIN} {top})">{block.svg}</g>')
        top += block.height
    facts = f"{restaurant.hours} · {len(menu.dishes)} dishes · all prices in rupees"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}">'
        f"<style>{_style()}</style>"
        f'<rect width="{WIDTH}" height="{height}" fill="#fbf7f0"/>'
        f'<rect width="{WIDTH}" height="12" fill="#c7341a"/>'
        f'<text class="title" x="{_MARGIN}" y="88">{_text(restaurant.name)}</text>'
        f'<text class="small" x="{_MARGIN}" y="122">{facts}</text>'
        f"{''.join(drawn)}</svg>"
    )


def _section(section: MenuSection) -> _Block:
    parts = [
        f'<text class="section" y="24">{_text(section.name)}</text>'
        f'<rect y="34" width="{_COLUMN}" height="3" fill="#1b1714"/>'
    ]
    height = _SECTION
    for dish in map(_dish, section.dishes):
        parts.append(f'<g transform="translate(0 {height})">{dish.svg}</g>')
        height += dish.height
    return _Block("".join(parts), height + _SECTION_GAP)


def _dish(dish: Dish) -> _Block:
    lines = wrap(dish.name, _NAME_CHARACTERS) or [""]
    names = "".join(
        f'<text class="name" y="{index * _WRAPPED_LINE}">{_text(line)}</text>'
        for index, line in enumerate(lines)
    )
    last = (len(lines) - 1) * _WRAPPED_LINE
    price = format_rupees(dish.price)
    start = min(len(lines[-1]) * _NAME_CHARACTER_WIDTH + _LEADER_GAP, _COLUMN - 80)
    end = _COLUMN - len(price) * _PRICE_CHARACTER_WIDTH - 8
    leader = f'<line class="leader" x1="{start}" x2="{end}" y1="{last - 2}" y2="{last - 2}"/>'
    figure = f'<text class="price" x="{_COLUMN}" y="{last}">{_text(price)}</text>'
    return _Block(names + leader + figure, last + _LINE)


def _text(text: str) -> str:
    return html.escape(_NOT_IN_XML.sub("", text))


@cache
def _font(name: str) -> str:
    encoded = base64.b64encode(font_file(name).read_bytes()).decode()
    return f'url("data:font/woff2;base64,{encoded}") format("woff2")'


def _style() -> str:
    faces = "".join(
        f'@font-face{{font-family:"Card";src:{_font(f"bricolage-grotesque-{part}")};'
        f"font-weight:700 800;font-stretch:75% 92%;unicode-range:{characters}}}"
        for part, characters in {"latin": "U+20-7E,U+A0-FF,U+2013-2026", "rupee": "U+20B9"}.items()
    )
    return (
        f"{faces}"
        'text{font-family:"Card","Arial Narrow",Arial,sans-serif;fill:#1b1714}'
        ".name{font-size:17px;font-weight:700;font-stretch:92%}"
        ".price{font-size:15px;font-weight:700;text-anchor:end}"
        ".section{font-size:26px;font-weight:800;font-stretch:80%}"
        ".title{font-size:44px;font-weight:800;font-stretch:78%;letter-spacing:-1px}"
        ".small{font-size:15px;font-weight:500;fill:#4a4039}"
        ".leader{stroke:#85776a;stroke-width:2;stroke-dasharray:2 4}"
    )
