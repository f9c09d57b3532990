"""What the player says.

Source: voice site specification, section 2, "Voice demo player".
"""

WORDS = {
    "ready": "Ready to play",
    "listening": "Listening...",
    "speaking": "Speaking...",
    "play": "Play",
    "pause": "Pause",
    "position": "Position in the sample",
    "transcript": "Transcript",
    "languages": "Languages",
    "unplayable": "The sample can’t be played here. The transcript has every word of it.",
    "unwritten": "This transcript can’t be reached just now. The page has one of every sample.",
    "fetching": "One moment...",
    "missing": "The samples can’t be reached just now.",
    "again": "Try again",
    "read": "Read the transcript",
}
