"""Folders for further builds of the pages, beside that of `make build`."""

import os
import shutil
from pathlib import Path

from tests.helpers.product import ROOT


def web_folder(folder: Path) -> Path:
    """Return a new web folder with the Node packages of `make build`, as hard links."""
    folder.mkdir(parents=True)
    packages = ROOT / ".web" / "node_modules"
    shutil.copytree(packages, folder / "node_modules", symlinks=True, copy_function=_link)
    return folder


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)
