"""Other shops and frameworks, measured on the same work as ours in one run: see README.md."""
