"""The site's part of the HTTP interface."""
