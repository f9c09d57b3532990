"""The background task of a server process: it keeps the leads in order."""

import asyncio
import logging

from kit.db.errors import DatabaseUnavailable
from voice_site.content.company import COMPANY
from voice_site.wiring import Site

logger = logging.getLogger(__name__)

_INTERVAL_SECONDS = 60.0


class LeadUpkeep:
    """What is done about the leads once a minute, in each process: repeated, it changes nothing."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def run(self) -> None:
        """Do it until the server stops; first warn of what the operator has to set."""
        if not self._site.settings.sales_email:
            logger.warning("leads: SALES_EMAIL is not set, so nobody is told of demo requests")
        if COMPANY.email.endswith(".example"):
            logger.warning("voice_site/content/company.py: company, founder, contacts are invented")
        while True:
            try:
                await self.run_once()
            except DatabaseUnavailable:
                logger.warning("leads: the database did not answer")
            await asyncio.sleep(_INTERVAL_SECONDS)

    async def run_once(self) -> None:
        """Give leads to requests of the previous release, and delete what was kept long enough."""
        await self._site.demo_requests.adopt()
        if deleted := await self._site.leads.purge_expired():
            logger.info("leads: deleted %d demo requests that were kept long enough", deleted)
