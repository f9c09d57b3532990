"""The site's rules: pure Python, no framework, no input or output."""
