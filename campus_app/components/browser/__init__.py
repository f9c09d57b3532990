"""The React components, variables and actions of `assets/js/campus_app`, as Python names."""
