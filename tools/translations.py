"""Updates the translations from the code: `python -m tools.translations [CODE ...]`.

Adds new texts untranslated to each `{product}/translations/{code}.po`, and removes texts that the
code no longer has. The translation of a slightly changed text stays, marked fuzzy. A CODE without a
file, like `ta`, gets one in `translations/begun/`, which visitors are not offered; move it beside
the others to make it a language of the product. Prints the line of each text that is left to do.
"""

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from campus_app.catalogue.csv.catalogue import RESTAURANTS
from campus_app.catalogue.csv.rows import read_rows
from campus_app.shared.rules import messages
from campus_app.shared.translations import FOLDER
from voice_site.translations import FOLDER as VOICE_FOLDER

_ROOT = Path(__file__).parents[1]
_DATA = _ROOT / "data"
_TRANSLATED_COLUMNS = ("categories", "tags")
_FROM_DATA = f"data/{RESTAURANTS}"
_BEGUN = "begun"
_MARKS = frozenset(("t", "gettext_noop", "sentence", "FormattedMessage"))
"""The functions whose first argument is a text to translate."""
_TEMPLATES = ("**/templates/**/*.html", "**/templates/**/*.txt")
_JINJA = {"trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}
_FOR_OPERATORS = messages.OperatorMessage
_WIDTH = 100
_MOST_LINES = 20
_HEAD = """msgid ""
msgstr ""
"Language: {code}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


@dataclass(frozen=True)
class Product:
    """A package and the folder of its translations.

    `messages` is its module of `Message` classes; `has_data` adds the words of the CSV files.
    """

    package: str
    folder: Path
    messages: ModuleType | None = None
    has_data: bool = False


CAMPUS = Product("campus_app", FOLDER, messages, has_data=True)
VOICE = Product("voice_site", VOICE_FOLDER)
PRODUCTS = (CAMPUS, VOICE)


def texts(product: Product = CAMPUS) -> Iterator[tuple[str, str]]:
    """Yield every text to translate, and the path of its file."""
    code = _ROOT / product.package
    for file in sorted(code.rglob("*.py")):
        yield from ((text, _path(file)) for text in _texts_in(file))
    for file in (file for pattern in _TEMPLATES for file in sorted(code.glob(pattern))):
        marked = extract_from_file("jinja2", file, dict.fromkeys(_MARKS), options=_JINJA)
        yield from ((str(text), _path(file)) for _line, text, _comments, _context in marked)
    if product.messages is None:
        return
    for _name, kind in inspect.getmembers(product.messages, inspect.isclass):
        if issubclass(kind, messages.Message) and kind is not _FOR_OPERATORS:
            yield from ((each.value, "campus_app/shared/rules/messages.py") for each in kind)


def _path(file: Path) -> str:
    return file.relative_to(_ROOT).as_posix()


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


def data_texts() -> set[str]:
    """Return the words of the restaurants' data that pages translate."""
    rows = read_rows(_DATA / RESTAURANTS, _TRANSLATED_COLUMNS).rows
    return {
        each for row in rows for name in _TRANSLATED_COLUMNS for each in row.cells[name].split("|")
    }


def is_of_data(message: Message) -> bool:
    """Return whether a text is only in the data: its translation may be missing."""
    return {file for file, _line in message.locations} == {_FROM_DATA}


def template(code_texts: Iterable[tuple[str, str]], of_data: Iterable[str]) -> Catalog:
    """Return an untranslated catalog of the code's texts with their files, and the data's words."""
    catalog = Catalog(charset="utf-8")
    for text, file in code_texts:
        catalog.add(text, locations=[(file, 0)])
    for text in sorted(set(of_data) - {str(each.id) for each in catalog}):
        catalog.add(text, locations=[(_FROM_DATA, 0)])
    return catalog


def file_of(code: str, folder: Path = FOLDER) -> Path:
    """Return the file of a language; the one in `begun/` if it is not offered yet."""
    offered = folder / f"{code}.po"
    return offered if offered.exists() else folder / _BEGUN / f"{code}.po"


def current(code: str, folder: Path = FOLDER) -> Catalog:
    """Return the catalog of a language's file; an empty one if it has no file yet."""
    file = file_of(code, folder)
    if not file.exists():
        return Catalog(locale=code, charset="utf-8")
    with file.open("rb") as stream:
        return read_po(stream, locale=code)


def updated(
    catalog: Catalog, code_texts: Iterable[tuple[str, str]], of_data: Iterable[str] = ()
) -> Catalog:
    """Return a language's catalog with the texts of the code and the words of the data.

    The translation of a slightly changed text stays, marked fuzzy. A word that is no longer in the
    data stays too, since it may come back.
    """
    earlier = {str(message.id) for message in catalog if message.id and is_of_data(message)}
    catalog.update(template(code_texts, {*of_data, *earlier}))
    catalog.obsolete.clear()
    for message in catalog:
        if message.fuzzy and is_of_data(message):  # a different word, not a changed one
            message.flags.discard("fuzzy")
            message.string, message.previous_id = "", []
    return catalog


def lines_to_translate(file: Path) -> list[str]:
    """Return the file and line of each text to translate or to check, at most twenty of them."""
    with file.open("rb") as stream:
        messages = [each for each in read_po(stream) if each.id and (each.fuzzy or not each.string)]
    name = _path(file) if file.is_relative_to(_ROOT) else str(file)
    lines = [
        f"{name}:{each.lineno}: {'check' if each.fuzzy else 'translate'} {str(each.id)!r}"
        for each in messages[:_MOST_LINES]
    ]
    more = len(messages) - len(lines)
    return [*lines, f"{name}: and {more} more"] if more else lines


def main(codes: list[str], products: Sequence[Product] = PRODUCTS) -> None:
    """Write the files of these languages, or of all languages, for each product."""
    for product in products:
        _write(codes, product)


def _write(codes: list[str], product: Product) -> None:
    folder = product.folder
    of_data = data_texts() if product.has_data else ()
    begun = (folder / _BEGUN).glob("*.po")
    for code in codes or sorted(file.stem for file in (*folder.glob("*.po"), *begun)):
        file = file_of(code, folder)
        catalog = updated(current(code, folder), texts(product), of_data)
        file.parent.mkdir(exist_ok=True)
        with file.open("wb") as stream:
            stream.write(_HEAD.format(code=code).encode())
            write_po(
                stream,
                catalog,
                width=_WIDTH,
                omit_header=True,
                include_lineno=False,
                include_previous=True,
            )
        missing = [message.id for message in catalog if message.id and not message.string]
        fuzzy = [message.id for message in catalog if message.id and message.fuzzy]
        print(
            f"{product.package} {file.relative_to(folder)}: {len(catalog)} texts,"
            f" {len(missing)} not translated, {len(fuzzy)} fuzzy"
        )
        for line in lines_to_translate(file):
            print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
