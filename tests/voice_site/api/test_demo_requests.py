"""`POST /api/demo-requests`. Source: specification C3.13."""

import json

import httpx
import pytest

from campus_app.api import create_api
from kit.http.middleware import body_limit
from tests.conftest import BODY_BYTES, LIMITED
from tests.helpers.databases import sqlite_only
from tests.helpers.demo import SENT, site_on
from tests.helpers.settings import ORIGIN
from tests.helpers.tables import count, execute, rows
from voice_site.adapters.tables import DemoRequestRow
from voice_site.api.demo_requests import create_router

pytestmark = [pytest.mark.anyio, sqlite_only]

CALL = "/api/demo-requests"
FORM = {name: str(value) for name, value in SENT.items() if name != "elapsedMs"}


def client_of(site):
    app = body_limit(BODY_BYTES, LIMITED)(create_api(create_router(site)))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=ORIGIN)


@pytest.fixture
async def api(site):
    async with client_of(site) as client:
        yield client


async def test_a_request_is_taken(api, services):
    answer = await api.post(CALL, json=SENT)
    assert answer.status_code == 201
    (row,) = await rows(services.database, DemoRequestRow)
    assert answer.json() == {"id": row.id}


async def test_the_fields_alone_are_enough(api):
    fields = {name: SENT[name] for name in SENT if name not in {"source", "elapsedMs", "phone"}}
    assert (await api.post(CALL, json=fields)).status_code == 201


async def test_what_is_missing_is_named(api, services):
    answer = await api.post(CALL, json=SENT | {"fullName": " ", "industry": "Alchemy"})
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert error["code"] == "validation_error"
    assert error["fields"] == {
        "fullName": "Enter your full name.",
        "industry": "Choose an industry.",
    }
    assert await count(services.database, DemoRequestRow) == 0


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"5",
        b"[]",
        b'"x"',
        pytest.param(b"\xff\xfe", id="no UTF-8"),
        b"[" * 50_000,
        b'{"fullName": ' + b"9" * 5_000 + b"}",
        b'{"fullName": NaN}',
        pytest.param(b'{"fullName": "\\ud800"}', id="half a character"),
    ],
    ids=lambda body: repr(body[:20]),
)
async def test_nonsense_is_refused_like_an_empty_form(api, body):
    answer = await api.post(CALL, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert "fullName" in answer.json()["error"]["fields"]


ODD = {
    "nothing": None,
    "a number": 5,
    "a truth": True,
    "a list": [],
    "an object": {},
    "endless": "x" * 10_240,
    "half a character": "\ud800\0",
}


@pytest.mark.parametrize("name", [name for name in SENT if name not in {"source", "elapsedMs"}])
@pytest.mark.parametrize("value", ODD.values(), ids=ODD)
async def test_no_value_breaks_anything(api, name, value):
    content = json.dumps(SENT | {name: value})
    answer = await api.post(CALL, content=content, headers={"content-type": "application/json"})
    assert answer.status_code in {201, 422}


async def test_more_than_the_server_takes_is_too_much(api):
    answer = await api.post(CALL, json=SENT | {"useCase": "x" * BODY_BYTES})
    assert answer.status_code == 413


async def test_a_replay_with_the_same_key_is_the_same_request(api, services):
    headers = {"idempotency-key": "a key of the browser"}
    answers = [await api.post(CALL, json=SENT, headers=headers) for _ in range(3)]
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert await count(services.database, DemoRequestRow) == 1


async def test_a_key_without_an_end_is_refused(api):
    answer = await api.post(CALL, json=SENT, headers={"idempotency-key": "x" * 201})
    assert answer.status_code == 422


@pytest.mark.parametrize("trap", [{"website": "x"}, {"elapsedMs": 3}], ids=str)
async def test_a_machine_learns_nothing(api, services, trap):
    answer = await api.post(CALL, json=SENT | trap)
    assert answer.status_code == 201
    (row,) = await rows(services.database, DemoRequestRow)
    assert row.is_suspected


async def test_who_asks_without_end_is_asked_to_wait(services):
    async with client_of(site_on(services, demo_requests_per_minute=2)) as api:
        answers = [await api.post(CALL, json=SENT) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert int(answers[-1].headers["retry-after"]) >= 1
        page = await api.post(CALL, data=FORM)
        assert (page.status_code, page.headers["content-type"][:9]) == (429, "text/html")


async def test_a_store_that_is_away_is_said_plainly(api, services):
    await execute(services.database, "DROP TABLE demo_requests")
    answer = await api.post(CALL, json=SENT)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "unavailable")
    page = await api.post(CALL, data=FORM)
    assert page.status_code == 503
    assert "hello@davinci.example" in page.text


# The plain form


async def test_a_plain_form_is_answered_with_a_page(api, services):
    answer = await api.post(CALL, data=FORM)
    assert answer.status_code == 201
    (row,) = await rows(services.database, DemoRequestRow)
    assert row.id[:8] in answer.text
    assert "We will contact you within 24 hours." in answer.text


async def test_a_plain_form_that_is_sent_twice_is_one_request(api, services):
    for _ in range(2):
        await api.post(CALL, data=FORM)
    assert await count(services.database, DemoRequestRow) == 1
    await api.post(CALL, data=FORM | {"selectedVariant": "03"})
    assert await count(services.database, DemoRequestRow) == 2


async def test_a_plain_form_that_lacks_something_says_what_and_leads_back(api):
    answer = await api.post(CALL, data=FORM | {"location": "", "fullName": "<b>x</b>" * 50})
    assert answer.status_code == 422
    assert "Location (City): Enter the city." in answer.text
    assert "Full Name: Use at most 160 characters." in answer.text
    assert "<b>" not in answer.text
    assert 'href="/#cta-section"' in answer.text


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data; boundary=x", b"--x\r\nnonsense"),
        ("multipart/form-data", b"x"),
        ("application/x-www-form-urlencoded", b"%ff%fe=&&&="),
        ("application/x-www-form-urlencoded", b"a=1&" * 1_000),
    ],
)
async def test_a_form_that_is_none_does_no_harm(api, kind, body):
    answer = await api.post(CALL, content=body, headers={"content-type": kind})
    assert answer.status_code == 422


async def test_a_file_is_no_answer(api):
    answer = await api.post(CALL, data=FORM, files={"fullName": ("x.txt", b"x")})
    assert answer.status_code == 422


async def test_the_call_is_described(api):
    described = (await api.get("/api/openapi.json")).json()["paths"][CALL]["post"]
    schema = described["requestBody"]["content"]["application/json"]["schema"]
    assert "fullName" in schema["required"]
    assert "phone" not in schema["required"]
