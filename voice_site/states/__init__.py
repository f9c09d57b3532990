"""What the server keeps of a visitor of the page while it is open."""
