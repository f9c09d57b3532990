"""`POST /api/demo-requests`. Source: specification C3.13."""

import json

import httpx
import pytest

from campus_app.http_api import create_api
from kit.http.body_limit import body_limit
from tests.conftest import BODY_BYTES, LIMITED
from tests.helpers.databases import sqlite_only
from tests.helpers.demo import REQUEST_BODY, site_on
from tests.helpers.settings import ORIGIN
from tests.helpers.tables import count, execute, rows
from voice_site.adapters.tables import DemoRequestRow
from voice_site.api.demo_requests import create_router

pytestmark = [pytest.mark.anyio, sqlite_only]

PATH = "/api/demo-requests"
AS_JSON = {"content-type": "application/json"}
FORM = {name: str(value) for name, value in REQUEST_BODY.items() if name != "elapsedMs"}


def client_of(site):
    app = body_limit(BODY_BYTES, LIMITED)(create_api(create_router(site)))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=ORIGIN)


@pytest.fixture
async def api(site):
    async with client_of(site) as client:
        yield client


async def test_demo_request_is_stored(api, services):
    response = await api.post(PATH, json=REQUEST_BODY)
    assert response.status_code == 201
    (row,) = await rows(services.database, DemoRequestRow)
    assert response.json() == {"id": row.id}


async def test_request_is_stored_with_what_travels_and_the_consent(api, services):
    sent = REQUEST_BODY | {
        "consent": "1",
        "journey": {"call": "en-clinic", "referrer": "news.example", "campaign": {"utm_term": "x"}},
    }
    assert (await api.post(PATH, json=sent)).status_code == 201
    (row,) = await rows(services.database, DemoRequestRow)
    assert row.journey == {
        "language": "en",
        "consent": "1",
        "figures": {},
        "call": "en-clinic",
        "tried": False,
        "referrer": "news.example",
        "campaign": {"utm_term": "x"},
    }


async def test_hidden_members_are_optional(api):
    fields = {
        name: REQUEST_BODY[name]
        for name in REQUEST_BODY
        if name not in {"source", "elapsedMs", "phone"}
    }
    assert (await api.post(PATH, json=fields)).status_code == 201


async def test_key_is_409_when_reused_with_other_contents(api, services):
    # Source: specification V5.10.
    key = {"idempotency-key": "a key"}
    assert (await api.post(PATH, json=REQUEST_BODY, headers=key)).status_code == 201
    changed = await api.post(PATH, json=REQUEST_BODY | {"location": "Delhi"}, headers=key)
    assert (changed.status_code, changed.json()["error"]["code"]) == (409, "idempotency_conflict")
    assert await count(services.database, DemoRequestRow) == 1


@pytest.mark.parametrize(
    ("headers", "is_suspected"),
    [
        pytest.param({"sec-fetch-site": "same-origin"}, False, id="a browser on our page"),
        pytest.param({"origin": ORIGIN}, False, id="an older browser on our page"),
        pytest.param({"sec-fetch-site": "cross-site", "origin": ORIGIN}, True, id="elsewhere"),
        pytest.param({"origin": "https://evil.example"}, True, id="another origin"),
        pytest.param({}, True, id="a program"),
    ],
)
async def test_form_without_time_is_suspected_unless_sent_by_our_page(
    api, services, headers, is_suspected
):
    # Source: specification V5.11.
    assert (await api.post(PATH, data=FORM, headers=headers)).status_code == 201
    (row,) = await rows(services.database, DemoRequestRow)
    assert row.is_suspected is is_suspected


async def test_invalid_fields_are_named(api, services):
    response = await api.post(PATH, json=REQUEST_BODY | {"fullName": " ", "industry": "Alchemy"})
    assert response.status_code == 422
    error = response.json()["error"]
    assert error["code"] == "validation_error"
    assert error["fields"] == {
        "fullName": "Enter your full name.",
        "industry": "Choose an industry.",
    }
    assert await count(services.database, DemoRequestRow) == 0


async def test_malformed_body_is_rejected_as_an_empty_form(services):
    odd = (b"", b"{", b"null", b"5", b"[]", b'"x"', b"\xff\xfe", b"[" * 50_000)
    members = (b"9" * 5_000, b"NaN", b'"\\ud800"')
    async with client_of(site_on(services, demo_requests_per_minute=99)) as api:
        for body in (*odd, *(b'{"fullName": ' + each + b"}" for each in members)):
            response = await api.post(PATH, content=body, headers=AS_JSON)
            assert response.status_code == 422, body[:20]
            assert "fullName" in response.json()["error"]["fields"]


@pytest.mark.parametrize(
    "name", [name for name in REQUEST_BODY if name not in {"source", "elapsedMs"}]
)
async def test_odd_value_of_a_field_is_accepted_or_rejected(services, name):
    async with client_of(site_on(services, demo_requests_per_minute=99)) as api:
        for value in (None, 5, True, [], {}, "x" * 10_240, "\ud800\0"):
            content = json.dumps(REQUEST_BODY | {name: value})
            response = await api.post(PATH, content=content, headers=AS_JSON)
            assert response.status_code in {201, 422}, str(value)[:20]


async def test_oversized_body_is_413(api):
    response = await api.post(PATH, json=REQUEST_BODY | {"useCase": "x" * BODY_BYTES})
    assert response.status_code == 413


async def test_repeated_idempotency_key_stores_one_request(api, services):
    headers = {"idempotency-key": "a key of the browser"}
    responses = [await api.post(PATH, json=REQUEST_BODY, headers=headers) for _ in range(3)]
    assert {response.status_code for response in responses} == {201}
    assert len({response.json()["id"] for response in responses}) == 1
    assert await count(services.database, DemoRequestRow) == 1


async def test_idempotency_key_is_rejected_when_too_long(api):
    response = await api.post(PATH, json=REQUEST_BODY, headers={"idempotency-key": "x" * 201})
    assert response.status_code == 422


@pytest.mark.parametrize("trap", [{"website": "x"}, {"elapsedMs": 3}], ids=str)
async def test_suspected_bot_gets_the_usual_response(api, services, trap):
    response = await api.post(PATH, json=REQUEST_BODY | trap)
    assert response.status_code == 201
    (row,) = await rows(services.database, DemoRequestRow)
    assert row.is_suspected


async def test_rate_limit_returns_retry_after(services):
    async with client_of(site_on(services, demo_requests_per_minute=2)) as api:
        responses = [await api.post(PATH, json=REQUEST_BODY) for _ in range(3)]
        assert [response.status_code for response in responses] == [201, 201, 429]
        assert int(responses[-1].headers["retry-after"]) >= 1
        page = await api.post(PATH, data=FORM)
        assert (page.status_code, page.headers["content-type"][:9]) == (429, "text/html")


async def test_database_failure_is_503(api, services):
    await execute(services.database, "DROP TABLE demo_requests")
    response = await api.post(PATH, json=REQUEST_BODY)
    assert (response.status_code, response.json()["error"]["code"]) == (503, "unavailable")
    page = await api.post(PATH, data=FORM)
    assert page.status_code == 503
    assert "hello@davinci.example" in page.text


# Forms


async def test_form_gets_a_page(api, services):
    response = await api.post(PATH, data=FORM)
    assert response.status_code == 201
    (row,) = await rows(services.database, DemoRequestRow)
    assert row.id[:8] in response.text
    assert "We will contact you within 24 hours." in response.text


async def test_repeated_form_stores_one_request_a_day(api, services, clock):
    for _ in range(2):
        await api.post(PATH, data=FORM)
    assert await count(services.database, DemoRequestRow) == 1
    await api.post(PATH, data=FORM | {"selectedVariant": "03"})
    assert await count(services.database, DemoRequestRow) == 2
    clock.advance(days=1)
    await api.post(PATH, data=FORM)
    assert await count(services.database, DemoRequestRow) == 3


async def test_invalid_form_gets_a_page_with_labels_and_a_link_back(api):
    response = await api.post(PATH, data=FORM | {"location": "", "fullName": "<b>x</b>" * 50})
    assert response.status_code == 422
    assert "Location (City): Enter the city." in response.text
    assert "Full Name: Use at most 160 characters." in response.text
    assert "<b>" not in response.text
    assert 'href="/#cta-section"' in response.text


async def test_malformed_form_is_rejected(api):
    for kind, body in (
        ("multipart/form-data; boundary=x", b"--x\r\nnonsense"),
        ("multipart/form-data", b"x"),
        ("application/x-www-form-urlencoded", b"%ff%fe=&&&="),
        ("application/x-www-form-urlencoded", b"a=1&" * 1_000),
    ):
        response = await api.post(PATH, content=body, headers={"content-type": kind})
        assert response.status_code == 422, body[:20]
    upload = await api.post(PATH, data=FORM, files={"fullName": ("x.txt", b"x")})
    assert upload.status_code == 422


async def test_openapi_lists_required_fields(api):
    described = (await api.get("/api/openapi.json")).json()["paths"][PATH]["post"]
    schema = described["requestBody"]["content"]["application/json"]["schema"]
    assert "fullName" in schema["required"]
    assert "phone" not in schema["required"]
