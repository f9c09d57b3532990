"""The two products' style sheets can be loaded in one tab: they share no class and no fixed name."""

import re
from pathlib import Path

from voice_site.content.plans import PLANS

ASSETS = Path(__file__).parents[2] / "assets"
OURS = (ASSETS / "css" / "tara.css").read_text(encoding="utf-8")
THEIRS = "".join(
    file.read_text(encoding="utf-8")
    for file in (ASSETS / "css").glob("*.css")
    if file.name != "tara.css"
)
_TOAST = {"notice-band"}
"""The ordering product styles the banner that an order brings along."""


def classes(sheet):
    plain = re.sub(r"/\*.*?\*/|url\([^)]*\)|\"[^\"]*\"", "", sheet, flags=re.DOTALL)
    return set(re.findall(r"\.([a-zA-Z][\w-]*)", plain)) - {"woff2"}


def test_products_share_no_css_class():
    assert classes(OURS) & classes(THEIRS) - _TOAST == set()
    assert {"hero", "plan", "pick"} <= classes(OURS)
    assert {"button", "wrap"} <= classes(THEIRS)


def test_each_font_file_exists_with_its_licence():
    files = re.findall(r"url\((/fonts/[^)]+)\)", OURS)
    assert len(files) == 17
    assert [file for file in files if not (ASSETS / file[1:]).is_file()] == []
    families = {file.split("/")[-1].split("-")[1] for file in files}
    assert [f for f in families if not (ASSETS / "fonts" / f"tara-{f}-OFL.txt").is_file()] == []


def test_style_sheet_loads_nothing_from_other_hosts():
    assert re.findall(r"url\((?!/|#|\"data:)[^)]+\)", OURS) == []


def luminance(colour):
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(c * part for c, part in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def test_theme_colours_are_those_of_the_spectrum_and_visible_on_ink():
    # The first declarations are the page's; light sections declare others.
    declared = re.findall(r"--(blue|violet|teal|ink):(#[0-9a-f]{6})", OURS)
    tokens = dict(reversed(declared))
    for plan in PLANS:
        assert f"[data-colour={plan.colour}]{{--own:var(--{plan.colour})}}" in OURS
        contrast = (luminance(tokens[plan.colour]) + 0.05) / (luminance(tokens["ink"]) + 0.05)
        assert contrast >= 3, plan.name


def test_parts_of_a_font_declare_the_same_weights():
    """Otherwise a browser uses one part as the whole font, and characters are missing."""
    faces = re.findall(
        r'font-family:"(Cormorant|Ysabeau Office)";font-style:(\w+);font-weight:([\d ]+);', OURS
    )
    assert len(faces) == 6
    assert len(set(faces)) == 3
