"""The adapters: one package per outside system, named by its technology."""
