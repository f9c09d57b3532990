"""What the tests of several packages of `kit` share."""

import pytest

from kit.translations import Catalogues


@pytest.fixture
def catalogues(tmp_path_factory):
    """The catalogues of a product in English and Hindi, without texts."""
    folder = tmp_path_factory.mktemp("translations")
    (folder / "hi.po").touch()
    return Catalogues(folder)
