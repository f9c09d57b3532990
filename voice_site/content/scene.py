"""What is said about the scene.

Source: voice site specification, section 8, "Scene errors".
"""

WORDS = {
    "title": "Error loading scene",
    "offline": "You seem to be offline: please check your connection.",
    "loading": "Loading the scene...",
    "again": "Try again",
    "pause": "Pause motion",
    "resume": "Resume motion",
}
