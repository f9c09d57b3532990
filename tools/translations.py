"""Brings the translations up to date with the code: `python -m tools.translations [CODE ...]`.

What is new in the code comes into each `campus_app/translations/{code}.po` untranslated, what is
gone leaves it. A CODE that has no file yet, like `ta`, begins one: a language needs nothing else.
"""

import ast
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
_MARKS = frozenset(("t", "noted", "sentence", "Sentence"))
"""The functions whose first argument somebody reads."""
_TEMPLATES = ("templates/**/*.html", "templates/**/*.txt")
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
    for file in sorted(_CODE.rglob("*.py")):
        yield from ((text, _path(file)) for text in _texts_in(file))
    for file in (file for pattern in _TEMPLATES for file in sorted(_CODE.glob(pattern))):
        marked = extract_from_file("jinja2", file, dict.fromkeys(_MARKS), options=_JINJA)
        yield from ((str(text), _path(file)) for _line, text, _comments, _context in marked)
    for _name, kind in inspect.getmembers(messages, inspect.isclass):
        if issubclass(kind, messages.Message) and kind is not _FOR_OPERATORS:
            yield from ((each.value, "campus_app/domain/messages.py") for each in kind)


def _path(file: Path) -> str:
    return file.relative_to(_CODE.parent).as_posix()


def _texts_in(file: Path) -> list[str]:
    calls = [each for each in ast.walk(ast.parse(file.read_text())) if isinstance(each, ast.Call)]
    first = [
        call.args[0]
        for call in calls
        if call.args and isinstance(call.func, ast.Name) and call.func.id in _MARKS
    ]
    texts = [each for each in first if isinstance(each, ast.Constant)]
    return [
        str(each.value) for each in sorted(texts, key=lambda each: (each.lineno, each.col_offset))
    ]


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
