"""One module per route, and the parts of screens that read a state."""
