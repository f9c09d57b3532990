"""Code that both products use; it imports neither of them."""
