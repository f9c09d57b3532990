"""The use cases of this room."""
