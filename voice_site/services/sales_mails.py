"""The mails to the sales team: each genuine request, and a lead that nobody has answered yet.

Source: specification V10.6, V10.7.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kit.mail.message import Mail, Mailer
from kit.templates import mail_templates
from voice_site.content.plans import VARIANTS
from voice_site.domain.lead import (
    PROMISED_WITHIN,
    REMINDED_AFTER,
    LeadField,
    LeadFile,
    LeadJob,
    LeadState,
    digest_of,
)
from voice_site.domain.stored_request import StoredRequest
from voice_site.services.demo_requests import Topic
from voice_site.services.leads import Leads
from voice_site.services.request_lines import history_lines, lead_line, request_lines

_TEMPLATES = mail_templates(Path(__file__).parents[1] / "templates" / "mail")
_HOURS: Final = 3_600


@dataclass(frozen=True)
class SalesMails:
    """Mails requests to the sales team; `to` is its address, `sender` the From."""

    leads: Leads
    mailer: Mailer
    sender: str
    to: str

    async def tell(self, request_id: str) -> None:
        """Mail a request, and say so if its lead is not new. Nothing if it was deleted meanwhile.

        Raises:
            DeliveryRejected: If the mail will never be accepted.
            DeliveryPostponed: If it may be accepted later.
        """
        stored = await self.leads.requests.by_id(request_id)
        lead = stored and await self.leads.store.by_id(stored.lead_id)
        if not (stored and lead):
            return
        file = await self.leads.file_of(lead)
        is_first = file.requests[0].id == stored.id
        intro = "" if is_first else "This person asked before: it is one lead, with this history."
        title = "Demo request" if is_first else "Asked again"
        await self._send(f"{Topic.SALES}:{stored.id}", file, stored, (title, intro))

    async def remind(self, lead_id: str) -> None:
        """Mail a lead again if it is still new, with its last request.

        Raises:
            DeliveryRejected: If the mail will never be accepted.
            DeliveryPostponed: If it may be accepted later.
        """
        lead = await self.leads.store.by_id(lead_id)
        if lead is None or lead.state is not LeadState.NEW:
            return
        file = await self.leads.file_of(lead)
        waited, promised = (
            int(each.total_seconds()) // _HOURS for each in (REMINDED_AFTER, PROMISED_WITHIN)
        )
        intro = f"Still new after {waited} hours. The confirmation promised {promised}."
        words = "Still new", intro
        await self._send(f"{LeadJob.REMINDER}:{lead.id}", file, file.requests[-1], words)

    async def tell_addition(self, lead_id: str, digest: str) -> None:
        """Mail a sentence that a visitor added, named by its digest, unless it was deleted since.

        Raises:
            DeliveryRejected: If the mail will never be accepted.
            DeliveryPostponed: If it may be accepted later.
        """
        lead = await self.leads.store.by_id(lead_id)
        file = await self.leads.file_of(lead) if lead else None
        if file is None:
            return
        for each in file.history:
            if each.field == LeadField.ADDITION and digest_of(each.value) == digest:
                key = f"{LeadJob.ADDITION}:{lead_id}:{digest}"
                await self._send(key, file, file.requests[-1], ("Added by the visitor", each.value))

    async def tell_withdrawal(self, reference: str) -> None:
        """Mail that a request was withdrawn, and is deleted.

        Raises:
            DeliveryRejected: If the mail will never be accepted.
            DeliveryPostponed: If it may be accepted later.
        """
        title = "Withdrawn"
        intro = "Its sender has withdrawn this request. It is deleted; please delete the mails too."
        values = {"subject": title, "title": title, "intro": intro}
        await self._send_rendered(f"{LeadJob.WITHDRAWN}:{reference}", reference, values)

    async def _send(
        self, key: str, file: LeadFile, stored: StoredRequest, words: tuple[str, str]
    ) -> None:
        """Send a mail about a request; `words` are its title and the sentence below."""
        (title, intro), request = words, stored.request
        values: dict[str, Any] = {
            "subject": f"{title}: {request.company}, {VARIANTS[request.selected_variant]}",
            "title": title,
            "intro": intro,
            "lines": request_lines(stored),
            "lead": lead_line(file.lead),
            "note": file.lead.note,
            "history": history_lines(file) if len(file.requests) > 1 or file.history else (),
            "related": [lead_line(each) for each in file.related],
        }
        await self._send_rendered(key, stored.reference, values, reply_to=request.email)

    async def _send_rendered(
        self, key: str, reference: str, values: Mapping[str, Any], reply_to: str = ""
    ) -> None:
        filled = {"lines": (), "lead": "", "note": "", "history": (), "related": (), **values}
        text, html = (
            _TEMPLATES.get_template(f"sales.{kind}").render(filled) for kind in ("txt", "html")
        )
        await self.mailer.send(
            Mail(
                key=key,
                to=self.to,
                to_name="",
                subject=f"{values['subject']} ({reference})",
                text=text,
                html=html,
                sender=self.sender,
                reply_to=reply_to,
            )
        )
