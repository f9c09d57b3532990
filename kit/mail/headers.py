"""What may become part of a mail header: a rule for both products, on the standard library alone.

`email.message.EmailMessage` decodes encoded words (RFC 2047: `=?utf-8?q?=0aBcc:_x?=`) in header
values that it is given as text, so such a value can bring line breaks that no check of the text
itself sees.
"""

import unicodedata
from email.errors import MessageError
from email.headerregistry import Address
from email.utils import parseaddr

_CONTROL = {"Cc", "Cs", "Zl", "Zp"}
_ENCODED_WORD = "=?"
_LETTERS = {"L", "M", "N"}


def is_header_text(text: str) -> bool:
    """Whether a text can stand in a header: no control character, line break or encoded word."""
    if _ENCODED_WORD in text:
        return False
    if text.isascii():
        return text.isprintable()
    return all(unicodedata.category(character) not in _CONTROL for character in text)


def is_header_input(typed: str, tidied: str) -> bool:
    """Whether a text that somebody typed can stand in a header, as it was typed and tidied.

    Tidying removes characters that are not seen: it can hide a line break, or make an encoded word.
    """
    return is_header_text(typed.strip()) and is_header_text(tidied)


def is_mail_address(text: str) -> bool:
    """Whether a text is one e-mail address, `name@domain`, that the library reads as itself.

    Letters of any script are accepted; only servers with SMTPUTF8 deliver to such addresses.
    """
    if not is_header_text(text) or parseaddr(text) != ("", text):
        return False
    # The library refuses letters beyond ASCII, in the local part, even where the form is right.
    form = "".join(map(_ascii_letter, text))
    try:
        address = Address(addr_spec=form)
    except (ValueError, IndexError, MessageError):
        return False
    return bool(address.username and address.domain) and address.addr_spec == form


def _ascii_letter(character: str) -> str:
    is_letter = not character.isascii() and unicodedata.category(character)[0] in _LETTERS
    return "x" if is_letter else character
