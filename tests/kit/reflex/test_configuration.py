"""Further settings for the configuration modules that Reflex writes."""

import pytest

from kit.reflex.configuration import with_router_settings, with_vite_settings
from tests.kit.reflex.configured import OF_REFLEX, settings_of


def test_vite_settings_are_merged_into_those_of_reflex_and_of_other_plugins():
    # OF_REFLEX has build.minify, build.rollupOptions and server.port.
    module = with_vite_settings(OF_REFLEX, '{ build: { target: ["one"] } }')
    module = with_vite_settings(module, "{ server: { proxy: {} } }")
    settings = settings_of(module)
    assert settings["build"].keys() == {"minify", "target", "rollupOptions"}
    assert settings["server"] == {"port": 3000, "proxy": {}}


def test_router_settings_replace_those_of_reflex():
    module = 'export default {"ssr": false, "prerender": true};'
    assert settings_of(with_router_settings(module, '{ prerender: ["/"] }')) == {
        "ssr": False,
        "prerender": ["/"],
    }


@pytest.mark.parametrize("change", [with_vite_settings, with_router_settings])
def test_module_without_one_default_export_is_an_error(change):
    for module in ("module.exports = {};", "export default 1; export default 2;"):
        with pytest.raises(RuntimeError, match=r"look at kit/reflex/configuration\.py"):
            change(module, "{}")
