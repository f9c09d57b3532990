"""Brings the translations up to date with the code: `python -m tools.translations [CODE ...]`.

What is new in the code comes into each `campus_app/translations/{code}.po` untranslated, what is
gone leaves it. A CODE that has no file yet, like `ta`, begins one: a language needs nothing else.
"""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from campus_app.domain import messages
from campus_app.translations import ENGLISH, FOLDER, LANGUAGES

_CODE = Path(messages.__file__).parents[1]
_MARKS: dict[str, None] = dict.fromkeys(("t", "noted", "sentence", "Sentence"))
"""The functions whose first argument somebody reads."""
_METHODS = {"*.py": "python", "templates/**/*.html": "jinja2", "templates/**/*.txt": "jinja2"}
_JINJA = {"trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}
_FOR_OPERATORS = messages.OperatorMessage
_WIDTH = 100
_HEAD = """msgid ""
msgstr ""
"Language: {code}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def texts() -> Iterator[tuple[str, str]]:
    """Yield every text that somebody reads in a language of their own, and the file it is in."""
    for pattern, method in _METHODS.items():
        for file in sorted(_CODE.glob(pattern if "/" in pattern else f"**/{pattern}")):
            name = file.relative_to(_CODE.parent).as_posix()
            for _line, text, _comments, _context in extract_from_file(
                method, file, keywords=_MARKS, options=_JINJA
            ):
                yield str(text), name
    for _name, kind in inspect.getmembers(messages, inspect.isclass):
        if issubclass(kind, messages.Message) and kind is not _FOR_OPERATORS:
            yield from ((each.value, "campus_app/domain/messages.py") for each in kind)


def template() -> Catalog:
    """Return all texts, none of them translated."""
    catalog = Catalog(charset="utf-8")
    for text, file in texts():
        catalog.add(text, locations=[(file, 0)])
    return catalog


def current(code: str) -> Catalog:
    """Return a language's texts as they stand in its file; none for one that has no file yet."""
    file = FOLDER / f"{code}.po"
    if not file.exists():
        return Catalog(locale=code, charset="utf-8")
    with file.open("rb") as stream:
        return read_po(stream, locale=code)


def updated(code: str) -> Catalog:
    """Return a language's texts as they should stand in its file."""
    catalog = current(code)
    catalog.update(template(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    return catalog


def main(codes: list[str]) -> None:
    """Write the files of these languages, or of all that there are."""
    for code in codes or [each for each in LANGUAGES if each != ENGLISH]:
        catalog = updated(code)
        with (FOLDER / f"{code}.po").open("wb") as stream:
            stream.write(_HEAD.format(code=code).encode())
            write_po(stream, catalog, width=_WIDTH, omit_header=True, include_lineno=False)
        missing = [message.id for message in catalog if message.id and not message.string]
        print(f"{code}: {len(catalog)} texts, {len(missing)} of them not translated")


if __name__ == "__main__":
    main(sys.argv[1:])
