"""One module per outside system, named by its technology."""
