"""The hero's scene: which one it is, and how finely it may be drawn.

Source: specification V3.6, V5.7, V5.8, V9.6.
"""

from dataclasses import dataclass
from enum import StrEnum

FRAME_RATES = (15, 24, 30, 60, 120)
LEAST_SCALE, GREATEST_SCALE = 0.25, 1.0


class SceneDriver(StrEnum):
    """Who draws it: we do, or the scene studio's script."""

    RIBBONS = "ribbons"
    UNICORN = "unicorn"


@dataclass(frozen=True)
class SceneOptions:
    """What the browser's loader is told; `dpi` is the greatest pixel ratio that is drawn."""

    project_id: str = ""
    json_file_path: str = ""
    script_url: str = ""
    width: str = "100%"
    height: str = "100%"
    scale: float = 1.0
    dpi: float = 1.5
    fps: int = 60
    lazy_load: bool = True
    production: bool = True

    @property
    def driver(self) -> SceneDriver:
        """The studio's where one of its scenes is named, else ours."""
        named = self.project_id or self.json_file_path
        return SceneDriver.UNICORN if named else SceneDriver.RIBBONS


def checked_scale(scale: float) -> float:
    """Return the share of the pixels to be drawn along each side.

    Raises:
        ValueError: In the specification's words, if it is out of bounds.
    """
    if not LEAST_SCALE <= scale <= GREATEST_SCALE:
        raise ValueError(f"Invalid scale: {scale:g}. Scale must be between 0.25 and 1.0")
    return scale


def checked_fps(fps: int) -> int:
    """Return the frames to be drawn in a second at most.

    Raises:
        ValueError: In the specification's words, if it is no usual rate.
    """
    if fps not in FRAME_RATES:
        known = ", ".join(map(str, FRAME_RATES))
        raise ValueError(f"Invalid fps: {fps}. FPS must be one of: {known}")
    return fps
