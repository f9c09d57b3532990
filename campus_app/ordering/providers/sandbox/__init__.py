"""The sandbox, which takes no money."""
