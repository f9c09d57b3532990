"""The spreadsheet form: a POST of numbered entries, whose answer is read.

Source: specification V7.1.
"""

from collections.abc import Mapping
from http import HTTPStatus

import httpx

from kit.outbox.errors import DeliveryPostponed, DeliveryRejected
from voice_site.ports import StoredRequest

TIME_OUT_SECONDS = 10.0
_COMES_BACK = {
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.TOO_EARLY,
    HTTPStatus.TOO_MANY_REQUESTS,
}


class SpreadsheetForm:
    """Fills in one form; `entries` are its entries' names by ours."""

    def __init__(
        self,
        url: str,
        entries: Mapping[str, str],
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._url = url
        self._entries = dict(entries)
        self._transport = transport

    async def forward(self, stored: StoredRequest, variant_name: str) -> None:
        said = answers(stored, variant_name)
        filled = {entry: said[name] for name, entry in self._entries.items()}
        try:
            async with httpx.AsyncClient(
                transport=self._transport, timeout=TIME_OUT_SECONDS, follow_redirects=False
            ) as client:
                answer = await client.post(self._url, data=filled)
        except httpx.HTTPError as error:
            raise DeliveryPostponed(f"the form is out of reach: {type(error).__name__}") from error
        _judge(answer)


def answers(stored: StoredRequest, variant_name: str) -> dict[str, str]:
    """Return what the form is told, by the specification's names."""
    request = stored.request
    return {
        "fullName": request.full_name,
        "email": request.email,
        "phone": request.phone,
        "company": request.company,
        "jobTitle": request.job_title,
        "companySize": request.company_size,
        "industry": request.industry,
        "location": request.location,
        "selectedVariant": variant_name,
        "useCase": request.use_case,
        "additionalNotes": request.additional_notes,
        "timestamp": stored.created_at.isoformat(timespec="milliseconds"),
    }


def _judge(answer: httpx.Response) -> None:
    """Only 200 means taken: a redirect asks to log in, 400 says that an entry is unknown."""
    status = answer.status_code
    if status == HTTPStatus.OK:
        return
    if answer.is_server_error or status in _COMES_BACK:
        raise DeliveryPostponed(f"the form answered {status}")
    if answer.is_redirect:
        raise DeliveryRejected(f"the form answered {status}: it is not open to everyone")
    raise DeliveryRejected(f"the form answered {status}: look at its entries")
