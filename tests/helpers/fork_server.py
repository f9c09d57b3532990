"""Start the product's programs from a fork server, in a third of the time.

The fork server imports the libraries once. Each program is a fork of it, which imports the
product's own modules.
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
_TIMEOUT_SECONDS = 60.0

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
# Only a single-threaded process may fork; OpenBLAS, which pandas imports, would start a thread.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
_fork_context = multiprocessing.get_context("forkserver")
_fork_context.set_forkserver_preload(_LIBRARIES)
_spawn_context = multiprocessing.get_context("spawn")


def start(
    module: str,
    *arguments: str,
    environment: Environment,
    out: Path,
    err: Path,
    shares_memory: bool = True,
) -> BaseProcess:
    """Run a module as a program in a session of its own; append its output to the files.

    Without `shares_memory` the process is spawned: this is slower, but its memory can be measured.
    """
    context = _fork_context if shares_memory else _spawn_context
    process = context.Process(
        target=_run, args=(module, arguments, environment, out, err), daemon=True
    )
    process.start()
    return process


def run(module: str, *arguments: str, environment: Environment) -> subprocess.CompletedProcess[str]:
    """Run a module as a program until it exits."""
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        process = start(module, *arguments, environment=environment, out=out, err=err)
        process.join(_TIMEOUT_SECONDS)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(arguments, _TIMEOUT_SECONDS)
        return subprocess.CompletedProcess(
            arguments, process.exitcode, out.read_text(), err.read_text()
        )


def _run(
    module: str, arguments: Sequence[str], environment: Environment, out: Path, err: Path
) -> None:
    # A program started from a script file imports that file again here.
    assert "campus_app" not in sys.modules, "it was imported with other settings"
    os.setsid()
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    for stream, file in ((1, out), (2, err)):
        with file.open("ab") as output:
            os.dup2(output.fileno(), stream)
    sys.argv[1:] = arguments
    runpy.run_module(module, run_name="__main__", alter_sys=True)
