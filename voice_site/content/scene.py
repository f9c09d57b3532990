"""The texts of the scene. Source: specification V8.2 to V8.10."""

from voice_site.translations import t


def words() -> dict[str, str]:
    """Return the texts by their names in the component."""
    return {
        "title": t("Error loading scene"),
        "offline": t("You seem to be offline: please check your connection."),
        "loading": t("Loading the scene..."),
        "again": t("Try again"),
        "pause": t("Pause motion"),
        "resume": t("Resume motion"),
    }
