"""Where `python -m campus_app.ops` begins."""

from campus_app import wiring
from campus_app.ops.commands import ops
from campus_app.ops.entry import carry_out
from campus_app.wiring import Services
from voice_site.ops import Work
from voice_site.ops import command as demo_requests
from voice_site.settings import voice_settings
from voice_site.wiring import Shared, build


def main() -> None:
    """Carry out one command, of either product."""
    ops.add_command(demo_requests(_with_site))
    try:
        ops(prog_name="ops")
    finally:
        if wiring.services.cache_info().currsize:
            wiring.services().close()


def _with_site(work: Work) -> None:
    async def run(services: Services) -> None:
        shared = Shared(services.database, services.outbox, services.mailer, services.clock)
        await work(build(voice_settings(), shared))

    carry_out(run)


if __name__ == "__main__":
    main()
