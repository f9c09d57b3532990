"""The adapters, one module per technology."""
