"""Reduces the fonts to the used characters: `python -m tools.subset_fonts FOLDER_OF_ORIGINALS`.

Needs fonttools, unlike the product itself. The base fonts contain ASCII and our punctuation, and
every page loads them; browsers load the accents, for people's names, only for pages that use them.
"""

import hashlib
import re
import sys
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

from campus_app.shared.translations import LANGUAGES
from kit.fonts import FONTS
from kit.translations import own_name
from voice_site.content.languages import LANGUAGES as SPOKEN

STYLES = FONTS.parent / "css"
DIGITS = 8
"""The number of digits of the content's hash in a font's name, since fonts are cached for ever."""
BASE = {*range(0x20, 0x7F), 0xA0, 0xB7, 0xD7, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D}
BASE |= {0x2026, 0x2212}
LATIN = 0x24F
SIGNS = (*range(0x900, 0x980), 0x200C, 0x200D)
DEVANAGARI = {
    "anek-devanagari-display": (800, 80),
    "anek-devanagari-text": (500, 95),
}
"""The weight and width of each font."""
SHAPING = [
    *("abvm", "abvs", "akhn", "blwf", "blwm", "blws", "ccmp", "cjct", "dist", "haln", "half"),
    *("init", "kern", "locl", "mark", "mkmk", "nukt", "pres", "psts", "rkrf", "rphf", "vatu"),
]
ACCENTS = {*range(0xA1, 0x100), *range(0x2010, 0x2045)} - BASE
FEATURES = ["kern", "tnum", "lnum", "ccmp", "liga"]
DISPLAY = "bricolage-grotesque-latin"
AXES = {"wght": (700, 800), "wdth": (75, 92)}
TARA_WEIGHTS = {
    "tara-cormorant-normal": (400, 500),
    "tara-cormorant-italic": (460, 460),
    "tara-ysabeau-normal": (450, 560),
}
TARA_FEATURES = [*FEATURES, "onum", "pnum", "calt"]
SCRIPTS = {
    "tara-noto-bengali": ("bn",),
    "tara-noto-gurmukhi": ("pa",),
    "tara-noto-gujarati": ("gu",),
    "tara-noto-odia": ("or",),
    "tara-noto-tamil": ("ta",),
    "tara-noto-telugu": ("te",),
    "tara-noto-kannada": ("kn",),
    "tara-noto-malayalam": ("ml",),
    "tara-noto-urdu": ("ur",),
}
"""The languages of each font of a native script."""


def subset(font: TTFont, codepoints: set[int], features: Sequence[str] | None = None) -> None:
    """Reduce a font to some characters; `features` replace the default OpenType features."""
    options = Options()
    if features is not None:
        options.layout_features = list(features)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=codepoints)
    subsetter.subset(font)


def save(font: TTFont, name: str) -> None:
    """Replace the font of a name, and its hash in the style sheets."""
    font.flavor = "woff2"
    whole = BytesIO()
    font.save(whole)
    digest = hashlib.sha256(whole.getvalue()).hexdigest()[:DIGITS]
    for earlier in FONTS.glob(f"{name}.*.woff2"):
        earlier.unlink()
    file = FONTS / f"{name}.{digest}.woff2"
    file.write_bytes(whole.getvalue())
    for sheet in STYLES.glob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        named = re.sub(rf"/fonts/{name}\.\w+\.woff2", f"/fonts/{file.name}", text)
        sheet.write_text(named, encoding="utf-8")
    print(f"{file.name}: {file.stat().st_size} bytes")


def cut(source: Path, name: str, codepoints: set[int]) -> None:
    """Write a font with these characters only."""
    font = TTFont(source)
    if source.stem == DISPLAY:
        font = instantiateVariableFont(font, AXES)
    subset(font, codepoints, FEATURES)
    save(font, name)


def cut_weights(source: Path, weights: tuple[int, int]) -> None:
    """Write a font of the assistant's page, with the weights from the first to the second."""
    font = TTFont(source)
    subset(font, BASE, TARA_FEATURES)
    least, most = weights
    save(instantiateVariableFont(font, {"wght": least if least == most else weights}), source.stem)


def cut_page_script(source: Path) -> None:
    """Write the landing page's Devanagari with all letters, since the page is in Hindi, too.

    A second font has only the letters of the languages' own names, which every page shows.
    """
    font = TTFont(source)
    subset(font, {*SIGNS, 0x20}, SHAPING)
    save(font, source.stem)
    names = TTFont(source)
    own_names = "".join(map(own_name, LANGUAGES))
    subset(names, {ord(sign) for sign in own_names if ord(sign) > LATIN}, SHAPING)
    save(names, "tara-noto-own-names")


def cut_script(source: Path, codes: tuple[str, ...]) -> None:
    """Write a script's font with the characters of the greetings only."""
    languages = [language for language in SPOKEN if language.code in codes]
    texts = [text for each in languages for text in (each.own_name, each.greeting, each.sentence)]
    words = set("".join(texts))
    font = TTFont(source)
    native = {ord(sign) for sign in words if ord(sign) > LATIN} & set(font.getBestCmap() or {})
    subset(font, native | {0x20})
    save(font, source.stem)


def cut_devanagari(source: Path, name: str, texts: Iterable[str], weight: int, width: int) -> None:
    """Write one style of the ordering product's Devanagari, with the characters of these texts.

    It contains every conjunct of them, also unused ones.
    """
    font = TTFont(source)
    subset(font, {ord(sign) for text in texts for sign in text if ord(sign) > LATIN}, SHAPING)
    whole = BytesIO()
    font.flavor = None
    font.save(whole)
    whole.seek(0)
    save(instantiateVariableFont(TTFont(whole), {"wght": weight, "wdth": width}), name)


def main(originals: Path) -> None:
    """Write every font but the rupee's, which are small already."""
    devanagari = originals / "anek-devanagari.woff2"
    for name, (weight, width) in DEVANAGARI.items():
        cut_devanagari(devanagari, name, ["".join(map(chr, SIGNS))], weight, width)
    own_names = [own_name(code) for code in LANGUAGES]
    cut_devanagari(devanagari, "anek-devanagari-own-names", own_names, 500, 95)
    cut_page_script(originals / "tara-noto-devanagari.woff2")
    for name, codes in SCRIPTS.items():
        cut_script(originals / f"{name}.woff2", codes)
    for name, weights in TARA_WEIGHTS.items():
        cut_weights(originals / f"{name}.woff2", weights)
    for source in sorted(originals.glob("*-latin.woff2")):
        cut(source, source.stem, BASE)
        if "mono" not in source.stem:
            cut(source, source.stem.replace("-latin", "-accents"), ACCENTS)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
