"""The schema of the database, of both products, step by step."""

from pathlib import Path
from typing import Final

VERSIONS: Final = Path(__file__).parent / "versions"
"""The folder of the migrations."""
