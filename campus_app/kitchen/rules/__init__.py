"""The rules of this room; they import the standard library and other rules alone."""
