"""The fonts of both products. Files are called after their content too, and kept for good."""

from functools import cache
from pathlib import Path
from typing import Final

FONTS: Final = Path(__file__).parents[1] / "assets" / "fonts"


@cache
def font_file(name: str) -> Path:
    """Return the file of the font that is called so, like `figtree-latin`.

    Raises:
        FileNotFoundError: If there is none, or more than one.
    """
    files = list(FONTS.glob(f"{name}.*.woff2"))
    if len(files) != 1:
        raise FileNotFoundError(f"{len(files)} fonts are called {name}")
    return files[0]


def font_url(name: str) -> str:
    """Return where browsers find the font that is called so."""
    return f"/fonts/{font_file(name).name}"
