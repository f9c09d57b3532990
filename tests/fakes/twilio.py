"""A fake Twilio: an HTTP server with Twilio's rules for calls, its errors and webhook signatures."""

import base64
import hmac
import re
import secrets
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

ACCOUNT_SID = "AC0123456789abcdef0123456789abcdef"
AUTH_TOKEN = "a token of the account"
OUR_NUMBER = "+12025550143"
VENDOR_PHONE = "+919800000001"
"""The phone number of the vendor whom the tests call."""
_E164 = re.compile(r"\+[1-9]\d{6,14}")
_EVENTS = {"initiated", "ringing", "answered", "completed"}
_CREATE_FIELDS = {
    "To",
    "From",
    "Twiml",
    "Timeout",
    "StatusCallback",
    "StatusCallbackMethod",
    "StatusCallbackEvent",
}
_NOT_ANSWERED = {"queued", "initiated", "ringing"}
_EVENT_OF = {"initiated": "initiated", "ringing": "ringing", "in-progress": "answered"}
SignedWebhook = tuple[str, dict[str, str], bytes]


class ApiError(Exception):
    """An API error: HTTP status and error code."""

    def __init__(self, status: int, code: int) -> None:
        super().__init__(f"{status} {code}")
        self.status = status
        self.code = code


@dataclass
class RecordedRequest:
    """A request as the fake received it."""

    call: str
    headers: dict[str, str]
    fields: dict[str, list[str]]


@dataclass
class FakeCall:
    """A call stored by the fake."""

    sid: str
    to: str
    from_: str
    created_at: datetime
    fields: dict[str, list[str]]
    status: str = "queued"
    sequence: int = 0
    has_begun: bool = False
    history: list[str] = field(default_factory=list)


@dataclass
class Fault:
    """A failure of one request, before it is executed or, with `executes_first`, afterwards."""

    status: int = 500
    code: int = 0
    """Twilio's error code; 0 sends a response that is not JSON."""
    is_problem: bool = False
    """Whether the error has the format of RFC 9457."""
    is_silent: bool = False
    """Whether the response never arrives."""
    drops: bool = False
    executes_first: bool = False
    content: bytes | None = None


class FakeTwilio:
    """The calls of one account; tests set the status of each call."""

    def __init__(self, clock: Any) -> None:
        self.clock = clock
        self.calls: dict[str, FakeCall] = {}
        self.seen: list[RecordedRequest] = []
        self.token = AUTH_TOKEN
        self.hides = 0
        """Number of the newest calls that the list does not contain yet."""
        self.numbers: dict[str, ApiError] = {}
        """Numbers that can't be called, with the error of each."""
        self._faults: dict[str, deque[Fault]] = defaultdict(deque)
        account = "/2010-04-01/Accounts/{account}"
        self.app = Starlette(
            routes=[
                Route(
                    f"{account}/Calls.json", self._route("create", self._create), methods=["POST"]
                ),
                Route(f"{account}/Calls.json", self._route("list", self._list)),
                Route(f"{account}/Calls/{{sid}}.json", self._route("fetch", self._fetch)),
                Route(
                    f"{account}/Calls/{{sid}}.json",
                    self._route("update", self._update),
                    methods=["POST"],
                ),
            ]
        )

    # Controls for tests

    def fail_next(self, call: str, *faults: Fault) -> None:
        """Make the next requests of a kind fail with these faults."""
        self._faults[call].extend(faults)

    def clear_faults(self) -> None:
        """Remove all planned faults."""
        self._faults.clear()

    def requests(self, call: str) -> list[RecordedRequest]:
        return [each for each in self.seen if each.call == call]

    @property
    def only(self) -> FakeCall:
        """The only call that was created."""
        (call,) = self.calls.values()
        return call

    @property
    def newest(self) -> FakeCall:
        return list(self.calls.values())[-1]

    def move(self, call: FakeCall, status: str) -> SignedWebhook:
        """Set the status of a call; return its webhook: path, headers, body."""
        call.status = status
        call.has_begun = call.has_begun or status not in {"queued", "canceled"}
        call.history.append(status)
        webhook = self.webhook(call, status, call.sequence)
        call.sequence += 1
        return webhook

    def webhook(
        self, call: FakeCall, status: str, sequence: int, *, token: str = "", **changes: str
    ) -> SignedWebhook:
        """Return a signed webhook about a call; empty fields are omitted."""
        (url,) = call.fields["StatusCallback"]
        fields = {
            "AccountSid": ACCOUNT_SID,
            "ApiVersion": "2010-04-01",
            "CallSid": call.sid,
            "CallStatus": status,
            "CallbackSource": "call-progress-events",
            "Called": call.to,
            "Caller": call.from_,
            "CalledCity": "",
            "Direction": "outbound-api",
            "From": call.from_,
            "SequenceNumber": str(sequence),
            "Timestamp": format_datetime(self.clock.now()),
            "To": call.to,
        } | changes
        headers = {
            "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
            "x-twilio-signature": signature(token or self.token, url, fields),
        }
        return urlsplit(url).path, headers, urlencode(fields).encode()

    def wants_webhook(self, call: FakeCall, status: str) -> bool:
        """Whether the client requested a webhook about this status."""
        events = call.fields.get("StatusCallbackEvent", ["completed"])
        return _EVENT_OF.get(status, "completed") in events

    # The HTTP interface

    def _route(self, call: str, handler: Callable[..., Any]) -> Any:
        async def endpoint(request: Request) -> Response:
            fields = parse_qs(
                (await request.body()).decode() or request.url.query, keep_blank_values=True
            )
            self.seen.append(RecordedRequest(call, dict(request.headers), fields))
            fault = self._faults[call].popleft() if self._faults[call] else None
            if fault and not fault.executes_first:
                return await _failed(fault, request)
            response = self._respond(request, fields, handler)
            return await _failed(fault, request) if fault else response

        return endpoint

    def _respond(
        self, request: Request, fields: dict[str, list[str]], handler: Callable[..., Any]
    ) -> Response:
        try:
            self._require_access(request)
            return handler(request, fields)
        except ApiError as error:
            return JSONResponse(_error(error.status, error.code), error.status)

    def _require_access(self, request: Request) -> None:
        credentials = base64.b64encode(f"{ACCOUNT_SID}:{self.token}".encode()).decode()
        if request.headers.get("authorization") != f"Basic {credentials}":
            raise ApiError(401, 20003)
        if request.path_params["account"] != ACCOUNT_SID:
            raise ApiError(404, 20404)

    def _create(self, request: Request, fields: dict[str, list[str]]) -> Response:
        if request.headers["content-type"] != "application/x-www-form-urlencoded":
            raise ApiError(400, 21201)
        self._require_fields(fields)
        sid = f"CA{secrets.token_hex(16)}"
        call = FakeCall(sid, fields["To"][0], fields["From"][0], self.clock.now(), fields)
        self.calls[sid] = call
        return JSONResponse(self._entity(call), 201)

    def _require_fields(self, fields: dict[str, list[str]]) -> None:
        assert set(fields) <= _CREATE_FIELDS, "an unexpected field"
        values = {name: first for name, (first, *_) in fields.items()}
        if not _E164.fullmatch(values.get("To", "")):
            raise ApiError(400, 21211)
        if values["To"] in self.numbers:
            raise self.numbers[values["To"]]
        if values.get("From") != OUR_NUMBER:
            raise ApiError(400, 21210)
        if not values.get("Timeout", "60").isdigit() or int(values.get("Timeout", "60")) > 600:
            raise ApiError(400, 21208)
        if values.get("Twiml") != "<Response><Hangup/></Response>":
            raise ApiError(400, 12100)
        if "StatusCallback" in values and not values["StatusCallback"].startswith("https://"):
            raise ApiError(400, 21609)
        if not set(fields.get("StatusCallbackEvent", [])) <= _EVENTS:
            raise ApiError(400, 21626)

    def _list(self, _request: Request, fields: dict[str, list[str]]) -> Response:
        listed = list(self.calls.values())[: len(self.calls) - self.hides][::-1]
        for name, attribute in (("To", "to"), ("From", "from_")):
            if name in fields:
                listed = [call for call in listed if getattr(call, attribute) == fields[name][0]]
        if "StartTime>" in fields:  # a queued call has no start time
            listed = [call for call in listed if call.has_begun]
        size = int(fields.get("PageSize", ["50"])[0])
        content = {
            "calls": [self._entity(call) for call in listed[:size]],
            "page": 0,
            "page_size": size,
            "next_page_uri": None,
            "previous_page_uri": None,
            "uri": f"/2010-04-01/Accounts/{ACCOUNT_SID}/Calls.json",
        }
        return JSONResponse(content)

    def _fetch(self, request: Request, _fields: dict[str, list[str]]) -> Response:
        return JSONResponse(self._entity(self._call(request)))

    def _update(self, request: Request, fields: dict[str, list[str]]) -> Response:
        call = self._call(request)
        (status,) = fields["Status"]
        if status == "canceled" and call.status in _NOT_ANSWERED:
            self.move(call, "canceled")
        elif status == "completed" and call.status in {*_NOT_ANSWERED, "in-progress"}:
            self.move(call, "completed")
        else:
            raise ApiError(400, 21220)
        return JSONResponse(self._entity(call))

    def _call(self, request: Request) -> FakeCall:
        call = self.calls.get(request.path_params["sid"])
        if call is None:
            raise ApiError(404, 20404)
        return call

    def _entity(self, call: FakeCall) -> dict[str, Any]:
        created = format_datetime(call.created_at)
        return {
            "sid": call.sid,
            "account_sid": ACCOUNT_SID,
            "api_version": "2010-04-01",
            "to": call.to,
            "to_formatted": call.to,
            "from": call.from_,
            "from_formatted": call.from_,
            "status": call.status,
            "direction": "outbound-api",
            "date_created": created,
            "date_updated": created,
            "start_time": created if call.has_begun else None,
            "end_time": None,
            "duration": None,
            "price": None,
            "uri": f"/2010-04-01/Accounts/{ACCOUNT_SID}/Calls/{call.sid}.json",
        }


def signature(token: str, url: str, fields: dict[str, str], digest: str = "sha1") -> str:
    """Return Twilio's signature: HMAC of the URL and the sorted fields."""
    text = url + "".join(name + fields[name] for name in sorted(fields))
    return base64.b64encode(hmac.new(token.encode(), text.encode(), digest).digest()).decode()


def _error(status: int, code: int) -> dict[str, Any]:
    return {
        "code": code,
        "message": f"The call to {VENDOR_PHONE} can't be made.",
        "more_info": f"https://www.twilio.com/docs/errors/{code}",
        "status": status,
    }


def _problem(status: int, code: int) -> dict[str, Any]:
    return {
        "type": f"https://www.twilio.com/docs/errors/{code}",
        "title": f"The call to {VENDOR_PHONE} can't be made.",
        "status": status,
        "code": code,
    }


async def _failed(fault: Fault, request: Request) -> Response:
    while fault.is_silent and (await request.receive())["type"] != "http.disconnect":
        pass
    if fault.drops:
        return _TruncatedResponse()
    if fault.content is not None:
        return Response(fault.content, fault.status, media_type="application/json")
    if not fault.code:
        return Response(b"upstream connect error", fault.status)
    content = (_problem if fault.is_problem else _error)(fault.status, fault.code)
    return JSONResponse(content, fault.status)


class _TruncatedResponse(Response):
    """A response that ends before its Content-Length."""

    async def __call__(self, _scope: Any, _receive: Any, send: Any) -> None:
        headers = [(b"content-length", b"100"), (b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 201, "headers": headers})
        await send({"type": "http.response.body", "body": b'{"sid"'})


def twilio_settings(address: str, **changes: Any) -> dict[str, Any]:
    """Return settings of the product for the fake Twilio at this address."""
    return {
        "call_transport": "twilio",
        "twilio_account_sid": ACCOUNT_SID,
        "twilio_auth_token": AUTH_TOKEN,
        "twilio_from": OUR_NUMBER,
        "twilio_base_url": address,
    } | changes
