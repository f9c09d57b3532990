"""A program that does what it is asked, for tests of its limits."""

import sys
import time

ask = sys.stdin.read()
if ask == "sleep":
    time.sleep(60)
elif ask == "compute":
    while True:
        pass
elif ask == "allocate":
    bytearray(2 * 1024**3)
elif ask == "write":
    with open("/dev/shm/limited-program", "w") as file:  # noqa: PTH123 - as a parser might
        file.write("x")
elif ask == "fail":
    sys.exit("first\nlast")
elif ask == "talk":
    sys.stderr.write("x" * 1_000_000)
    sys.stdout.write("x" * 1_000_001)
print(ask, end="")
