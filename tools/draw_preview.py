"""Draws the picture of link previews: `python -m tools.draw_preview`.

It shows the hero's still image, string and headline. Needs Playwright and Chromium.
"""

import base64
from pathlib import Path

from kit.fonts import font_file
from tools.chromium import chromium_page

ASSETS = Path(__file__).parents[1] / "assets"
TARGET = ASSETS / "images" / "tara" / "preview.jpg"
PAGE = """<!doctype html><meta charset="utf-8"><style>
@font-face{{font-family:C;src:url({roman});font-weight:300 700}}
@font-face{{font-family:C;font-style:italic;src:url({italic});font-weight:300 700}}
*{{margin:0;box-sizing:border-box}}
body{{width:1200px;height:630px;position:relative}}
body{{background:#07080e;color:#efe6d2;font-family:C}}
img{{position:absolute;top:0;width:100%;height:470px;object-fit:cover;object-position:62% 50%}}
i{{position:absolute;inset:250px 0 160px}}
i{{background:linear-gradient(#07080e00,#07080eaa 40%,#07080e 96%)}}
p{{position:absolute;left:64px;top:48px;font:500 38px/1 C;letter-spacing:.13em}}
p b{{font-weight:500;color:#5c86ff}}
hr{{position:absolute;left:64px;right:64px;top:372px;border:0;border-top:1px solid #efe6d2aa}}
h1{{position:absolute;left:64px;bottom:52px;font:430 68px/.98 C;letter-spacing:-.02em}}
h1 em{{display:block}} h1 span{{display:block;color:#b4ad9c}}
</style><img src="{still}"><i></i><p>DA<b>'</b>VINCI</p><hr>
<h1><span>TARA listens, understands, acts</span>
<em>and answers in your caller’s own language</em></h1>
"""


def embedded(path: Path, kind: str) -> str:
    """Return the data URL of a file."""
    return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"


def main() -> None:
    """Draw the picture in the size of link previews."""
    html = PAGE.format(
        roman=embedded(font_file("tara-cormorant-normal"), "font/woff2"),
        italic=embedded(font_file("tara-cormorant-italic"), "font/woff2"),
        still=embedded(ASSETS / "images" / "tara" / "ribbons.webp", "image/webp"),
    )
    with chromium_page(1200, 630) as page:
        page.set_content(html)
        page.evaluate("document.fonts.ready")
        page.screenshot(path=TARGET, type="jpeg", quality=86)
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
