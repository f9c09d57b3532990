"""Views that the sections share, and Python's names for the browser's part."""
