"""End-to-end tests of the running product in a browser; a package, so that its fixtures end with it."""
