"""The use cases of the product, one per module; they use the ports only."""
