"""Everything that depends on internals of Reflex, and every change to its build."""
