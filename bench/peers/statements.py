"""Statements in the log of a PostgreSQL server that logs them all."""

import re
from collections.abc import Iterable

_STATEMENT = re.compile(r"LOG:  (?:statement|execute [^:]*): (?P<text>.*)")
_TRANSACTION = re.compile(r"(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b", re.IGNORECASE)
IGNORED = "/* benchmark */"
"""A comment in the statements of the benchmark itself."""


def statements(log: Iterable[str]) -> list[str]:
    """Return the first line of each statement, except those of the benchmark itself."""
    found = (_STATEMENT.search(line) for line in log)
    return [match["text"] for match in found if match and IGNORED not in match["text"]]


def without_transactions(texts: Iterable[str]) -> list[str]:
    """Return the statements that do not only begin or end a transaction or a part of one."""
    return [text for text in texts if not _TRANSACTION.match(text)]
