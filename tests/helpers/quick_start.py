"""Programs of the product that start in a third of the time.

The libraries that they use are imported once, by a process that does nothing else, and every
program is a fork of it. All of the product's own is imported anew, as it always is.
"""

import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path

Environment = Mapping[str, str]

ROOT = Path(__file__).parents[2]
_PATIENCE_SECONDS = 60.0

_LIBRARIES = [
    "aiosmtplib",
    "brotli_asgi",
    "fastapi",
    "httpx",
    "jinja2",
    "pandas",
    "phonenumbers",
    "prometheus_client",
    "pydantic.v1",
    "pydantic_settings",
    "pythonjsonlogger.json",
    "redis.asyncio",
    "reflex.app",
    "reflex.state",
    "reflex.utils.exec",
    "rich.progress",
    "rich.table",
    "socketio",
    "sqlalchemy.dialects.postgresql",
    "sqlalchemy.dialects.sqlite",
    "sqlmodel",
    "twilio.request_validator",
    "twilio.rest",
    "typer",
    "uvicorn",
    "uvloop",
    "websockets",
]
# Only who has one thread may fork; OpenBLAS, which pandas brings, would start another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
_forked = multiprocessing.get_context("forkserver")
_forked.set_forkserver_preload(_LIBRARIES)
_afresh = multiprocessing.get_context("spawn")


def start(
    module: str,
    *words: str,
    environment: Environment,
    out: Path,
    err: Path,
    shares_memory: bool = True,
) -> BaseProcess:
    """Run a module as a program of the house, in a session of its own; what it says is added.

    One that shares no memory with others starts slowly, and can be measured.
    """
    processes = _forked if shares_memory else _afresh
    process = processes.Process(
        target=_run, args=(module, words, environment, out, err), daemon=True
    )
    process.start()
    return process


def run(module: str, *words: str, environment: Environment) -> subprocess.CompletedProcess[str]:
    """Run a module as a program, to its end."""
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        process = start(module, *words, environment=environment, out=out, err=err)
        process.join(_PATIENCE_SECONDS)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(words, _PATIENCE_SECONDS)
        return subprocess.CompletedProcess(
            words, process.exitcode, out.read_text(), err.read_text()
        )


def _run(module: str, words: Sequence[str], environment: Environment, out: Path, err: Path) -> None:
    # Whoever starts a program from a file of their own is read again here, imports and all.
    assert "campus_app" not in sys.modules, "what was imported before knows other settings"
    os.setsid()
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    for stream, file in ((1, out), (2, err)):
        with file.open("ab") as said:
            os.dup2(said.fileno(), stream)
    sys.argv[1:] = words
    runpy.run_module(module, run_name="__main__", alter_sys=True)
