"""The bundler's settings after SharedScriptsPlugin."""

from kit.reflex.shared_scripts import SharedScriptsPlugin
from tests.kit.reflex.configured import OF_REFLEX, changed

_ON_EVERY_PAGE = (
    r"vite\/preload-helper|node_modules\/(?:react-router|react-dom|@emotion)\/"
    r"|\.web\/(?:utils\/context|env)\."
)


def test_each_folder_becomes_a_group_of_the_bundler_after_those_of_reflex():
    settings = changed(SharedScriptsPlugin({"kit": 2, "shop/desk": 1, "shop": 3}), OF_REFLEX)
    of_reflex, *groups = settings["build"]["rollupOptions"]["output"]["codeSplitting"]["groups"]
    assert of_reflex == {"name": "reflex-env"}
    assert [(each["name"], each["minShareCount"], each["test"]) for each in groups] == [
        ("kit", 2, rf"public\/js\/kit\/|{_ON_EVERY_PAGE}"),
        ("shop_desk", 1, r"public\/js\/shop\/desk\/"),
        ("shop", 3, r"public\/js\/shop\/"),
    ]
    assert {each["priority"] for each in groups} == {1}
