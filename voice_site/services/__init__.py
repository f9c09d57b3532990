"""The site's use cases."""
