"""What a mail server's refusal means for a mail.

Source: specification P4.13; RFC 5321, 4.2 and RFC 3463 for the codes.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

_PERMANENT = 500
_CLOSING = 421
"""The server closes the connection after this reply."""
_ABOUT_THE_CLIENT = frozenset({500, 501, 502, 503, 504, 521, 530, 534, 535, 538, 555})
"""Codes about our commands, our EHLO name or our login; many servers send them after RCPT only."""
_SENDER_OR_POLICY = re.compile(r"5\.(?:1\.[78]|5\.\d+|7\.\d+)")
"""Status codes about the sender's address, the protocol, and policy (RFC 3463; 5.7 also covers
relaying and authentication).
"""
_STATUS = re.compile(r"[245]\.\d{1,3}\.\d{1,3}(?=\s|$)")


class Stage(StrEnum):
    """The command that was refused; the value is its name in messages."""

    CONNECTION = "the connection"
    SENDER = "MAIL"
    RECIPIENT = "RCPT"
    CONTENT = "DATA"


class Verdict(StrEnum):
    """What a refusal means for the mail."""

    TEMPORARY = "temporary"
    NEEDS_OPERATOR = "needs operator"
    """Nothing is wrong with the mail: an operator must change settings, DNS or the account."""
    FINAL = "final"


@dataclass(frozen=True)
class Refusal:
    """A reply that refuses a command: its code, and its status code (RFC 3463) if it has one."""

    stage: Stage
    code: int
    status: str = ""

    @classmethod
    def parse(cls, stage: Stage, code: int, text: str) -> "Refusal":
        """Return a reply's refusal; its text, which may name the recipient, is dropped."""
        found = _STATUS.match(text)
        return cls(stage, code, found.group() if found else "")

    @property
    def verdict(self) -> Verdict:
        if self.code < _PERMANENT:
            return Verdict.TEMPORARY
        is_ours = self.stage in {Stage.CONNECTION, Stage.SENDER} or self.code in _ABOUT_THE_CLIENT
        if is_ours or _SENDER_OR_POLICY.fullmatch(self.status):
            return Verdict.NEEDS_OPERATOR
        return Verdict.FINAL

    @property
    def closes_connection(self) -> bool:
        return self.code == _CLOSING

    def __str__(self) -> str:
        """Return a reason without personal data."""
        code = f"{self.code} {self.status}".rstrip()
        return f"the mail server answered {code} to {self.stage}"
