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
    "unwritten": "This transcript can’t be reached just now.",
    "fetching": "One moment...",
    "missing": "The samples can’t be reached just now. What TARA says first is on the page.",
    "again": "Try again",
    "read": "Read it there",
}
