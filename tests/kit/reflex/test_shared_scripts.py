"""The bundler's settings after SharedScriptsPlugin."""

from kit.reflex.shared_scripts import SharedScriptsPlugin
from tests.kit.reflex.configured import OF_REFLEX, changed


def test_each_folder_becomes_a_group_of_the_bundler_before_those_of_reflex():
    settings = changed(SharedScriptsPlugin({"kit": 2, "shop": 3}), OF_REFLEX)
    of_reflex, *groups = settings["build"]["rollupOptions"]["output"]["codeSplitting"]["groups"]
    assert of_reflex == {"name": "reflex-env"}
    assert groups == [
        {
            "name": name,
            "minShareCount": pages,
            "priority": 1,
            "test": rf"public\/js\/{name}\/|vite\/preload-helper|"
            r"node_modules\/(?:react-router|@emotion)\/|\.web\/(?:utils\/context|env)\.",
        }
        for name, pages in (("kit", 2), ("shop", 3))
    ]
