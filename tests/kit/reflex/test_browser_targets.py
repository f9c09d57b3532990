"""The browsers that Vite compiles for."""

from kit.reflex.browser_targets import OLDEST_BROWSERS, BrowserTargetsPlugin
from tests.kit.reflex.configured import OF_REFLEX, changed


def test_vite_compiles_scripts_and_styles_for_the_oldest_browsers():
    build = changed(BrowserTargetsPlugin(), OF_REFLEX)["build"]
    oldest = [f"{name}{version}" for name, version in OLDEST_BROWSERS.items()]
    assert build["target"] == build["cssTarget"] == oldest
    assert build["minify"] is True
