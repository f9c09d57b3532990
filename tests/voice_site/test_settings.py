"""The site's settings, and the validation of the form address."""

import pytest
from pydantic import ValidationError

from kit.settings import explain
from tests.helpers.demo import FORM_URL, voice_settings_for


def test_form_url_is_used_when_valid():
    assert voice_settings_for(demo_form_url=FORM_URL).form_url == FORM_URL


@pytest.mark.parametrize(
    "address",
    [
        "",
        "https://forms.test/d/e/YOUR_FORM_ID/formResponse",
        "https://forms.test/d/e/{formId}/formResponse",
        "https://forms.test/d/e/<id>/formResponse",
        "https://forms.test/d/e/placeholder/formResponse",
        "https://forms.test/d/e/.../formResponse",
    ],
)
def test_form_url_is_empty_when_it_is_a_placeholder(address):
    assert voice_settings_for(demo_form_url=address).form_url == ""


@pytest.mark.parametrize(
    "address",
    [
        "forms.test/x",
        "ftp://forms.test/x",
        "https:///x",
        "https://:443/x",
        "https://user:secret@forms.test/x",
    ],
)
def test_invalid_form_url_prevents_start(address):
    with pytest.raises(ValidationError) as raised:
        voice_settings_for(demo_form_url=address)
    assert explain(raised.value).startswith("DEMO_FORM_URL: must be")


def test_production_rejects_form_url_without_https():
    chosen = voice_settings_for(demo_form_url="http://forms.test/d/e/1a2b3c/formResponse")
    assert "DEMO_FORM_URL must begin with https:// in production" in chosen.production_problems()


def test_confirmations_come_from_mail_from_with_the_companys_name():
    # Source: specification P4.19.
    chosen = voice_settings_for(mail_from="FOOD_points <orders@food-points.in>")
    assert chosen.demo_sender == "TARA by DA'VINCI <orders@food-points.in>"
    other = voice_settings_for(demo_mail_from="TARA <tara@davinci.in>")
    assert other.demo_sender == "TARA <tara@davinci.in>"


def test_production_rejects_confirmations_from_a_reserved_domain():
    chosen = voice_settings_for(demo_mail_from="TARA <tara@davinci.example>")
    assert any(each.startswith("DEMO_MAIL_FROM") for each in chosen.production_problems())


@pytest.mark.parametrize("address", ["", "sales@davinci.example"])
def test_production_requires_a_real_sales_address(address):
    # Source: specification C2.7.
    chosen = voice_settings_for(sales_email=address)
    assert any(each.startswith("SALES_EMAIL") for each in chosen.production_problems())
    real = voice_settings_for(sales_email="sales@davinci.in")
    assert not any(each.startswith("SALES_EMAIL") for each in real.production_problems())


@pytest.mark.parametrize("address", ["sales", "Sales <sales@davinci.in>", "a@b.in, c@d.in"])
def test_sales_email_is_rejected_when_no_single_address(address):
    with pytest.raises(ValidationError) as raised:
        voice_settings_for(sales_email=address)
    assert explain(raised.value).startswith("SALES_EMAIL: must be an address")


def test_demo_mail_from_is_rejected_when_no_address():
    with pytest.raises(ValidationError) as raised:
        voice_settings_for(demo_mail_from="TARA")
    assert explain(raised.value).startswith("DEMO_MAIL_FROM: must be like")


def test_form_entries_reject_unknown_fields():
    with pytest.raises(ValidationError) as raised:
        voice_settings_for(demo_form_entries={"name": "entry.1"})
    assert "knows no name" in explain(raised.value)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"scene_scale": 2},
            "SCENE_SCALE: Invalid scale: 2. Scale must be between 0.25 and 1.0",
        ),
        (
            {"scene_fps": 45},
            "SCENE_FPS: Invalid fps: 45. FPS must be one of: 15, 24, 30, 60, 120",
        ),
        ({"scene_json_path": "scene.json"}, "SCENE_JSON_PATH: must be an https address"),
        (
            {"scene_json_path": "//files.test/scene.json"},
            "SCENE_JSON_PATH: must be an https address",
        ),
        ({"scene_json_path": "https:///scene.json"}, "SCENE_JSON_PATH: must be an https address"),
        ({"scene_script_url": "javascript:1"}, "SCENE_SCRIPT_URL: must be an https address"),
        ({"scene_project_id": "../x"}, "SCENE_PROJECT_ID: "),
        ({"scene_dpi": 0}, "SCENE_DPI: "),
    ],
    ids=lambda value: "",
)
def test_invalid_scene_settings_prevent_start(changes, said):
    with pytest.raises(ValidationError) as raised:
        voice_settings_for(**changes)
    assert explain(raised.value).startswith(said)


def test_foreign_sources_are_empty_when_own_scene_plays():
    assert voice_settings_for().foreign_sources == {}


def test_foreign_sources_allow_studio_hosts_when_studio_scene_is_configured():
    chosen = voice_settings_for(scene_project_id="p1").foreign_sources
    assert set(chosen) == {"script-src", "connect-src", "img-src"}
    for sites in chosen.values():
        assert sites == ["https://*.unicorn.studio", "https://cdn.jsdelivr.net"]


def test_foreign_sources_allow_host_of_exported_scene():
    own = voice_settings_for(scene_json_path="/scene.json", scene_script_url="/sdk.js")
    assert own.foreign_sources["connect-src"] == []
    elsewhere = voice_settings_for(
        scene_json_path="https://files.test/scene.json", scene_script_url="https://sdk.test/x.js"
    )
    assert elsewhere.foreign_sources["script-src"] == ["https://files.test", "https://sdk.test"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tara_model_url": "http://api.example/v1"}, "TARA_MODEL_URL: must begin with https://"),
        ({"tara_model_url": "ftp://api.example"}, "TARA_MODEL_URL: must begin with"),
        ({"tara_model_url": "https://api.example/v1?x=1"}, "TARA_MODEL_URL: must have no ?"),
        ({"tara_model_url": "https://api.example/v1", "tara_model": ""}, "TARA_MODEL must name"),
        ({"tara_model": "a b"}, "TARA_MODEL:"),
        ({"tara_model_seconds": 60}, "TARA_MODEL_SECONDS:"),
    ],
)
def test_model_url_must_be_encrypted_or_local_and_name_a_model(changes, message):
    with pytest.raises(ValidationError) as raised:
        voice_settings_for(**{"tara_model": "small-1"} | changes)
    assert message in explain(raised.value)


@pytest.mark.parametrize("url", ["https://api.example/v1/", "http://localhost:11434/v1"])
def test_model_url_is_taken_when_encrypted_or_local(url):
    assert voice_settings_for(tara_model_url=url, tara_model="m").tara_model_url == url.rstrip("/")
