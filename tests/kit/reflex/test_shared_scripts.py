"""The bundler's configuration after SharedScriptsPlugin."""

import pytest

from kit.reflex.shared_scripts import SharedScriptsPlugin

CONFIG = """        codeSplitting: {
          groups: [
            {
              test: /env.json/,
"""


def changed(config):
    tasks = {}
    plugin = SharedScriptsPlugin({"kit": 2, "shop": 3})
    plugin.pre_compile(add_modify_task=lambda name, change: tasks.update({name: change}))
    return tasks["vite.config.js"](config)


def test_each_folder_becomes_a_group_of_the_bundler():
    assert changed(CONFIG) == CONFIG.replace(
        "groups: [\n",
        "groups: [\n"
        '            { name: "kit", minShareCount: 2,'
        " test: /public\\/js\\/kit\\/|vite\\/preload-helper/ },\n"
        '            { name: "shop", minShareCount: 3,'
        " test: /public\\/js\\/shop\\/|vite\\/preload-helper/ },\n",
    )


def test_changed_configuration_of_the_framework_is_an_error():
    with pytest.raises(RuntimeError):
        changed("codeSplitting: {},")
