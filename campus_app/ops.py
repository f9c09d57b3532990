"""`python -m campus_app.ops`: the command line, with the commands of both products."""

from campus_app import wiring
from campus_app.operators.commands import ops
from campus_app.operators.entry import operator, run
from campus_app.operators.wiring import Services
from campus_app.shared.rules.periods import span
from voice_site.ops import Work
from voice_site.ops import commands as demo_commands
from voice_site.settings import voice_settings
from voice_site.wiring import MAIL_TOPICS, Shared, build


def main() -> None:
    """Run one command."""
    for command in demo_commands(_with_site, span, lambda: operator().name):
        ops.add_command(command)
    try:
        ops(prog_name="ops", obj=MAIL_TOPICS)
    finally:
        if wiring.services.cache_info().currsize:
            wiring.services().close()


def _with_site(work: Work) -> None:
    async def work_on_site(services: Services) -> None:
        shared = Shared(services.database, services.outbox, services.mailer, services.clock)
        await work(build(voice_settings(), shared))

    run(work_on_site)


if __name__ == "__main__":
    main()
