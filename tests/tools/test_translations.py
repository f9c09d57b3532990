"""Every text of both products is translated; the tool that updates the catalogues.

Source: specification P6.2, docs/translations.md.
"""

import shutil
from dataclasses import replace
from string import Formatter

import pytest

from campus_app.shared.translations import FOLDER, LANGUAGES
from kit.translations import ENGLISH
from tools.translations import (
    CAMPUS,
    PRODUCTS,
    current,
    is_of_data,
    lines_to_translate,
    main,
    texts,
    updated,
)

OTHERS = [code for code in LANGUAGES if code != ENGLISH]
CATALOGUES = [
    pytest.param(product, code, id=f"{product.package}-{code}")
    for product in PRODUCTS
    for code in OTHERS
]


def places(text):
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def translations(code, product=CAMPUS):
    """Return the translations in use; fuzzy ones are not used."""
    return {
        message.id: "" if message.fuzzy else message.string
        for message in current(code, product.folder)
        if message.id
    }


def words_of_data(code, product):
    return {
        message.id
        for message in current(code, product.folder)
        if message.id and is_of_data(message)
    }


@pytest.mark.parametrize(("product", "code"), CATALOGUES)
def test_each_text_is_translated_in_every_language(product, code):
    said = translations(code, product)
    assert [text for text, _file in texts(product) if not said.get(text)] == []


@pytest.mark.parametrize(("product", "code"), CATALOGUES)
def test_catalogue_contains_no_obsolete_texts(product, code):
    assert set(translations(code, product)) - words_of_data(code, product) == {
        text for text, _file in texts(product)
    }
    assert not current(code, product.folder).obsolete


@pytest.mark.parametrize(("product", "code"), CATALOGUES)
def test_translation_has_the_placeholders_of_its_original(product, code):
    others = {
        text: said
        for text, said in translations(code, product).items()
        if said and places(text) != places(said)
    }
    assert others == {}


@pytest.mark.parametrize(("product", "code"), CATALOGUES)
def test_translation_keeps_markup_and_names_of_its_original(product, code):
    marks = ("<", "\n", "₹", "FOOD_points", "UPI", "TARA", "DA'VINCI")
    others = {
        text: said
        for text, said in translations(code, product).items()
        if said and any(text.count(mark) != said.count(mark) for mark in marks)
    }
    assert others == {}


CHANGED = ("Your cart is safe; each tap tries again.", "Your cart is safe; each tap helps.")


@pytest.fixture
def folder(tmp_path):
    """A copy of the catalogues."""
    return shutil.copytree(FOLDER, tmp_path / "translations")


def test_translation_becomes_fuzzy_when_its_english_text_changes():
    (text,) = [text for text, _ in texts() if CHANGED[0] in text]
    before = current("hi")[text].string
    longer = text.replace(*CHANGED)
    said = [(longer if each == text else each, file) for each, file in texts()]
    message = updated(current("hi"), said)[longer]
    assert (message.string, message.fuzzy, message.previous_id) == (before, True, [text])


def test_words_of_data_are_kept_when_data_drops_them():
    catalog = updated(current("hi"), texts(), {"waffles"})
    assert catalog["momos"].string
    assert is_of_data(catalog["waffles"])


def test_unfinished_language_is_not_offered(folder, capsys):
    product = replace(CAMPUS, folder=folder)
    main(["ta"], [product])
    assert not (folder / "ta.po").exists()
    assert sorted(file.stem for file in folder.glob("*.po")) == OTHERS
    main([], [product])
    output = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in output if " texts, " in line] == [
        "campus_app begun/ta.po",
        "campus_app hi.po",
        "campus_app begun/ta.po",
    ]


def test_update_changes_nothing_when_texts_are_unchanged():
    known = translations("hi")
    after = updated(current("hi"), texts(), {"waffles", "roll"})
    added = {each.id: each for each in after if each.id and each.id not in known}
    assert set(added) == {"waffles", "roll"}
    assert not any(message.string or message.fuzzy for message in added.values())
    assert [each.id for each in after if each.fuzzy and each.id] == []
    assert all(after[text].string == said for text, said in known.items())


def test_update_prints_line_of_each_text_to_translate(folder, capsys):
    file = folder / "hi.po"
    lines = file.read_text(encoding="utf-8").splitlines()
    number = lines.index('msgid "Two good days"')
    lines[number + 1] = 'msgstr ""'
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    main(["hi"], [replace(CAMPUS, folder=folder)])
    written = file.read_text(encoding="utf-8").splitlines().index('msgid "Two good days"') + 1
    head, line = capsys.readouterr().out.splitlines()
    assert head.endswith(" 1 not translated, 0 fuzzy")
    assert line == f"{file}:{written}: translate 'Two good days'"


def test_texts_to_translate_include_fuzzy_ones_and_are_limited(tmp_path):
    file = tmp_path / "ta.po"
    texts = [
        '#, fuzzy\nmsgid "Open"\nmsgstr "Shut"',
        *(f'msgid "{n}"\nmsgstr ""' for n in range(30)),
    ]
    file.write_text("\n\n".join(texts), encoding="utf-8")
    lines = lines_to_translate(file)
    assert lines[:2] == [f"{file}:2: check 'Open'", f"{file}:5: translate '0'"]
    assert lines[20:] == [f"{file}: and 11 more"]
