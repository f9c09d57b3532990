"""The database schema of both products."""

from pathlib import Path
from typing import Final

VERSIONS: Final = Path(__file__).parent / "versions"
"""The folder of the migrations."""
