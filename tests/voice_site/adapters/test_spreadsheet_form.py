"""The spreadsheet form: sent fields, and the handling of its responses."""

from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import parse_qs

import httpx
import pytest

from kit.outbox.errors import DeliveryPostponed, DeliveryRejected
from kit.spreadsheet import escape_formula
from tests.helpers.demo import FORM_URL, REQUEST_BODY, voice_settings_for
from tests.helpers.mail_bytes import INJECTIONS
from voice_site.adapters.spreadsheet_form import SpreadsheetForm
from voice_site.content.plans import VARIANTS
from voice_site.domain.demo_request import read_request
from voice_site.domain.estimate import FIGURES
from voice_site.domain.journey import Journey
from voice_site.domain.stored_request import StoredRequest
from voice_site.services.request_lines import spreadsheet_cells

pytestmark = pytest.mark.anyio

STORED = StoredRequest(
    "a1b2c3d4" * 4,
    "key",
    read_request(REQUEST_BODY, VARIANTS),
    datetime(2026, 11, 18, 7, 30, tzinfo=UTC),
    is_suspected=False,
)


def form(answer, heard=None, **more):
    def handle(request):
        if heard is not None:
            heard.append(request)
        if isinstance(answer, Exception):
            raise answer
        return answer

    entries = voice_settings_for().demo_form_entries
    return SpreadsheetForm(FORM_URL, entries, httpx.MockTransport(handle), **more)


async def test_form_receives_no_formula():
    # Source: specification V7.9.
    heard = []
    request = replace(STORED.request, company='=HYPERLINK("https://evil.example")', use_case=" @x")
    await form(httpx.Response(200), heard).forward(replace(STORED, request=request), "TARA PRO")
    told = parse_qs(heard[0].content.decode(), keep_blank_values=True)
    assert told["entry.1000004"] == ['\'=HYPERLINK("https://evil.example")']
    assert told["entry.1000010"] == ["' @x"]
    assert told["entry.1000003"] == ["+91 98765 43210"]


async def test_form_receives_every_numbered_entry():
    heard = []
    await form(httpx.Response(200), heard).forward(STORED, "TARA PRO")
    (request,) = heard
    assert str(request.url) == FORM_URL
    told = parse_qs(request.content.decode(), keep_blank_values=True)
    assert told == {
        "entry.1000001": ["Priya Raman"],
        "entry.1000002": ["priya@company.example"],
        "entry.1000003": ["+91 98765 43210"],
        "entry.1000004": ["Southern College"],
        "entry.1000005": ["Head of Admissions"],
        "entry.1000006": ["51-200 employees"],
        "entry.1000007": ["Education"],
        "entry.1000008": ["Chennai"],
        "entry.1000009": ["TARA PRO"],
        "entry.1000010": [""],
        "entry.1000011": [""],
        "entry.1000012": ["2026-11-18T07:30:00.000+00:00"],
        **{f"entry.{number}": [""] for number in range(1_000_013, 1_000_022)},
    }


async def test_form_receives_reference_source_and_what_travelled():
    # Source: specification V10.12.
    heard = []
    journey = Journey(
        language="hi",
        consent="1",
        figures={each.name: each.initial for each in FIGURES} | {"conversations": 25_000},
        call="hi-clinic",
        tried=True,
        referrer="news.example",
        campaign={"utm_source": "=news"},
    )
    sheet = form(httpx.Response(200), heard, more=spreadsheet_cells)
    await sheet.forward(replace(STORED, journey=journey), "TARA PRO")
    told = parse_qs(heard[0].content.decode(), keep_blank_values=True)
    values = [told[f"entry.{number}"][0] for number in range(1_000_013, 1_000_022)]
    calculator = values.pop(2)
    assert values == [
        "a1b2c3d4",
        "cta",
        "An appointment at a clinic (हिन्दी)",
        "news.example",
        "utm_source==news",
        "hi",
        "1",
        "yes",
    ]
    assert calculator.startswith("25,000 conversations a month, 6 agents at ₹25,547, 45% leave")
    assert calculator.endswith("TARA ENTERPRISE fits; ₹1,53,282 a month today, ₹1,51,541 with TARA")


async def test_form_receives_use_case_as_one_value():
    for text in INJECTIONS:
        requests = []
        sent = read_request(REQUEST_BODY | {"useCase": f"{text}&entry.1000001=x"}, VARIANTS)
        stored = replace(STORED, request=sent)
        await form(httpx.Response(200), requests).forward(stored, "TARA PRO")
        values = parse_qs(requests[0].content.decode(), keep_blank_values=True)
        assert values["entry.1000010"] == [escape_formula(sent.use_case)]
        assert values["entry.1000001"] == ["Priya Raman"]
        assert "\n" not in sent.use_case


async def test_rejection_is_final_and_a_redirect_is_not_followed():
    for status in (400, 401, 403, 404, 410):
        with pytest.raises(DeliveryRejected, match=str(status)):
            await form(httpx.Response(status)).forward(STORED, "TARA PRO")
    for status in (301, 302, 307):
        heard = []
        answer = httpx.Response(status, headers={"location": "https://accounts.test/login"})
        with pytest.raises(DeliveryRejected, match="not open to everyone"):
            await form(answer, heard).forward(STORED, "TARA PRO")
        assert len(heard) == 1


async def test_delivery_is_postponed_when_form_is_busy_or_unreachable():
    for status in (408, 425, 429, 500, 502, 503):
        with pytest.raises(DeliveryPostponed):
            await form(httpx.Response(status)).forward(STORED, "TARA PRO")
    for error in (httpx.ConnectError("no"), httpx.ReadTimeout("slow")):
        with pytest.raises(DeliveryPostponed, match=type(error).__name__):
            await form(error).forward(STORED, "TARA PRO")
