"""One module per route, named after it; each binds states to components."""
