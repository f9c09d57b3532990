"""The font files of both products; their names contain a content hash, so browsers cache them."""

from functools import cache
from pathlib import Path
from typing import Final

FONTS: Final = Path(__file__).parents[1] / "assets" / "fonts"


@cache
def font_file(name: str) -> Path:
    """Return the file of a font by its name without the hash, like `figtree-latin`.

    Raises:
        FileNotFoundError: If there is no such file, or more than one.
    """
    files = list(FONTS.glob(f"{name}.*.woff2"))
    if len(files) != 1:
        raise FileNotFoundError(f"{len(files)} fonts are named {name}")
    return files[0]


def font_url(name: str) -> str:
    """Return the path at which browsers load a font; `name` as in `font_file`."""
    return f"/fonts/{font_file(name).name}"
