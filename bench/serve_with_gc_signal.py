"""Serve the product, with a full garbage collection at each SIGUSR2.

Each collection appends a line with its milliseconds to the file in `GC_LOG`.
"""

import gc
import os
import signal
import time
from pathlib import Path

from campus_app import serve


def _collect(*_: object) -> None:
    start = time.perf_counter()
    gc.collect()
    with Path(os.environ["GC_LOG"]).open("a") as log:
        log.write(f"{(time.perf_counter() - start) * 1000:.1f}\n")


if __name__ == "__main__":
    signal.signal(signal.SIGUSR2, _collect)
    serve.main()
