"""The scene's options. Source: specification V3.6, V5.7, V5.8, V9.6."""

import pytest

from voice_site.domain.scene import FRAME_RATES, checked_fps, checked_scale


def test_checked_scale_accepts_values_within_bounds():
    assert [checked_scale(scale) for scale in (0.25, 0.5, 1.0)] == [0.25, 0.5, 1.0]


@pytest.mark.parametrize(
    ("scale", "named"),
    [(0.24, "0.24"), (1.01, "1.01"), (2, "2"), (-1, "-1"), (float("nan"), "nan")],
)
def test_checked_scale_rejects_other_values_with_specified_message(scale, named):
    with pytest.raises(ValueError, match="Invalid") as raised:
        checked_scale(scale)
    assert str(raised.value) == f"Invalid scale: {named}. Scale must be between 0.25 and 1.0"


def test_checked_fps_accepts_usual_rates():
    assert [checked_fps(fps) for fps in FRAME_RATES] == list(FRAME_RATES)


@pytest.mark.parametrize("fps", [0, 14, 45, 61, -30])
def test_checked_fps_rejects_other_values_with_specified_message(fps):
    with pytest.raises(ValueError, match="Invalid") as raised:
        checked_fps(fps)
    assert str(raised.value) == f"Invalid fps: {fps}. FPS must be one of: 15, 24, 30, 60, 120"
