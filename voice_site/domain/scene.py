"""The hero's scene: its options, and the bounds of its resolution and frame rate.

Source: specification V3.6, V5.7, V5.8, V9.6.
"""

from dataclasses import dataclass
from enum import StrEnum

FRAME_RATES = (15, 24, 30, 60, 120)
MINIMUM_SCALE, MAXIMUM_SCALE = 0.25, 1.0


class SceneDriver(StrEnum):
    """The renderer of the scene: our own script, or Unicorn Studio's."""

    RIBBONS = "ribbons"
    UNICORN = "unicorn"


@dataclass(frozen=True)
class SceneOptions:
    """The options of the scene's loader in the browser; `dpi` is the maximum pixel ratio."""

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
        """Unicorn Studio's if one of its scenes is configured, else our own."""
        named = self.project_id or self.json_file_path
        return SceneDriver.UNICORN if named else SceneDriver.RIBBONS


def checked_scale(scale: float) -> float:
    """Return the scale, the share of the pixels that is rendered along each side.

    Raises:
        ValueError: If it is out of bounds, with the specification's message.
    """
    if not MINIMUM_SCALE <= scale <= MAXIMUM_SCALE:
        raise ValueError(f"Invalid scale: {scale:g}. Scale must be between 0.25 and 1.0")
    return scale


def checked_fps(fps: int) -> int:
    """Return the maximum number of frames per second.

    Raises:
        ValueError: If it is not one of the frame rates, with the specification's message.
    """
    if fps not in FRAME_RATES:
        known = ", ".join(map(str, FRAME_RATES))
        raise ValueError(f"Invalid fps: {fps}. FPS must be one of: {known}")
    return fps
