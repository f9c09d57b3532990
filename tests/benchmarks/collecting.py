"""Serves the product as it is shipped, and collects all garbage when it is told to.

Each signal is answered by a line of how long that took, in milliseconds.
"""

import gc
import os
import signal
import time

from campus_app import serve

_TOLD_IN = "COLLECTED"


def _collect(*_: object) -> None:
    began = time.perf_counter()
    gc.collect()
    with open(os.environ[_TOLD_IN], "a") as told:  # noqa: PTH123
        told.write(f"{(time.perf_counter() - began) * 1000:.1f}\n")


if __name__ == "__main__":
    signal.signal(signal.SIGUSR2, _collect)
    serve.main()
