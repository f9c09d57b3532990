"""The link in the confirmation: whoever has it can add to a request, or withdraw it.

Source: specification V10.15 to V10.17.
"""

from dataclasses import dataclass

from kit.clock import Clock
from kit.text import normalize_text
from voice_site.adapters.sql_demo_requests import SqlDemoRequests
from voice_site.adapters.sql_leads import SqlLeads
from voice_site.domain.lead import LONGEST_ADDITION
from voice_site.domain.stored_request import StoredRequest


@dataclass(frozen=True)
class RequestLinks:
    """Finds a request by the secret of its link, adds sentences to it, and withdraws it.

    If `tells_sales`, the sales team gets a mail about both.

    Raises:
        DatabaseUnavailable: By every method.
    """

    requests: SqlDemoRequests
    leads: SqlLeads
    clock: Clock
    tells_sales: bool = False

    async def find(self, token: str) -> StoredRequest | None:
        """Return the request of a link; None if it was withdrawn or deleted, or there is none."""
        return await self.requests.by_link_token(token) if token else None

    async def add(self, stored: StoredRequest, text: str) -> bool:
        """Add a sentence to a request; False if it is empty, too long, or one too many."""
        sentence = normalize_text(text[: 2 * LONGEST_ADDITION])
        if not 0 < len(sentence) <= LONGEST_ADDITION:
            return False
        return await self.leads.add_sentence(
            stored, sentence, self.clock.now(), tells_sales=self.tells_sales
        )

    async def withdraw(self, stored: StoredRequest) -> None:
        """Delete the request and all others of its lead from the same mailbox.

        Requests of the lead with another address stay: the link was sent to this one alone.
        """
        await self.requests.withdraw(stored, self.clock.now(), tells_sales=self.tells_sales)
