"""NiceGUI, Streamlit and a single-page app: a menu of 60 dishes with a cart, without a shop."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import psutil
import stepper

from peers.deployment import Deployment, Program, behind_nginx, cold_starts, running
from peers.environments import HERE, programs
from tests.helpers.ports import free_port

NICEGUI, STREAMLIT = "nicegui_menu", "streamlit_menu"


@contextlib.contextmanager
def served(program: Program, folder: Path, starts: int) -> Iterator[Deployment]:
    """Serve a framework by its own server, as its documentation starts it."""
    folder.mkdir(parents=True, exist_ok=True)
    took = cold_starts(program, folder, starts)
    with running(program, folder / "web.log") as (process, _):
        yield Deployment(program.port, [process], took)


@contextlib.contextmanager
def single_page_app(folder: Path) -> Iterator[Deployment]:
    """Serve the built files of the single-page app, which has no server of its own."""
    with stepper.single_page_app(folder) as server:
        front = behind_nginx(folder / "nginx", server.port, {})
        yield Deployment(free_port(), [psutil.Process(server.process.pid)], front=front)


def nicegui(folder: Path) -> Program:
    """Return NiceGUI's server."""
    port = free_port()
    command = [str(programs(NICEGUI) / "python"), str(HERE / NICEGUI / "app.py")]
    return Program("nicegui", command, folder, {"PORT": str(port)}, port, "/")


def streamlit(folder: Path) -> Program:
    """Return Streamlit's server, which does not look at files for changes."""
    port = free_port()
    command = [
        *(str(programs(STREAMLIT) / "streamlit"), "run", str(HERE / STREAMLIT / "app.py")),
        *("--server.headless=true", "--server.address=127.0.0.1", f"--server.port={port}"),
        *("--server.fileWatcherType=none", "--browser.gatherUsageStats=false"),
    ]
    return Program("streamlit", command, folder, {}, port, "/")
