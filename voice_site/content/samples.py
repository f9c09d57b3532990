"""The audio samples, as the manifest among the assets lists them."""

import json
from pathlib import Path

MANIFEST = Path(__file__).parents[2] / "assets" / "audio" / "manifest.json"
_SAMPLES = json.loads(MANIFEST.read_text(encoding="utf-8"))["samples"]
VOICES = " or ".join(sorted({sample["voice"] for sample in _SAMPLES}))
"""The voices of the samples, as the page names them."""
