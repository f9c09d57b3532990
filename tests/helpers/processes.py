"""Processes that were started by a test or its server."""

import contextlib
import time

import psutil


def children_that_run(module: str, pid: int | None = None) -> list[psutil.Process]:
    """Return the children of a process, by default of this one, that run a module."""
    found = []
    for child in psutil.Process(pid).children():
        with contextlib.suppress(psutil.NoSuchProcess):
            if module in child.cmdline():
                found.append(child)
    return found


def has_ended(process: psutil.Process) -> bool:
    """Whether a process has ended, although nobody has asked for its exit code yet."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.status() == psutil.STATUS_ZOMBIE
    return True


def kill(process: psutil.Process) -> None:
    """Kill a process; return when it has ended, before an event loop of this thread can note it."""
    process.kill()
    while not has_ended(process):
        time.sleep(0.001)
