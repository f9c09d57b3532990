"""Renders the calls of "Listen to TARA" with an open voice model: `make voices`.

docs/voices.md describes the steps, the measures, and the voices that were tried.
Runs in an environment of its own (`requirements.txt` here), with espeak-ng, ffmpeg and npm. The
repository holds the audio alone.
"""
