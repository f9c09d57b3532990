"""Renders the calls of "Listen to TARA" with an open voice model: `make voices`.

Runs in an environment of its own (`requirements.txt` here), with espeak-ng, ffmpeg and npm. The
repository holds the audio alone.
"""
