"""The texts of the player. Source: specification V2.20, V2.21."""

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
