"""The one page of the site."""
