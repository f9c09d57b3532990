"""Records our own scene as a video: `python -m tools.hero_video`.

Needs ffmpeg, Playwright and Chromium, unlike the product itself. Draws one period of
`assets/js/voice_site/scene_ribbons.js` frame by frame, so that the loop has no seam, and writes it
into `assets/video` in two formats; the first frame becomes the still image of `assets/images/tara`.
The frames of a scene are always the same; AV1's encoder is not deterministic.
"""

import base64
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page

from tools.chromium import chromium_page

ASSETS = Path(__file__).parents[1] / "assets"
SCENE = ASSETS / "js" / "voice_site"
STILL = ASSETS / "images" / "tara"
PERIOD_MS = 12_000
FRAMES_A_SECOND = 24
VIDEO_SIZE = (1280, 576)
FULL = (2400, 1080)
MOST_BYTES = 350 * 1024

_PAGE = (
    "<style>*{{margin:0}}div,canvas{{display:block;width:{0}px;height:{1}px}}</style><div></div>"
)
_OPEN = "\nwindow.scene = load(document.querySelector('div'), { dpi: 1 });"
_DRAW = "(ms) => { scene.draw(ms); return document.querySelector('canvas').toDataURL('image/png') }"
_COLOURS = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"]
_MATRIX = "scale=in_range=pc:out_range=tv:out_color_matrix=bt709:flags=accurate_rnd"
_AV1 = "-c:v libsvtav1 -preset 4 -crf 38 -g 288"
_H264 = "-c:v libx264 -preset veryslow -crf 27 -aq-mode 3 -profile:v high -level 3.1"
_FILMS = {
    "ribbons-av1.mp4": (_AV1, f"{_MATRIX},format=yuv420p10le"),
    "ribbons.mp4": (_H264, f"{_MATRIX},scale=960:432:flags=lanczos,format=yuv420p"),
}
"""Ten bits avoid banding in the dark; H.264 is smaller, so that it plays smoothly."""

_STILLS = {
    "ribbons.avif": ["-c:v", "libaom-av1", "-still-picture", "1", "-crf", "30", "-cpu-used", "3"],
    "ribbons.webp": ["-c:v", "libwebp", "-quality", "82", "-compression_level", "6"],
}


def open_scene(page: Page, size: tuple[int, int]) -> None:
    """Show the scene in a size in pixels."""
    page.set_content(_PAGE.format(*size))
    parts = [SCENE / name for name in ("scene_shaders.js", "scene_ribbons.js")]
    script = "".join(part.read_text(encoding="utf-8") for part in parts)
    script = re.sub(r"^import .*$", "", script, flags=re.MULTILINE)  # one inline module
    page.add_script_tag(type="module", content=script + _OPEN)
    page.wait_for_function("!!window.scene")


def frame(page: Page, ms: float) -> bytes:
    """Return the scene at a time as a PNG image."""
    return base64.b64decode(page.evaluate(_DRAW, ms).split(",", 1)[1])


def frames(page: Page) -> Iterator[bytes]:
    """Return the frames of one period of the scene."""
    count = PERIOD_MS * FRAMES_A_SECOND // 1000
    return (frame(page, PERIOD_MS * number / count) for number in range(count))


def encode(source: Path, target: Path, *options: str) -> None:
    """Run ffmpeg without metadata that differs between runs."""
    ffmpeg = shutil.which("ffmpeg")
    if ffmpeg is None:
        sys.exit("ffmpeg is missing (Debian, Ubuntu: apt-get install ffmpeg)")
    exact = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"]
    quiet = [ffmpeg, "-nostdin", "-y", "-loglevel", "error"]
    rate = ["-framerate", str(FRAMES_A_SECOND), "-i", str(source)]
    subprocess.run([*quiet, *rate, *options, *exact, str(target)], check=True)  # noqa: S603 - ours
    print(f"{target.name}: {target.stat().st_size} bytes")


def make_film(page: Page, folder: Path) -> None:
    """Draw every frame and encode them in each format."""
    open_scene(page, VIDEO_SIZE)
    for number, picture in enumerate(frames(page)):
        (folder / f"{number:04}.png").write_bytes(picture)
    for name, (options, filters) in _FILMS.items():
        target = ASSETS / "video" / name
        packed = ["-vf", filters, *_COLOURS, "-movflags", "+faststart", "-an"]
        encode(folder / "%04d.png", target, *options.split(), *packed)
        if target.stat().st_size > MOST_BYTES:
            sys.exit(f"{name} is too large: at most {MOST_BYTES} bytes")


def make_stills(page: Page, folder: Path) -> None:
    """Draw the first frame in the largest size of the hero."""
    open_scene(page, FULL)
    source = folder / "still.png"
    source.write_bytes(frame(page, 0))
    for name, options in _STILLS.items():
        encode(source, STILL / name, *options, "-frames:v", "1")


def main() -> None:
    """Write the still, then the video."""
    (ASSETS / "video").mkdir(exist_ok=True)
    with chromium_page(*FULL) as page, TemporaryDirectory() as folder:
        make_stills(page, Path(folder))
        make_film(page, Path(folder))


if __name__ == "__main__":
    main()
