"""A form whose answers fill a spreadsheet, submitted as a POST of numbered entries.

Source: specification V7.1.
"""

from collections.abc import Callable, Mapping
from http import HTTPStatus

import httpx

from kit.outbox.errors import DeliveryPostponed, DeliveryRejected
from kit.spreadsheet import escape_formula
from voice_site.domain.stored_request import StoredRequest

TIME_OUT_SECONDS = 10.0
_RETRIED_STATUSES = {
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.TOO_EARLY,
    HTTPStatus.TOO_MANY_REQUESTS,
}


class SpreadsheetForm:
    """Submits one form.

    `entries` maps the specification's field names to the form's: `{"email": "entry.1000002"}`;
    `more` returns the values of the other names in it.
    """

    def __init__(
        self,
        url: str,
        entries: Mapping[str, str],
        transport: httpx.AsyncBaseTransport | None = None,
        more: Callable[[StoredRequest], Mapping[str, str]] = lambda _stored: {},
    ) -> None:
        self._url = url
        self._entries = dict(entries)
        self._transport = transport
        self._more = more

    async def forward(self, stored: StoredRequest, variant_name: str) -> None:
        """Hand a request over.

        Raises:
            DeliveryRejected: If it will never be taken.
            DeliveryPostponed: If it may be taken later.
        """
        values = {**field_values(stored, variant_name), **self._more(stored)}
        filled = {
            entry: escape_formula(values.get(name, "")) for name, entry in self._entries.items()
        }
        try:
            async with httpx.AsyncClient(
                transport=self._transport, timeout=TIME_OUT_SECONDS, follow_redirects=False
            ) as client:
                response = await client.post(self._url, data=filled)
        except httpx.HTTPError as error:
            raise DeliveryPostponed(f"the form is out of reach: {type(error).__name__}") from error
        _check(response)


def field_values(stored: StoredRequest, variant_name: str) -> dict[str, str]:
    """Return the values for the form by the specification's field names."""
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


def _check(response: httpx.Response) -> None:
    """Raise an error unless the form accepted the values with 200.

    A redirect leads to a login, 400 means that an entry is unknown.
    """
    status = response.status_code
    if status == HTTPStatus.OK:
        return
    if response.is_server_error or status in _RETRIED_STATUSES:
        raise DeliveryPostponed(f"the form answered {status}")
    if response.is_redirect:
        raise DeliveryRejected(f"the form answered {status}: it is not open to everyone")
    raise DeliveryRejected(f"the form answered {status}: look at its entries")
