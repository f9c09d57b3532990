"""Other ways to make such a menu, to compare with: a single-page app, and NiceGUI."""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from apps import App, run
from places import BENCHMARKS, PYTHON, RESULTS, ROOT
from servers import Server, serving

_WEB = ROOT / ".web"
SPA = App(name="Vite + React", page="/", state="", dishes=(), route_arguments={})
"""Its cart is in the browser; the server has only files."""
NICEGUI = App(name="NiceGUI", page="/", state="", dishes=(), route_arguments={})
"""Its cart is on the server, as ours is."""


@contextlib.contextmanager
def spa(folder: Path) -> Iterator[Server]:
    """Build the single-page app with the Vite and React of our own pages, and serve it."""
    source = folder / "spa"
    shutil.copytree(BENCHMARKS / "spa", source)
    (source / "node_modules").symlink_to(_WEB / "node_modules")
    vite = source / "node_modules" / ".bin" / "vite"
    run([str(vite), "build", "--logLevel", "error"], source, {}, folder / "vite.log")
    command = [PYTHON, "-c", _SERVE, str(source / "dist")]
    with serving(command, source, {}, folder / "spa.log", SPA.page) as server:
        yield server


@contextlib.contextmanager
def nicegui(folder: Path) -> Iterator[Server]:
    """Install NiceGUI beside the results, once, and serve the menu."""
    source, packages = BENCHMARKS / "nicegui_peer", RESULTS / "nicegui"
    wanted = (source / "requirements.txt").read_text()
    stamp = packages / "stamp"
    if not stamp.is_file() or stamp.read_text() != wanted:
        shutil.rmtree(packages, ignore_errors=True)
        pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        wanted_packages = ["--target", str(packages), "-r", str(source / "requirements.txt")]
        run([*pip, *wanted_packages], folder, {}, folder / "pip.log")
        stamp.write_text(wanted)
    command = [PYTHON, str(source / "main.py")]
    changes = {"PYTHONPATH": str(packages)}
    with serving(command, folder, changes, folder / "nicegui.log", NICEGUI.page) as server:
        yield server


_SERVE = """
import os, sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
handler = partial(SimpleHTTPRequestHandler, directory=sys.argv[1])
ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), handler).serve_forever()
"""
