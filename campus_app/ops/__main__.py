"""Where `python -m campus_app.ops` begins."""

from campus_app import wiring
from campus_app.domain.periods import span
from campus_app.ops.commands import ops
from campus_app.ops.entry import carry_out
from campus_app.wiring import Services
from voice_site.ops import Work
from voice_site.ops import commands as demo_commands
from voice_site.settings import voice_settings
from voice_site.wiring import MAIL_TOPICS, Shared, build


def main() -> None:
    """Carry out one command, of either product."""
    for command in demo_commands(_with_site, span):
        ops.add_command(command)
    try:
        ops(prog_name="ops", obj=MAIL_TOPICS)
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
