"""The site's settings, and the validation of the form address."""

import pytest
from pydantic import ValidationError

from kit.settings import explain
from tests.helpers.demo import FORM_URL, voice_settings_for


def test_form_url_is_empty_when_it_is_a_placeholder():
    assert voice_settings_for(demo_form_url=FORM_URL).form_url == FORM_URL
    assert voice_settings_for(demo_form_url="").form_url == ""
    for name in ("YOUR_FORM_ID", "{formId}", "<id>", "placeholder", "..."):
        address = f"https://forms.test/d/e/{name}/formResponse"
        assert voice_settings_for(demo_form_url=address).form_url == "", name


HTTPS = "must be an https address"
SCALES = "Scale must be between 0.25 and 1.0"
RATES = "FPS must be one of: 15, 24, 30, 60, 120"
NO_FORMS = ("forms.test/x", "ftp://forms.test/x", "https:///x", "https://:443/x")
NO_ADDRESSES = ("sales", "Sales <sales@davinci.in>", "a@b.in, c@d.in")
NO_SCENES = ("scene.json", "//files.test/scene.json", "https:///scene.json")
INVALID = [
    *(
        ("demo_form_url", each, "must be")
        for each in (*NO_FORMS, "https://user:secret@forms.test/x")
    ),
    *(("sales_email", each, "must be an address") for each in NO_ADDRESSES),
    ("demo_mail_from", "TARA", "must be like"),
    ("demo_form_entries", {"name": "entry.1"}, "knows no name"),
    ("scene_scale", 2, f"Invalid scale: 2. {SCALES}"),
    ("scene_fps", 45, f"Invalid fps: 45. {RATES}"),
    *(("scene_json_path", each, HTTPS) for each in NO_SCENES),
    ("scene_script_url", "javascript:1", HTTPS),
    ("scene_project_id", "../x", ""),
    ("scene_dpi", 0, ""),
]


@pytest.mark.parametrize(("name", "value", "said"), INVALID, ids=range(len(INVALID)))
def test_invalid_setting_prevents_start(name, value, said):
    with pytest.raises(ValidationError) as raised:
        voice_settings_for(**{name: value})
    assert explain(raised.value).startswith(f"{name.upper()}: {said}")


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


def test_production_requires_a_real_sales_address():
    # Source: specification C2.7.
    for address, is_real in {
        "": False,
        "sales@davinci.example": False,
        "sales@davinci.in": True,
    }.items():
        problems = voice_settings_for(sales_email=address).production_problems()
        assert is_real is not any(each.startswith("SALES_EMAIL") for each in problems)


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


MODEL_URL = "https://api.example/v1"


def test_model_url_must_be_encrypted_or_local_and_name_a_model():
    for changes, message in (
        ({"tara_model_url": "http://api.example/v1"}, "TARA_MODEL_URL: must begin with https://"),
        ({"tara_model_url": "ftp://api.example"}, "TARA_MODEL_URL: must begin with"),
        ({"tara_model_url": f"{MODEL_URL}?x=1"}, "TARA_MODEL_URL: must have no ?"),
        ({"tara_model_url": MODEL_URL, "tara_model": ""}, "TARA_MODEL must name"),
        ({"tara_model": "a b"}, "TARA_MODEL:"),
        ({"tara_model_seconds": 60}, "TARA_MODEL_SECONDS:"),
    ):
        with pytest.raises(ValidationError) as raised:
            voice_settings_for(**{"tara_model": "small-1"} | changes)
        assert message in explain(raised.value)
    for url in (f"{MODEL_URL}/", "http://localhost:11434/v1"):
        taken = voice_settings_for(tara_model_url=url, tara_model="m").tara_model_url
        assert taken == url.rstrip("/")
