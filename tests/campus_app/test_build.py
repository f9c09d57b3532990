"""The pages of all languages in one folder. Source: issue 6, Craft 3."""

import pytest

from campus_app.build import add_language


@pytest.fixture
def built(tmp_path):
    return written(tmp_path / "client", {"about.html": "en", "assets/a-1.js": "en", "a.css": "1"})


def written(folder, files):
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return folder


def files_in(folder):
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_text() for file in files}


def test_a_language_stands_below_its_code_beside_the_scripts_of_all(built, tmp_path):
    pages = {
        "index.html": "home",
        "about.html": "hi",
        "about.html.br": "packed",
        "about/index.html": "hi",
        "menu/0.html": "hi menu",
        "assets/a-1.js": "never looked at: the same name is the same script",
        "assets/a-2.js": "hi",
        "a.css": "1",
    }
    add_language(written(tmp_path / "hi", pages), built, "hi")
    assert files_in(built) == {
        "about.html": "en",
        "a.css": "1",
        "assets/a-1.js": "en",
        "assets/a-2.js": "hi",
        "hi/about.html": "hi",
        "hi/about.html.br": "packed",
        "hi/menu/0.html": "hi menu",
    }
