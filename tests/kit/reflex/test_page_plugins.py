"""Reflex plugins that change the built pages and the build's configuration."""

import pytest

from kit.reflex.page_plugins import PaintFirstPlugin, PrerenderPatternsPlugin
from tests.kit.reflex.configured import settings_of

PAGE = (
    '<html><head><link rel="modulepreload" href="/assets/root.js"/>'
    '<link rel="modulepreload" href="/assets/page.js" crossorigin=""/></head>'
    "<body><h1>All that is read</h1><script>inline</script>"
    '<script type="module" async="">import "/assets/root.js"</script></body></html>'
)

RENDERED_BY_SCRIPTS = ("404.html", "__spa-fallback.html")


@pytest.fixture
def built(tmp_path):
    """Returns the content of a built page by the name of its file."""
    for name in (
        "index.html",
        "menu/0.html",
        "pay/0.html",
        "pay/0/index.html",
        *RENDERED_BY_SCRIPTS,
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(PAGE, encoding="utf-8")
    PaintFirstPlugin(at_once=["/pay/0"]).post_build(static_dir=tmp_path)
    return lambda name: (tmp_path / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["index.html", "menu/0.html"])
def test_page_loads_its_scripts_after_first_paint(built, name):
    page = built(name)
    assert '"modulepreload" href' not in page
    assert page.count('<link rel="later" href=') == 2
    assert '<script type="module"' not in page
    assert '<script type="text/plain" id="modules">import "/assets/root.js"</script>' in page
    head = page.split("</head>", maxsplit=1)[0]
    assert "requestAnimationFrame" in head
    assert page.count("<script>inline</script>") == 1


@pytest.mark.parametrize("name", ["pay/0.html", "pay/0/index.html", *RENDERED_BY_SCRIPTS])
def test_page_without_prerendered_content_loads_its_scripts_at_once(built, name):
    assert built(name) == PAGE


def test_plugin_fails_when_reflex_writes_the_page_differently(tmp_path):
    (tmp_path / "index.html").write_text("<html><head></head></html>", encoding="utf-8")
    with pytest.raises(RuntimeError, match="look at kit/reflex"):
        PaintFirstPlugin().post_build(static_dir=tmp_path)


def changes_of_config(monkeypatch, mode):
    """Return the plugin's changes of React Router's configuration, by file, in a mode of Reflex."""
    monkeypatch.delenv("REFLEX_SSR", raising=False)
    monkeypatch.setenv("REFLEX_ENV_MODE", mode)
    written = {}
    PrerenderPatternsPlugin(["/menu/0"]).pre_compile(add_modify_task=written.__setitem__)
    return written


def test_prerender_plugin_does_nothing_in_development_mode(monkeypatch):
    assert changes_of_config(monkeypatch, "dev") == {}


def test_prerender_plugin_adds_dynamic_routes(monkeypatch):
    written = changes_of_config(monkeypatch, "prod")
    (change,) = written.values()
    settings = settings_of(change('export default {"ssr": false, "prerender": true};'))
    assert settings["ssr"] is False
    assert '[...getStaticPaths(), ...["/menu/0"]]' in settings["prerender"]
