"""The texts of the player. Source: specification V2.20, V2.21."""

from kit.translations import ENGLISH
from voice_site.content.languages import LANGUAGES
from voice_site.content.scenes import PLAYED
from voice_site.translations import t


def words() -> dict[str, str]:
    """Return the texts by their names in the component; those of a call or language by its id."""
    calls = {f"call_{call.id}": t(call.title) for call in PLAYED[ENGLISH]}
    languages = {f"language_{each.code}": t(each.name) for each in LANGUAGES}
    return (
        calls
        | languages
        | {
            "ready": t("Ready to play"),
            "listening": t("Listening..."),
            "speaking": t("Speaking..."),
            "play": t("Play"),
            "pause": t("Pause"),
            "position": t("Position in the sample"),
            "transcript": t("Transcript"),
            "languages": t("Languages"),
            "calls": t("A scripted call"),
            "caller": t("Caller"),
            "phone": t("As on the phone"),
            "preparing": t("Voice in preparation"),
            "unplayable": t(
                "The sample can’t be played here. The transcript has every word of it."
            ),
            "unwritten": t("This transcript can’t be reached just now."),
            "fetching": t("One moment..."),
            "missing": t(
                "The samples can’t be reached just now. What TARA says first is on the page."
            ),
            "again": t("Try again"),
            "listen": t("Hear TARA"),
            "stop": t("Stop"),
            "more": t("More calls"),
            "read": t("Read it there"),
        }
    )
