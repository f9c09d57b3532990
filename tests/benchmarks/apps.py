"""The two apps that are compared: how each is served, and what a click looks like in each."""

import contextlib
import hashlib
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from places import BENCHMARKS, PYTHON, RESULTS, ROOT, MeasurementFailed
from servers import Server, last_lines, serving, started

_SOURCES = BENCHMARKS / "bare"
_BUILD = RESULTS / "bare"
_BUILD_SECONDS = 240
_SAME_ORIGIN = ROOT / "kit" / "reflex" / "state_script.py"
OUR_COMMAND = (PYTHON, "-m", "campus_app.serve")
_WEDNESDAY = "2026-11-18T13:00:00+05:30"
"""All restaurants but number 4 are open."""


@dataclass(frozen=True)
class App:
    """An app with a menu of 60 dishes."""

    name: str
    page: str
    state: str
    dishes: tuple[str, ...]
    route_arguments: dict[str, str]


OURS = App(
    name="ours",
    page="/menu/1",
    state="reflex___state____state.campus_app___states___cart____cart_state",
    dishes=("104", "105", "106", "107", "108"),
    route_arguments={"restaurant_id": "1"},
)
BARE = App(
    name="bare",
    page="/menu/",
    state="reflex___state____state.bare_app___bare_app____cart_state",
    dishes=("m00", "m01", "m02", "m03", "m04"),
    route_arguments={},
)


@contextlib.contextmanager
def served(
    app: App, folder: Path, changes: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Server]:
    """Serve one of the two, with everything that it writes in `folder`.

    What is changed to nothing is as it is shipped.
    """
    folder.mkdir(parents=True)
    lend = _ours if app is OURS else _bare
    with lend(folder, changes) as server:
        yield server


def our_environment(folder: Path) -> dict[str, str]:
    """Return settings under which the product touches nothing outside `folder`."""
    return {
        "DATABASE_URL": f"sqlite:///{folder}/food_points.db",
        "OUTBOX_DIR": str(folder / "outbox"),
        "DATA_DIR": str(ROOT / "tests" / "data"),
        "CAMPUS_NOW": _WEDNESDAY,
        "ENVIRONMENT": "development",
        "PAYMENT_PROVIDER": "sandbox",
        "MAIL_TRANSPORT": "outbox",
        "CALL_TRANSPORT": "outbox",
        "PREPARED_ORDERS_PER_MINUTE": "1000000",
        "SESSION_MESSAGES_PER_SECOND": "1000000",
        "ADDRESS_MESSAGES_PER_SECOND": "1000000",
    }


def migrate(folder: Path) -> None:
    """Make the product's database in `folder`."""
    command = [PYTHON, "-m", "campus_app.migrate"]
    run(command, ROOT, our_environment(folder), folder / "migrate.log")


def ensure_bare_build() -> None:
    """Build the bare app, unless it is built from just these sources."""
    stamp = _BUILD / "stamp"
    wanted = _fingerprint()
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    print("Building the bare app to compare with …", flush=True)
    shutil.rmtree(_BUILD, ignore_errors=True)
    shutil.copytree(_SOURCES, _BUILD, ignore=shutil.ignore_patterns("__pycache__"))
    # The same React, router and socket as ours.
    shutil.copytree(ROOT / "reflex.lock", _BUILD / "reflex.lock")
    command = [str(Path(PYTHON).with_name("reflex")), "export", "--frontend-only", "--no-zip"]
    run(command, _BUILD, {"REFLEX_USE_NPM": "1", "PYTHONPATH": str(ROOT)}, RESULTS / "bare.log")
    stamp.write_text(wanted)


def client_build(app: App) -> Path:
    """Return where the files are that browsers get."""
    return (ROOT if app is OURS else _BUILD) / ".web" / "build" / "client"


@contextlib.contextmanager
def ours_run_as(
    command: Sequence[str], folder: Path, changes: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Server]:
    """Serve ours by another command, which does the same and something more."""
    folder.mkdir(parents=True, exist_ok=True)
    migrate(folder)
    changed = our_environment(folder) | dict(changes)
    settings = {name: value for name, value in changed.items() if value}
    with serving(command, ROOT, settings, folder / "log", "/health") as server:
        yield server


def _ours(folder: Path, changes: Mapping[str, str]) -> contextlib.AbstractContextManager[Server]:
    return ours_run_as(OUR_COMMAND, folder, changes)


@contextlib.contextmanager
def _bare(folder: Path, changes: Mapping[str, str]) -> Iterator[Server]:
    settings = {"PYTHONPATH": str(ROOT), **changes}
    with serving([PYTHON, "serve.py"], _BUILD, settings, folder / "log", BARE.page) as server:
        yield server


def run(command: list[str], folder: Path, changes: dict[str, str], log: Path) -> None:
    """Run a program that has to end well, with these changes of our environment."""
    with started(command, folder, changes, log) as process:
        try:
            code = process.wait(_BUILD_SECONDS)
        except subprocess.TimeoutExpired:
            code = "no end"
    if code != 0:
        raise MeasurementFailed(f"{' '.join(command)}: {code}\n{last_lines(log)}")


def _fingerprint() -> str:
    """Return a digest of all that the bare build is made of."""
    lock = (ROOT / "reflex.lock").iterdir()
    files = [*_SOURCES.rglob("*.py"), *lock, _SAME_ORIGIN, ROOT / "requirements.txt"]
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    return digest.hexdigest()
