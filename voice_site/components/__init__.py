"""Components that the sections share."""
