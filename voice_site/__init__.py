"""The site of DA'VINCI's voice assistant."""
