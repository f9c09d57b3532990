"""The texts of the scene. Source: specification V8.2 to V8.10."""

WORDS = {
    "title": "Error loading scene",
    "offline": "You seem to be offline: please check your connection.",
    "loading": "Loading the scene...",
    "again": "Try again",
    "pause": "Pause motion",
    "resume": "Resume motion",
}
