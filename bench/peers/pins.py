"""The versions in a requirements.txt, and a digest that changes with the files of a peer."""

import hashlib
from collections.abc import Sequence
from pathlib import Path


def version(requirements: str, package: str) -> str:
    """Return the version of a package in the text of a requirements.txt.

    Raises:
        LookupError: The package is not in it.
    """
    for line in requirements.splitlines():
        name, separator, number = line.partition("==")
        if separator and name.strip().lower() == package.lower():
            return number.removesuffix("\\").strip()
    raise LookupError(f"{package} has no exact version")


def digest(files: Sequence[Path]) -> str:
    """Return a digest of the names and contents of files."""
    result = hashlib.sha256()
    for file in sorted(files):
        result.update(f"{file.name}\0".encode() + file.read_bytes())
    return result.hexdigest()
