"""The rules of campus food ordering: pure Python, no framework, no input or output."""
