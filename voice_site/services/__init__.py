"""What the site does."""
