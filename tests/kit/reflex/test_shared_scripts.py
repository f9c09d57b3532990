"""The bundler's settings after SharedScriptsPlugin."""

from kit.reflex.shared_scripts import SharedScriptsPlugin
from tests.kit.reflex.configured import OF_REFLEX, changed

_ON_EVERY_PAGE = (
    r"vite\/preload-helper|node_modules\/(?:react-router|react-dom|@emotion)\/"
    r"|\.web\/(?:utils\/context|env)\."
)


def test_each_folder_becomes_a_group_of_the_bundler_before_those_of_reflex():
    settings = changed(SharedScriptsPlugin({"kit": 2, "shop/desk": 1, "shop": 3}), OF_REFLEX)
    of_reflex, *groups = settings["build"]["rollupOptions"]["output"]["codeSplitting"]["groups"]
    assert of_reflex == {"name": "reflex-env"}
    assert groups == [
        {"name": name, "minShareCount": pages, "priority": 1, "test": test}
        for name, pages, test in (
            ("kit", 2, rf"public\/js\/kit\/|{_ON_EVERY_PAGE}"),
            ("shop_desk", 1, r"public\/js\/shop\/desk\/"),
            ("shop", 3, r"public\/js\/shop\/"),
        )
    ]
