"""A changed list of restaurants, or fact about TARA, makes a build outdated; a menu does not."""

import pytest

from campus_app.build import source_hashes


def test_build_is_reused_when_only_menus_change(data_dir):
    before = source_hashes(data_dir)
    for name in ("menu_1.csv", "trending.csv", "diet.csv"):
        with (data_dir / name).open("a", encoding="utf-8") as file:
            file.write("199,Tea,,20,Hot\n")
    assert source_hashes(data_dir) == before


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [("restaurants.csv", "4.4", "4.5"), ("tara_facts.csv", "18%", "12%")],
)
def test_build_is_renewed_when_the_data_of_pages_changes(data_dir, name, before, after):
    built = source_hashes(data_dir)
    file = data_dir / name
    file.write_text(file.read_text(encoding="utf-8").replace(before, after, 1), encoding="utf-8")
    changed = source_hashes(data_dir)
    assert changed["data"] != built["data"]
    assert changed["code"] == built["code"]


def test_build_is_the_same_without_facts_and_with_none(data_dir):
    file = data_dir / "tara_facts.csv"
    file.write_bytes(b"")
    empty = source_hashes(data_dir)
    file.unlink()
    assert source_hashes(data_dir) == empty
