"""The site's rules; nothing but the standard library."""
