"""A changed list of restaurants makes a build outdated; a changed menu does not."""

from campus_app.build import source_hashes


def test_build_is_reused_when_only_menus_change(data_dir):
    before = source_hashes(data_dir)
    for name in ("menu_1.csv", "trending.csv", "diet.csv"):
        with (data_dir / name).open("a", encoding="utf-8") as file:
            file.write("199,Tea,,20,Hot\n")
    assert source_hashes(data_dir) == before


def test_build_is_renewed_when_restaurant_list_changes(data_dir):
    before = source_hashes(data_dir)
    file = data_dir / "restaurants.csv"
    file.write_text(file.read_text(encoding="utf-8").replace("4.4", "4.5", 1), encoding="utf-8")
    after = source_hashes(data_dir)
    assert after["restaurants"] != before["restaurants"]
    assert after["code"] == before["code"]
