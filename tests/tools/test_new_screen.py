"""The screen that `make new-screen` adds passes the checks and tests that every screen passes."""

import pytest

from tests.tools.conftest import run
from tools.new_screen import add_screen

COMPILE = """
from campus_app.campus_app import app
app._compile_page("saved-dishes")
print(len(app._pages))
"""


def test_new_screen_is_formatted_typed_built_and_tested(copy):
    files = [str(file.relative_to(copy)) for file in add_screen("ordering", "saved_dishes", copy)]
    changed = [*files, "campus_app/campus_app.py", "campus_app/shell/layout.py"]
    run(copy, "-m", "ruff", "check", *changed)
    run(copy, "-m", "ruff", "format", "--check", *changed)
    run(copy, "-m", "pyright", *changed[:-3], *changed[-2:])
    run(copy, "-c", COMPILE)
    page_tests = ["tests/campus_app/test_routes.py", "tests/campus_app/test_screens.py"]
    run(copy, "-m", "pytest", "-q", files[-1], *page_tests)


@pytest.mark.parametrize(
    "name", ["", "Favourites", "my-screen", "a__b", "_a", "../evil", "checkout"]
)
def test_new_screen_is_refused_when_its_name_is_invalid_or_taken(name):
    with pytest.raises(ValueError, match=r"made of|there already"):
        add_screen("ordering", name)


@pytest.mark.parametrize("room", ["", "shell", "shared", "attic", "../kit"])
def test_new_screen_is_refused_when_there_is_no_such_room(room):
    with pytest.raises(ValueError, match="none of the rooms"):
        add_screen(room, "favourites")
