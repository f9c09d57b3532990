"""What the product does, one module per use case; each talks to ports alone."""
