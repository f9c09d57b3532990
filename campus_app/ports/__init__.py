"""The interfaces that the services require; the adapters implement them."""
