"""The compared apps: how to serve each, and the names in its click events."""

import contextlib
import hashlib
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from paths import BENCHMARKS, PYTHON, RESULTS, ROOT
from report import MeasurementFailed
from servers import Server, last_lines, serving, started

from tests.helpers.product import OPERATOR_TOKEN

_SOURCES = BENCHMARKS / "bare"
_BUILD = RESULTS / "bare"
_BUILD_SECONDS = 240
_PATCHES = ROOT / "kit" / "reflex" / "patches"
_SERVE = (PYTHON, "-m", "campus_app.serve")
_OF_THE_STACK = ("DATABASE_URL", "OUTBOX_DIR")
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
    state="reflex___state____state.campus_app___ordering___screens___cart_state____cart_state",
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
    app: App,
    folder: Path,
    changes: Mapping[str, str] = MappingProxyType({}),
    command: Sequence[str] = _SERVE,
) -> Iterator[Server]:
    """Serve one of the two apps; its files are in `folder`.

    Changes and the command are of ours only. A setting that is changed to "" has its default.
    """
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "log"
    if app is BARE:
        settings = {"PYTHONPATH": str(ROOT)}
        with serving([PYTHON, "serve.py"], _BUILD, settings, log, BARE.page) as server:
            yield server
        return
    settings = {name: value for name, value in (environment(folder) | changes).items() if value}
    run([PYTHON, "-m", "campus_app.migrate"], ROOT, settings, folder / "migrate.log")
    with serving(command, ROOT, settings, log, "/health") as server:
        yield server


def stack_settings(folder: Path) -> dict[str, str]:
    """Return our settings for `deploy/local_stack.py`, which has a database and an outbox of its own."""
    settings = {**environment(folder), "OPERATOR_TOKEN": OPERATOR_TOKEN}
    return {name: value for name, value in settings.items() if name not in _OF_THE_STACK}


def environment(folder: Path) -> dict[str, str]:
    """Return settings with which the product writes to no other folder."""
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


def ensure_bare_build() -> None:
    """Build the bare app unless the existing build has the same sources."""
    stamp = _BUILD / "stamp"
    wanted = _fingerprint()
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    print("Building the bare app …", flush=True)
    shutil.rmtree(_BUILD, ignore_errors=True)
    shutil.copytree(_SOURCES, _BUILD, ignore=shutil.ignore_patterns("__pycache__"))
    # The same versions of React, its router and the socket as ours.
    shutil.copytree(ROOT / "reflex.lock", _BUILD / "reflex.lock")
    command = [str(Path(PYTHON).with_name("reflex")), "export", "--frontend-only", "--no-zip"]
    run(command, _BUILD, {"REFLEX_USE_NPM": "1", "PYTHONPATH": str(ROOT)}, RESULTS / "bare.log")
    stamp.write_text(wanted)


def run(
    command: list[str],
    folder: Path,
    changes: dict[str, str],
    log: Path,
    seconds: float = _BUILD_SECONDS,
) -> None:
    """Run a program with these environment variables; raise MeasurementFailed unless it succeeds."""
    with started(command, folder, changes, log) as process:
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = f"not finished after {seconds} s"
    if code != 0:
        raise MeasurementFailed(f"{' '.join(command)}: {code}\n{last_lines(log)}")


def _fingerprint() -> str:
    """Return a digest of the sources of the bare build."""
    lock = (ROOT / "reflex.lock").iterdir()
    files = [*_SOURCES.rglob("*.py"), *lock, *_PATCHES.glob("*.p*"), ROOT / "requirements.txt"]
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    return digest.hexdigest()
