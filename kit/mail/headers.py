"""Validation of text and addresses for mail headers; uses the standard library only.

`email.message.EmailMessage` decodes encoded words (RFC 2047: `=?utf-8?q?=0aBcc:_x?=`) in header
values, so a value can contain line breaks that are not visible in its text.
"""

import unicodedata
from email.errors import MessageError
from email.headerregistry import Address
from email.utils import parseaddr

_CONTROL = {"Cc", "Cs", "Zl", "Zp"}
_ENCODED_WORD = "=?"
_LETTERS = {"L", "M", "N"}


def is_header_text(text: str) -> bool:
    """Whether a text has no control character, line break or encoded word."""
    if _ENCODED_WORD in text:
        return False
    if text.isascii():
        return text.isprintable()
    return all(unicodedata.category(character) not in _CONTROL for character in text)


def is_header_input(typed: str, tidied: str) -> bool:
    """Whether an input is valid header text both as typed and after normalisation.

    Normalisation removes invisible characters, which can hide a line break or form an encoded word.
    """
    return is_header_text(typed.strip()) and is_header_text(tidied)


def is_mail_address(text: str) -> bool:
    """Whether a text is one address, `name@domain`, that the standard library parses unchanged.

    Letters of any script are accepted; only servers with SMTPUTF8 deliver to such addresses.
    """
    if not is_header_text(text) or parseaddr(text) != ("", text):
        return False
    # `Address` rejects local parts that are not ASCII, so their letters are replaced first.
    form = "".join(map(_ascii_letter, text))
    try:
        address = Address(addr_spec=form)
    except (ValueError, IndexError, MessageError):
        return False
    return bool(address.username and address.domain) and address.addr_spec == form


def _ascii_letter(character: str) -> str:
    is_letter = not character.isascii() and unicodedata.category(character)[0] in _LETTERS
    return "x" if is_letter else character
