"""Where `python -m campus_app.ops` begins."""

from campus_app import wiring
from campus_app.ops.commands import ops


def main() -> None:
    """Carry out one command."""
    try:
        ops(prog_name="ops")
    finally:
        if wiring.services.cache_info().currsize:
            wiring.services().close()


if __name__ == "__main__":
    main()
