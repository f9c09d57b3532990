"""Translations of the texts that visitors of the assistant's page read."""

from pathlib import Path
from typing import Final

from kit.translations import Catalogues

FOLDER: Final = Path(__file__).parent
_catalogues = Catalogues(FOLDER)
LANGUAGES: Final = _catalogues.languages
t = _catalogues.t
