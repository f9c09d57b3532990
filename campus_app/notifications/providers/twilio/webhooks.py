"""Verification and parsing of Twilio's status callbacks."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from twilio.request_validator import (  # pyright: ignore[reportMissingTypeStubs]
    HMAC_SHA1,
    HMAC_SHA256,
    SIGNATURE_HEADER,
    SIGNATURE_SETTINGS_HEADER,
    RequestValidator,
    get_signature_algorithm,  # pyright: ignore[reportUnknownVariableType]
)

from campus_app.notifications.providers.twilio.client import TwilioAccount
from campus_app.notifications.rules.missed_call import CallReport, CallStatus
from campus_app.ordering.rules.errors import BadSignature

_LONGEST_BODY_BYTES = 16 * 1024
_MOST_FIELDS = 100
SID = re.compile(r"CA[0-9a-f]{32}", re.ASCII)
"""The format of Twilio's call ids."""
_SEQUENCE = re.compile(r"\d{1,6}", re.ASCII)


def parse_status_callback(
    account: TwilioAccount, url: str, headers: Mapping[str, str], body: bytes
) -> CallReport:
    """Verify a status callback that was sent to `url`; return its report.

    The signature covers the URL that we passed to Twilio, not the one in the request's headers.

    Raises:
        BadSignature: If this Twilio account did not sign it, or it cannot be parsed.
    """
    fields = _fields(body)
    signature = headers.get(SIGNATURE_HEADER.lower(), "")
    algorithm = get_signature_algorithm(headers.get(SIGNATURE_SETTINGS_HEADER.lower(), ""))
    # Reject other algorithms here: Twilio's validator would log the header's content.
    if not signature or algorithm not in {HMAC_SHA1, HMAC_SHA256}:
        raise BadSignature
    validator: Any = RequestValidator(account.auth_token.get_secret_value())
    if not validator.validate(url, fields, signature, algorithm):
        raise BadSignature
    sid = fields.get("CallSid", "")
    if fields.get("AccountSid") != account.account_sid or not SID.fullmatch(sid):
        raise BadSignature
    sequence = fields.get("SequenceNumber", "")
    return CallReport(
        sid,
        status_of(fields.get("CallStatus")),
        int(sequence) if _SEQUENCE.fullmatch(sequence) else None,
    )


def status_of(word: object) -> CallStatus | None:
    """Return the call status of Twilio's word, or None if it is unknown."""
    return CallStatus(word) if word in list(CallStatus) else None


def _fields(body: bytes) -> dict[str, str]:
    """Return the form fields; a duplicate field is ambiguous and rejected."""
    if len(body) > _LONGEST_BODY_BYTES:
        raise BadSignature
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except ValueError:
        raise BadSignature from None
    if len(fields := dict(pairs)) != len(pairs):
        raise BadSignature
    return fields
