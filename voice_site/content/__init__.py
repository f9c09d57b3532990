"""What the page says, as typed content."""
