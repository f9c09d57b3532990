"""The sections of the page, in one module each."""
