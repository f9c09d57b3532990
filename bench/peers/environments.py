"""The peers' own virtual environments, with exact versions, below .cache/peers."""

import shutil
from pathlib import Path

from apps import run
from paths import PYTHON, ROOT

from peers.pins import digest

HERE = Path(__file__).parent
PREPARATION_SECONDS = 900.0
"""The longest that a step of the preparation may take on a busy machine."""
_CACHE = ROOT / ".cache" / "peers"


def programs(name: str) -> Path:
    """Return the folder of an environment's programs; create the environment if it is missing.

    `name` is the folder with its requirements.txt.
    """
    requirements = HERE / name / "requirements.txt"
    folder = _CACHE / name
    environment, stamp = folder / "venv", folder / "installed"
    wanted = digest([requirements])
    if not stamp.is_file() or stamp.read_text() != wanted:
        print(f"Installing {name} …", flush=True)
        shutil.rmtree(environment, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        run([PYTHON, "-m", "venv", str(environment)], folder, {}, folder / "venv.log")
        pip = [str(environment / "bin" / "pip"), "install", "--quiet"]
        pip += ["--no-deps", "--require-hashes"]
        run([*pip, "-r", str(requirements)], folder, {}, folder / "pip.log", PREPARATION_SECONDS)
        stamp.write_text(wanted)
    return environment / "bin"


def cache(name: str) -> Path:
    """Return the folder of a peer's files that are prepared once."""
    return _CACHE / name
